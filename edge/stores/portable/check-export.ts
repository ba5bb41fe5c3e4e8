// Reads a whole export before anything is written, and refuses damaged exports and those of a newer program.

import { knownTables, refuseUnreleased } from '../migrate.ts'
import {
  createDigest,
  type ExportEnd,
  type ExportHead,
  firstDifference,
  isEnd,
  parseHead,
  parseLine,
  type Row,
  type TableDigest,
} from './export-format.ts'
import { type PortableTable, portableTables } from './portable-tables.ts'

/** An export whose lines can be read several times. */
export interface ExportSource {
  lines(): AsyncIterable<string>
}

export interface CheckedExport {
  head: ExportHead
  end: ExportEnd
  tables: PortableTable[]
}

export interface TableRow {
  table: PortableTable
  row: Row
  /** The line as it is in the file. */
  line: string
}

/**
 * Reads the export and compares its rows with its own counts and hashes.
 * @returns The head, the end record and the tables of the export.
 * @throws Error with a text for the operator when the export is damaged, or of a newer program.
 */
export async function checkExport(
  source: ExportSource,
  progress?: (table: string, rows: number) => void,
): Promise<CheckedExport> {
  const head = await readHead(source)
  const tables = portableTables(head.schemaVersion)
  const digests = new Map(tables.map(({ name }) => [name, createDigest()]))
  let rows = 0
  const reader = readRows(source, tables)
  let step = await reader.next()
  for (; !step.done; step = await reader.next()) {
    const { table, line } = step.value
    digests.get(table.name)?.add(line)
    if (++rows % 10_000 === 0) progress?.(table.name, rows)
  }
  const end = step.value
  const found = Object.fromEntries([...digests].map(([name, digest]): [string, TableDigest] => [name, digest.result()]))
  const difference = firstDifference(end.tables, found)
  if (difference !== null) throw new Error(`The export is damaged. ${difference}.`)
  return { head, end, tables }
}

async function readHead(source: ExportSource): Promise<ExportHead> {
  for await (const line of source.lines()) {
    const head = parseHead(line)
    refuseUnreleased(head.schemaVersion, 'The export')
    if (head.schemaVersion > knownTables()) {
      throw new Error(
        `The export has tables of version ${head.schemaVersion}, this program knows ${knownTables()}. Install the version that wrote it, or a later one.`,
      )
    }
    return head
  }
  throw new Error('The file is empty.')
}

/**
 * Yields the rows in file order.
 * @returns The end record of the file.
 * @throws Error with a text for the operator when a line is unexpected or the end record is missing.
 */
export async function* readRows(
  source: ExportSource,
  tables: readonly PortableTable[],
): AsyncGenerator<TableRow, ExportEnd> {
  const byName = new Map(tables.map((table) => [table.name, table]))
  let isFirst = true
  let end: ExportEnd | undefined
  let current: PortableTable | undefined
  for await (const line of source.lines()) {
    if (isFirst) {
      isFirst = false
      continue
    }
    if (end !== undefined) throw new Error('The export is damaged: it has lines after its end record.')
    const parsed = parseLine(line)
    if (Array.isArray(parsed)) {
      const width = current === undefined ? 0 : Object.keys(current.columns).length
      if (current === undefined || parsed.length !== width) {
        throw new Error('The export is damaged: a row does not fit its table.')
      }
      yield { table: current, row: parsed, line }
    } else if (isEnd(parsed)) {
      end = parsed
    } else if ('table' in parsed) {
      current = byName.get(parsed.table)
      if (current === undefined || Object.keys(current.columns).join() !== parsed.columns.join()) {
        throw new Error(
          `The export has a table ${parsed.table} that this program does not know, or knows with other columns.`,
        )
      }
    }
  }
  if (end === undefined) throw new Error('The export is cut off: its end record is missing.')
  return end
}
