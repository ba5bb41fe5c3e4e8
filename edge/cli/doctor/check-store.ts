// Checks the store for `nc doctor`: reachable, of this version, intact, clock correct, secrets readable.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { GivenUp } from '../../domain/given-up.ts'
import { type ClaimKind, formatMark } from '../../domain/in-hand.ts'
import type { Stores } from '../../domain/stores.ts'
import { SEALED_TABLES, type SealedText } from '../../domain/tenant/secret-rotation.ts'
import type { WaitingWork } from '../../domain/waiting.ts'
import type { Clock } from '../../lib/clock.ts'
import { NC } from '../../lib/command-line.ts'
import { idFloorAt } from '../../lib/id.ts'
import { knownTables } from '../../stores/migrate.ts'
import { readPending } from '../../stores/portable/pending-migrations.ts'
import { explainFile } from '../../stores/sqlite/driver.ts'
import type { CommandContext } from '../command-context.ts'
import { explainStoreFault } from './explain-fault.ts'
import { type Finding, finding } from './finding.ts'

const MOST_SKEW_MS = 2000
/** Under load ids run ahead of the clock by this much; more means that the clock has stepped back. */
const MOST_AHEAD_MS = 60_000

interface Tables {
  /** Whether this program may look inside. */
  isSound: boolean
  /** Whether a server works on the store. */
  isInUse: boolean
  found: Finding[]
}

/** Checks that the store is usable. */
export async function checkTables(context: CommandContext): Promise<Tables> {
  const fault = (words: string) => ({ isSound: false, isInUse: false, found: [finding('Store', 'wrong', words)] })
  let store: Awaited<ReturnType<CommandContext['openMaintenanceStore']>> | undefined
  try {
    store = await context.openMaintenanceStore({ exclusive: false })
    const isInUse = await store.isInUse()
    const server = finding('Server', 'ok', isInUse ? 'A server works on the store.' : 'No server works on the store.')
    const { version, missing, unknown, oldestBinary, unfinishedImport } = await readPending(store)
    if (unfinishedImport !== null)
      return fault(`An import was begun at ${unfinishedImport} and has not finished. Repeat it, whole.`)
    // Within a rolling upgrade an older node works on, and so does its doctor.
    if (unknown.length > 0 && oldestBinary > knownTables()) {
      return fault(
        `The tables are of a newer program (version ${version}, which wants ${oldestBinary} at least). Install that program here.`,
      )
    }
    if (missing.length > 0) {
      return fault(
        `The tables lack migration ${missing.join(', ')}. Start the server of this version, or call migrate.`,
      )
    }
    const skewMs = await store.clockSkewMs(context.clock)
    return {
      // Commands write into tables of their own version alone.
      isSound: unknown.length === 0,
      isInUse,
      found: [server, storeOf(store.engine, version, unknown), clockOf(skewMs)],
    }
  } catch (error) {
    const { databaseUrl, dataDir } = context.settings()
    const explained = databaseUrl === null ? explainFile(error, join(dataDir, 'store.db')) : error
    return fault(explainStoreFault(explained, databaseUrl))
  } finally {
    await store?.close()
  }
}

function storeOf(engine: string, version: number, unknown: number[]): Finding {
  const words = `${engine}, tables of version ${version}.`
  if (unknown.length === 0) return finding('Store', 'ok', words)
  return finding(
    'Store',
    'note',
    `${words} They are of a newer program, which this one can work beside: finish the upgrade, whose doctor looks inside.`,
  )
}

function clockOf(skewMs: number | null): Finding {
  if (skewMs === null || Math.abs(skewMs) <= MOST_SKEW_MS) return finding('Clock', 'ok', 'The clocks agree.')
  const words = `The database is ${Math.abs(Math.round(skewMs / 1000))} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine.`
  return finding(
    'Clock',
    'wrong',
    `${words} Let both follow the same time servers (NTP): leases and sessions end by their clocks.`,
  )
}

/** The ports of a usable store. */
export async function checkInside(context: CommandContext): Promise<Finding[]> {
  const settings = context.settings()
  // Without a key nothing is opened, as that would generate a new key.
  if (settings.masterKeys === null && !existsSync(join(settings.dataDir, 'master.key'))) return []
  try {
    const { stores, clock, installation } = await context.tools()
    const found = [...regionOf(settings.region, installation?.region), await checkSealed(context)]
    if (stores.idFloor > idFloorAt(clock.now() + MOST_AHEAD_MS)) {
      found.push(
        finding(
          'Clock',
          'wrong',
          'The store holds ids of the future: the clock of this machine has stepped back, or is behind. Put it right.',
        ),
      )
    }
    return [...found, ...(await checkWork(stores, clock))]
  } catch (error) {
    return [finding('Store', 'wrong', explainStoreFault(error, settings.databaseUrl ?? null))]
  }
}

/** Commands take the region that the last server wrote; a start takes its own, and is refused. */
function regionOf(region: string, known = region): Finding[] {
  if (region === known) return []
  return [
    finding('Region', 'wrong', `REGION is ${region}, and the keys of this store are of ${known}. Set REGION=${known}.`),
  ]
}

/** Checks what waits, what was given up, and what cannot have been meant. */
export async function checkWork(
  { waitings, givenUps, doubts }: Pick<Stores, 'waitings' | 'givenUps' | 'doubts'>,
  clock: Clock,
): Promise<Finding[]> {
  return [
    waitingOf(await waitings.read(clock.now())),
    givenUpOf(await givenUps.count(), await givenUps.list(null, 1)),
    doubtsOf(await doubts.count(null)),
  ]
}

/** Longer than a busy server or a short pause of a provider lets work wait. */
const LONG_MS = 2 * 60_000

function waitingOf(waiting: Record<ClaimKind, WaitingWork>): Finding {
  const long = (Object.entries(waiting) as [ClaimKind, WaitingWork][]).filter(([, { oldestMs }]) => oldestMs > LONG_MS)
  if (long.length === 0) return finding('Waiting', 'ok', 'No run, job or mail waits for long.')
  const words = long.map(([kind, { count, oldestMs, error }]) => {
    const last = error === null ? '' : ` The last error: ${error}`
    return `${countOf(count, kind)} ${count === 1 ? 'waits' : 'wait'}, the oldest for ${Math.floor(oldestMs / 60_000)} min.${last}`
  })
  return finding('Waiting', 'wrong', words.join(' '))
}

const countOf = (count: number, noun: string) =>
  `${count >= 1000 ? '1,000 or more' : count} ${noun}${count === 1 ? '' : 's'}`

/** Work that ended a server, or of which no attempt came to an end. */
function givenUpOf(counts: Record<ClaimKind, number>, [newest]: GivenUp[]): Finding {
  if (newest === undefined) return finding('Given up', 'ok', 'No run, job or mail was given up.')
  const words = (Object.entries(counts) as [ClaimKind, number][])
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => countOf(count, kind))
  const last = `The last one, ${formatMark(newest)}: ${newest.reason}.`
  return finding('Given up', 'wrong', `${words.join(', ')}. ${last} See: ${NC} given-up list`)
}

/** What customers should look at: the service itself works. */
function doubtsOf(count: number): Finding {
  if (count === 0) return finding('Doubts', 'ok', 'Nothing was accepted that cannot have been meant.')
  const words = `${count} ${count === 1 ? 'thing was' : 'things were'} accepted and cannot have been meant.`
  return finding('Doubts', 'note', `${words} See: ${NC} doubts --env …`)
}

async function checkSealed(context: CommandContext): Promise<Finding> {
  const { sealer } = await context.tools()
  let count = 0
  for await (const sealed of listSealed(context)) {
    count++
    try {
      await sealer.open(sealed)
    } catch {
      const words =
        'A secret does not open with the master key. Set MASTER_KEY to the list that has the former key too.'
      return finding('Sealed secrets', 'wrong', words)
    }
  }
  return finding('Sealed secrets', 'ok', `All ${count} open with the master key.`)
}

const PAGE = 100

async function* listSealed(context: CommandContext): AsyncIterable<string> {
  const { stores } = await context.tools()
  for (const table of SEALED_TABLES) {
    let after: SealedText | null = null
    let isLast = false
    while (!isLast) {
      const page: SealedText[] = await stores.rotations.listSealed(after, PAGE, table)
      for (const { sealed } of page) yield sealed
      after = page.at(-1) ?? null
      isLast = page.length < PAGE
    }
  }
}
