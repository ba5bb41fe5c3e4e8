// Reads the file of an environment before anything is written, and refuses what is damaged, or names another tenant.

import { LIVE_BYTES } from '../../../domain/campaign.ts'
import { isEqualInConstantTime } from '../../../lib/hmac.ts'
import { parseId } from '../../../lib/id.ts'
import type { TransportKey } from '../../../lib/transport-key.ts'
import { knownTables } from '../../migrate.ts'
import type { ExportSource } from '../check-export.ts'
import { createDigest, firstDifference, parseLine, type Row, type TableDigest } from '../export-format.ts'
import { type EnvironmentEnd, type EnvironmentHead, FORMAT, FORMAT_VERSION, signedText } from './environment-format.ts'
import { type Owners, ownersOf } from './environment-rows.ts'
import { hashedLine, MOVED_TABLES, type MovedTable, TABLES_OF_IDS } from './environment-tables.ts'

/** Of the command line, in every deployment: it makes too few ids to meet those of another one. */
const COMMAND_NODE = 31

export interface MovedRow {
  table: MovedTable
  row: Row
  chars: number
}

export interface CheckedEnvironment {
  head: EnvironmentHead
  end: EnvironmentEnd
  owners: Owners
  /** The highest id of its rows. */
  maxId: number
  /** The numbers of the nodes that gave ids to its rows. */
  nodes: ReadonlySet<number>
}

/** @throws Error with a text for the operator when the file is none, or of another release. */
export async function readHead(source: ExportSource): Promise<EnvironmentHead> {
  for await (const line of source.lines()) {
    const parsed: unknown = line.startsWith('{') ? parseLine(line) : {}
    const head = parsed as Partial<EnvironmentHead>
    if (head.format !== FORMAT) throw new Error('The file has no environment: `env export` writes one.')
    if (head.formatVersion !== FORMAT_VERSION) {
      throw new Error(`The file has format version ${head.formatVersion}, this program reads ${FORMAT_VERSION}.`)
    }
    if (head.schemaVersion !== knownTables()) {
      throw new Error(
        `The file has tables of version ${head.schemaVersion}, this program has ${knownTables()}. Both deployments need the same release.`,
      )
    }
    return head as EnvironmentHead
  }
  throw new Error('The file is empty.')
}

/**
 * Reads all rows, compares them with the counts and hashes of the file, and opens its secrets.
 * @throws Error with a text for the operator.
 */
export async function checkEnvironment(
  source: ExportSource,
  head: EnvironmentHead,
  key: TransportKey,
  progress?: (table: string, rows: number) => void,
): Promise<CheckedEnvironment> {
  if (key.id !== head.keyId) throw new Error('The file was written with another key file.')
  const environmentId = idOf('environment', head.environment)
  const owners = { environmentId, organisationId: idOf('organisation', head.organisation), keysAfter: 0 }
  const spaces = [environmentId]
  const digests = new Map(MOVED_TABLES.map(({ name }) => [name, createDigest()]))
  const found = { maxId: 0, nodes: new Set<number>() }
  const live = createLiveSize()
  let rows = 0
  const reader = readRows(source)
  let step = await reader.next()
  for (; !step.done; step = await reader.next()) {
    const { table, row } = step.value
    if (table.name === 'source') spaces.push(-Number(row[Object.keys(table.columns).indexOf('id')]))
    const isOwn = ownersOf(table, { ...owners, spaces }).includes(Number(row[table.owner.place]))
    if (!isOwn) throw new Error(`The file is damaged: ${table.name} has a foreign row.`)
    digests.get(table.name)?.add(hashedLine(table, row))
    if (TABLES_OF_IDS.includes(table.name)) noteId(found, Number(row[Object.keys(table.columns).indexOf('id')]))
    live.add(table, row)
    const sealed = row[table.sealed]
    if (typeof sealed === 'string') await key.open(sealed)
    if (++rows % 10_000 === 0) progress?.(table.name, rows)
  }
  const end = step.value
  const tables = Object.fromEntries([...digests].map(([name, one]): [string, TableDigest] => [name, one.result()]))
  const difference = firstDifference(end.tables, tables)
  if (difference !== null) throw new Error(`The file is damaged. ${difference}.`)
  if (!isEqualInConstantTime(end.signature, key.sign(signedText(head, end.tables)))) {
    throw new Error('The file is damaged: its signature does not fit.')
  }
  if (live.bytes() > LIVE_BYTES) {
    const most = LIVE_BYTES / 1024 / 1024
    throw new Error(
      `The published campaigns of the file have more than ${most} MiB together, which no environment may have.`,
    )
  }
  return { head, end, owners: { ...owners, spaces }, ...found }
}

/** Sums the current versions of campaigns that are not archived: a server has them in memory together. */
function createLiveSize() {
  const current = new Set<string>()
  const sizes = new Map<string, number>()
  return {
    add({ name, columns }: MovedTable, row: Row): void {
      if (name !== 'campaign' && name !== 'campaign_version') return
      const read = (column: string) => row[Object.keys(columns).indexOf(column)]
      const bytesOf = (column: string) => Buffer.byteLength(String(read(column) ?? ''))
      if (name === 'campaign_version') {
        sizes.set(`${read('campaign_id')} ${read('version')}`, bytesOf('definition') + bytesOf('texts'))
      } else if (read('status') !== 'archived') current.add(`${read('id')} ${read('current_version')}`)
    },
    bytes: () => [...current].reduce((sum, one) => sum + (sizes.get(one) ?? 0), 0),
  }
}

function idOf(kind: 'environment' | 'organisation', text: string): number {
  const id = parseId(kind, text)
  if (id === undefined) throw new Error(`The file is damaged: it names no ${kind}.`)
  return id
}

/** Seven bits of an id count, the five above them name the node (lib/id.ts). */
function noteId(found: { maxId: number; nodes: Set<number> }, id: number): void {
  found.maxId = Math.max(found.maxId, id)
  const node = Math.floor(id / 128) % 32
  if (node !== COMMAND_NODE) found.nodes.add(node)
}

/**
 * Yields the rows in file order.
 * @returns The end record.
 * @throws Error with a text for the operator for an unexpected line, or without an end record.
 */
export async function* readRows(source: ExportSource): AsyncGenerator<MovedRow, EnvironmentEnd> {
  const byName = new Map(MOVED_TABLES.map((table) => [table.name, table]))
  let isFirst = true
  let end: EnvironmentEnd | undefined
  let current: MovedTable | undefined
  for await (const line of source.lines()) {
    if (isFirst) {
      isFirst = false
      continue
    }
    if (end !== undefined) throw new Error('The file is damaged: it has lines after its end record.')
    const parsed: unknown = parseLine(line)
    if (Array.isArray(parsed)) {
      if (current === undefined || parsed.length !== Object.keys(current.columns).length) {
        throw new Error('The file is damaged: a row does not fit its table.')
      }
      yield { table: current, row: readRow(current, parsed), chars: line.length }
      continue
    }
    const { table, columns, ...rest } = parsed as { table?: string; columns?: string[]; end?: true }
    if (rest.end === true) {
      end = parsed as EnvironmentEnd
      continue
    }
    current = byName.get(table ?? '')
    if (current === undefined || Object.keys(current.columns).join() !== columns?.join()) {
      throw new Error(`The file has a table ${table} that this program does not know, or knows with other columns.`)
    }
  }
  if (end === undefined) throw new Error('The file is cut off: its end record is missing.')
  return end
}

function readRow(table: MovedTable, values: unknown[]): Row {
  const types = Object.values(table.columns)
  const fits = values.every((value, place) =>
    value === null || types[place] === 'int'
      ? value === null || Number.isSafeInteger(value)
      : typeof value === 'string',
  )
  if (!fits) throw new Error(`The file is damaged: ${table.name} has a value of another type.`)
  return values as Row
}
