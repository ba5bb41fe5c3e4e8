// Implements `nc export` and `nc import`: a whole store to a file and back, also to the other engine
// (docs/operations.md#moving-between-sqlite-and-postgresql).

import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { toIso } from '../../lib/clock.ts'
import { type CheckedExport, checkExport } from '../../stores/portable/check-export.ts'
import type { TableDigest } from '../../stores/portable/export-format.ts'
import { exportStore } from '../../stores/portable/export-store.ts'
import { importStore } from '../../stores/portable/import-store.ts'
import { type Command, type Outcome, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { openExportFile, writeExportFile } from './export-file.ts'
import { listMissingKeys } from './held-keys.ts'

export const portableCommands: Command[] = [
  {
    noun: 'export',
    summary: 'Writes the whole store, as it is at one moment, into a file that import reads; the server may run.',
    flags: {
      to: {
        value: 'path',
        meaning: 'The file; it must not exist. With the ending .gz it is compressed.',
        required: true,
      },
    },
    async run(input, context) {
      const file = resolve(input.text('to'))
      context.lowerPriority()
      const store = await context.openMaintenanceStore({ exclusive: false })
      try {
        const written = await writeExport(file, context, store)
        const { head, end } = written
        const rows = countRows(end.tables)
        const data = { file, bytes: written.bytes, rows, ...head, tables: end.tables }
        const lines = [
          `Wrote ${file} (${written.bytes} bytes, ${rows} rows).`,
          'It holds the messages of users: keep it as safe as the store. Its secrets open with the same MASTER_KEY only.',
          ...(head.live
            ? ['A server was at work: what it writes from here on is not in the file. To move, stop it first.']
            : []),
        ]
        return { data, lines, table: tableOf(end.tables) }
      } finally {
        await store.close()
      }
    },
  },
  {
    noun: 'import',
    summary: 'Reads an export into an empty store, whole or not at all. No server may run on it.',
    flags: {
      from: { value: 'path', meaning: 'The export.', required: true },
      'keep-epoch': { meaning: 'Open widgets go on where they were. Standard when no server ran during the export.' },
      'new-epoch': { meaning: 'Open widgets read anew. Standard when a server ran during the export.' },
      'check-only': { meaning: 'Only reads the file and says whether it is whole.' },
    },
    async run(input, context) {
      if (input.has('keep-epoch') && input.has('new-epoch')) {
        throw new UsageError('Give --keep-epoch or --new-epoch, not both.')
      }
      const source = openExportFile(resolve(input.text('from')))
      const progress = reporter(context)
      const checked = await checkExport(source, (table, rows) => progress('check', table, rows))
      const summary = { ...checked.head, rows: countRows(checked.end.tables), tables: checked.end.tables }
      if (input.has('check-only'))
        return { data: summary, lines: ['The export is whole.'], table: tableOf(summary.tables) }
      await requireMasterKeys(context, checked)
      const isKept = input.has('keep-epoch') || (!checked.head.live && !input.has('new-epoch'))
      const store = await context.openMaintenanceStore({ exclusive: true })
      try {
        const newEpoch = isKept ? null : randomBytes(5).toString('hex')
        await importStore(store, source, checked, { now: context.clock.now(), newEpoch, progress })
        const lines = [
          `Imported ${summary.rows} rows into ${store.engine}, and read all of them back. Start the server.`,
          isKept ? 'Open widgets go on where they were.' : 'Open widgets read their inboxes anew.',
        ]
        return {
          data: { ...summary, into: store.engine, epoch: isKept ? 'kept' : 'new' },
          lines,
          table: tableOf(summary.tables),
        }
      } finally {
        await store.close()
      }
    },
  },
]

type OpenStore = Awaited<ReturnType<CommandContext['openMaintenanceStore']>>

async function writeExport(file: string, context: CommandContext, store: OpenStore) {
  const progress = reporter(context)
  let exported: Awaited<ReturnType<typeof exportStore>> | undefined
  const { bytes } = await writeExportFile(file, async (write) => {
    const writer = { write, progress: (table: string, rows: number) => progress('read', table, rows) }
    exported = await exportStore(store, writer, toIso(context.clock.now()))
  })
  if (exported === undefined) throw new Error('Nothing was exported.')
  return { bytes, ...exported }
}

/** Secrets that no key opens here would be lost, so this is reported before anything is written. */
async function requireMasterKeys(context: CommandContext, { head }: CheckedExport): Promise<void> {
  const missing = await listMissingKeys(context, head.sealedUnder)
  if (missing.length === 0) return
  throw new Error(
    `The export holds secrets sealed under master key ${missing.join(', ')}, which is not here. Set MASTER_KEY to the key of the exported deployment (the text of its master.key), or to a list: the new one, a comma, that one. With a list, call master-key rotate afterwards.`,
  )
}

const EVERY_ROWS = 100_000

/** Reports progress on standard error from time to time. */
function reporter(context: CommandContext) {
  let last = ''
  return (step: string, table: string, rows: number) => {
    const mark = `${step} ${table} ${Math.floor(rows / EVERY_ROWS)}`
    if (mark === last || rows < EVERY_ROWS) return
    last = mark
    context.progress(`${step} ${table}: ${rows} rows`)
  }
}

const countRows = (tables: Record<string, TableDigest>) =>
  Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)

function tableOf(tables: Record<string, TableDigest>): NonNullable<Outcome['table']> {
  return {
    columns: ['Table', 'Rows', 'Hash'],
    rows: Object.entries(tables).map(([name, one]) => [name, one.rows, one.hash]),
  }
}
