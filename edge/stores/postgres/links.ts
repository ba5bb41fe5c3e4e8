// The connections of a node: one that writes, a few that read, one that feels the pulse. When one is lost or the server falls
// silent all are cut at once, callers are refused, and new ones are tried until they are had (issue part 3, PostgreSQL gone).

import { setTimeout as delay } from 'node:timers/promises'
import { withDeadline } from '../../lib/deadline.ts'
import type { Log } from '../../lib/log.ts'
import { unavailable } from './faults.ts'
import { type Link, openLink } from './link.ts'

export interface Links {
  /** The reader with the least to do. Throws `service/unavailable` while the database is out of reach. */
  reader(): Promise<Link>
  writer(): Promise<Link>
  close(): Promise<void>
}

export interface LinksDeps {
  url: string
  log?: Pick<Log, 'info' | 'warn'> | undefined
  /** Before anyone may use them; throws when they must not be. */
  onOpen(pulse: Link): Promise<void>
  /** A sign of life. */
  beat(pulse: Link): Promise<void>
  /** In place of `SILENCE_MS`. For tests. */
  silenceMs?: number | undefined
  /** Before they are closed for good. */
  onClose(pulse: Link): Promise<void>
}

const READERS = 4
const BEAT_MS = 200
/** Silence for so long means that the server is gone: far below the 1.5 s in which callers must have an answer. */
export const SILENCE_MS = 600
const OPEN_MS = 2000
const RETRY_MS = 200
/** A connection that was cut is mostly had again at once: so long callers wait for that. */
const GRACE_MS = 300

interface Set {
  pulse: Link
  writer: Link
  readers: Link[]
  /** Resolves with what ended it. */
  ended: Promise<string>
}
interface House {
  deps: LinksDeps
  set: Set | undefined
  /** Until when callers wait for new connections (monotonic ms). */
  graceUntil: number
  waiting: ((set: Set | undefined) => void)[]
  isClosed: boolean
}

/** Resolves when the connections are there for the first time; throws what kept them away then. */
export async function openLinks(deps: LinksDeps): Promise<Links> {
  const house: House = { deps, set: undefined, graceUntil: 0, waiting: [], isClosed: false }
  const first = await openSet(deps)
  const kept = keep(house, first)
  return {
    async reader() {
      const { readers } = await getSet(house)
      return readers.reduce((best, one) => (one.inFlight() < best.inFlight() ? one : best))
    },
    writer: async () => (await getSet(house)).writer,
    async close() {
      if (house.isClosed) return
      house.isClosed = true
      const { set } = house
      if (set !== undefined) await withDeadline(deps.onClose(set.pulse), SILENCE_MS, silence).catch(() => {})
      cut(house, 'closed')
      await kept
    },
  }
}

/** Watches the connections, and has new ones when they are gone; until it is closed. */
async function keep(house: House, first: Set): Promise<void> {
  const { log } = house.deps
  for (let set: Set | undefined = first; set !== undefined; set = await openAgain(house)) {
    take(house, set)
    const reason = await watch(house, set)
    if (house.isClosed) break
    // Whoever was cut off may find the server there at once; one that is silent is not waited for.
    house.graceUntil = reason === SILENT ? 0 : performance.now() + GRACE_MS
    cut(house, reason)
    log?.warn('PostgreSQL is out of reach.', { reason })
  }
  take(house, undefined)
}

const SILENT = 'silent'

/** Answers what ended the connections. */
async function watch({ deps }: House, set: Set): Promise<string> {
  const { silenceMs = SILENCE_MS } = deps
  const pulse = async (): Promise<string> => {
    for (;;) {
      await delay(BEAT_MS, undefined, { ref: false })
      try {
        await withDeadline(deps.beat(set.pulse), silenceMs, silence)
      } catch (error) {
        return error instanceof Silence ? SILENT : 'no pulse'
      }
    }
  }
  return Promise.race([set.ended, pulse()])
}

async function openAgain(house: House): Promise<Set | undefined> {
  for (let failures = 0; !house.isClosed; failures++) {
    try {
      const set = await openSet(house.deps)
      if (house.isClosed) {
        for (const link of linksOf(set)) link.destroy('closed')
        break
      }
      house.deps.log?.info('PostgreSQL is in reach again.', { attempt: failures + 1 })
      return set
    } catch (error) {
      if (failures === 0) house.deps.log?.warn('PostgreSQL cannot be reached; it is tried again and again.', { error })
      await delay(RETRY_MS)
    }
  }
  return undefined
}

async function openSet({ url, onOpen }: LinksDeps): Promise<Set> {
  let tellEnd: (reason: string) => void = () => {}
  const ended = new Promise<string>((resolve) => {
    tellEnd = resolve
  })
  const opened: Link[] = []
  const open = async () => {
    const link = await openLink({ url, deadlineMs: OPEN_MS, onLost: (error) => tellEnd(error.message) })
    opened.push(link)
    return link
  }
  try {
    const pulse = await open()
    await withDeadline(onOpen(pulse), OPEN_MS, silence)
    const opening = Array.from({ length: 1 + READERS }, open)
    // All have come or failed before any is given up, so that none comes when nobody wants it.
    await Promise.allSettled(opening)
    const [writer, ...readers] = await Promise.all(opening)
    if (writer === undefined) throw new Error('There is no writing connection.')
    return { pulse, writer, readers, ended }
  } catch (error) {
    for (const link of opened) link.destroy('not needed')
    throw error
  }
}

function take(house: House, set: Set | undefined): void {
  house.set = set
  for (const tell of house.waiting) tell(set)
  house.waiting = []
}

function cut(house: House, reason: string): void {
  const { set } = house
  house.set = undefined
  if (set === undefined) return
  for (const link of linksOf(set)) link.destroy(reason)
}

const linksOf = ({ pulse, writer, readers }: Set) => [pulse, writer, ...readers]

async function getSet(house: House): Promise<Set> {
  if (house.set !== undefined && isWhole(house.set)) return house.set
  // Cut a moment ago, and not yet noticed by the one who keeps them.
  const graceMs = house.set === undefined ? house.graceUntil - performance.now() : GRACE_MS
  if (house.isClosed || graceMs <= 0) throw unavailable()
  const next = await new Promise<Set | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), graceMs)
    house.waiting.push((set) => {
      clearTimeout(timer)
      resolve(set)
    })
  })
  if (next === undefined) throw unavailable()
  return next
}

const isWhole = ({ writer, readers }: Set) => !writer.isLost() && readers.every((reader) => !reader.isLost())

class Silence extends Error {}

const silence = () => new Silence('PostgreSQL does not answer.')
