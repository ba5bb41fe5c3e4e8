// Implements `nc env export` and `nc env import`: one environment to a file and into another deployment, also of the other
// engine (docs/operations.md#moving-one-environment).

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isClosed } from '../../domain/tenant/closed.ts'
import { toIso } from '../../lib/clock.ts'
import { NC } from '../../lib/command-line.ts'
import { requireNewFile } from '../../lib/folder.ts'
import { formatId, parseId } from '../../lib/id.ts'
import { createTransportKey, MIN_KEY_CHARS, newSalt } from '../../lib/transport-key.ts'
import { checkEnvironment, readHead } from '../../stores/portable/environment/check-environment.ts'
import { drainEnvironment, exportEnvironment } from '../../stores/portable/environment/export-environment.ts'
import { completeImport, importEnvironment } from '../../stores/portable/environment/import-environment.ts'
import type { TableDigest } from '../../stores/portable/export-format.ts'
import type { MaintenanceStore } from '../../stores/portable/maintenance-store.ts'
import { type Command, type Flag, type Input, type Outcome, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { ENV, getEnvironment } from '../targets.ts'
import { openExportFile, writeExportFile } from './export-file.ts'

const KEY_FILE: Flag = {
  value: 'path',
  meaning: `A file with a text of ${MIN_KEY_CHARS} characters or more, under which secrets are sealed: the same for both.`,
  required: true,
}

export const envMovingCommands: Command[] = [
  {
    noun: 'env',
    verb: 'export',
    summary: 'Closes an environment, waits for its work, and writes all of it into a file; it stays closed.',
    flags: {
      env: ENV,
      to: {
        value: 'path',
        meaning: 'The file; it must not exist. With the ending .gz it is compressed.',
        required: true,
      },
      'key-file': KEY_FILE,
    },
    run: runExport,
  },
  {
    noun: 'env',
    verb: 'import',
    summary:
      'Reads an exported environment into this deployment, where it stays closed until env open; servers may run.',
    flags: {
      from: { value: 'path', meaning: 'The file of env export.', required: true },
      'key-file': KEY_FILE,
      org: { value: 'org_…', meaning: 'Its organisation here. Without it: the same, created where it is missing.' },
      'check-only': { meaning: 'Only reads the file and says whether it is whole.' },
    },
    run: runImport,
  },
]

async function runExport(input: Input, context: CommandContext): Promise<Outcome> {
  const file = resolve(input.text('to'))
  // Before the environment is closed.
  requireNewFile(file)
  const text = await readKey(input)
  const { stores, closeEnvironment, sealer, regions, clock } = await context.tools()
  const found = await getEnvironment(input, stores)
  const wasOpen = !isClosed(found)
  const closed = await closeEnvironment.close(found.id, context.by, 'operator')
  if (wasOpen) context.progress(`Closed ${closed.name}: its calls are answered 503 with Retry-After.`)
  context.lowerPriority()
  const store = await context.openMaintenanceStore({ exclusive: false })
  try {
    const skewMs = (await store.clockSkewMs(clock)) ?? 0
    const now = () => clock.now() + skewMs
    await drainEnvironment(store, {
      environmentId: found.id,
      closedAt: closed.closedAt ?? clock.now(),
      now,
      progress: context.progress,
    })
    const salt = newSalt()
    const key = await createTransportKey(text, salt)
    const takenAt = toIso(clock.now())
    let written: Awaited<ReturnType<typeof exportEnvironment>> | undefined
    const { bytes } = await writeExportFile(file, async (write) => {
      const given = { environmentId: found.id, takenAt, region: regions.own, salt, key, open: sealer.open }
      written = await exportEnvironment(store, { write, progress: reporter(context, 'read') }, given)
      // Before the file has its name: whoever has the file finds the environment marked.
      await closeEnvironment.close(found.id, context.by, 'exported')
    })
    if (written === undefined) throw new Error('Nothing was exported.')
    const { head, end } = written
    const rows = countRows(end.tables)
    const lines = [
      `Wrote ${file} (${bytes} bytes, ${rows} rows). It holds the messages of users: keep it as safe as the store.`,
      `${closed.name} stays closed here. Import the file, open it there, then tell its callers: env close --moved-to.`,
    ]
    return { data: { file, bytes, rows, ...head, tables: end.tables }, lines, table: tableOf(end.tables) }
  } finally {
    await store.close()
  }
}

async function runImport(input: Input, context: CommandContext): Promise<Outcome> {
  const source = openExportFile(resolve(input.text('from')))
  const text = await readKey(input)
  const head = await readHead(source)
  const key = await createTransportKey(text, head.salt)
  const checked = await checkEnvironment(source, head, key, reporter(context, 'check'))
  const summary = { ...head, rows: countRows(checked.end.tables), tables: checked.end.tables }
  if (input.has('check-only')) return { data: summary, lines: ['The file is whole.'], table: tableOf(summary.tables) }
  const { sealer, regions, clock, stores } = await context.tools()
  if (head.region !== regions.own) {
    throw new Error(
      `The keys and addresses of ${head.name} name region "${head.region}", and this deployment serves "${regions.own}": they would be refused.`,
    )
  }
  const organisationId = readOrganisation(input)
  context.lowerPriority()
  const store = await context.openMaintenanceStore({ exclusive: false })
  try {
    const place = await importEnvironment(store, source, checked, {
      ...{ key, seal: sealer.seal, organisationId, now: clock.now },
      progress: (step, table, rows) => reporterOf(context)(step, table, rows),
      restMs: await restOf(store),
    })
    await completeImport(store, checked, clock.now())
    const { environmentId } = checked.owners
    const detail = { environment: head.environment, rows: summary.rows, takenAt: head.takenAt }
    const entry = { at: clock.now(), ...context.by, action: 'env.import', environmentId, subject: head.name, detail }
    await stores.audit.record(entry)
    const organisation = formatId('organisation', place.organisationId)
    const lines = [
      `Imported ${head.name} (${head.environment}) with ${summary.rows} rows into ${organisation}, and read them back.`,
      `It is closed. Open it once nothing serves it elsewhere: ${NC} env open --env ${head.environment}`,
    ]
    return { data: { ...summary, organisation, into: store.engine }, lines, table: tableOf(summary.tables) }
  } finally {
    await store.close()
  }
}

/** Servers write half of the time; without one nothing waits. */
async function restOf(store: MaintenanceStore): Promise<(tookMs: number) => number> {
  const isServed = await store.isInUse()
  return (tookMs) => (isServed ? tookMs : 0)
}

function readOrganisation(input: Input): number | null {
  const text = input.find('org')
  if (text === undefined) return null
  const id = parseId('organisation', text)
  if (id === undefined) throw new UsageError('--org must be the id of an organisation (org_…).')
  return id
}

/** @throws Error with a text for the operator when the file is missing, or its text too short. */
async function readKey(input: Input): Promise<string> {
  const path = resolve(input.text('key-file'))
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`${path} cannot be read.`, { cause })
  })
  const key = text.trim()
  if (key.length >= MIN_KEY_CHARS) return key
  throw new Error(`The text of ${path} has fewer than ${MIN_KEY_CHARS} characters. Make one: openssl rand -base64 32`)
}

const EVERY_ROWS = 100_000

function reporterOf(context: CommandContext) {
  return (step: string, table: string, rows: number) => {
    if (rows > 0 && rows % EVERY_ROWS < 500) context.progress(`${step} ${table}: ${rows} rows`)
  }
}

const reporter = (context: CommandContext, step: string) => (table: string, rows: number) =>
  reporterOf(context)(step, table, rows)

const countRows = (tables: Record<string, TableDigest>) =>
  Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)

function tableOf(tables: Record<string, TableDigest>): NonNullable<Outcome['table']> {
  const rows = Object.entries(tables).map(([name, one]) => [name, one.rows, one.hash])
  return { columns: ['Table', 'Rows', 'Hash'], rows }
}
