// Lists the tables of the file of an environment, which rows of them it has, and which of their numbers an import changes.

import { knownTables } from '../../migrate.ts'
import { ENVIRONMENT_PARTS } from '../../sql/environment-parts.ts'
import type { Param } from '../../sql/sql.ts'
import type { Row } from '../export-format.ts'
import { type PortableTable, portableTables } from '../portable-tables.ts'

/** `seen`: rows that time removes, or whose times an import changes, so that only their count is compared. */
export type Kind = 'rows' | 'seen' | 'owner'

export interface MovedTable extends PortableTable {
  kind: Kind
  /** The column whose value names the environment or the organisation, and its place. */
  owner: { column: string; place: number }
  /** The place of sealed values; -1: none. */
  sealed: number
  /** Places of numbers that the store has generated, with the table that generated them. */
  generated: { place: number; by: string }[]
}

/** Widgets sign in again: their tokens are signed by the master key of the source. */
const NOT_MOVED = ['session']
/** Their ids name what other rows belong to. */
const FIRST = ['source']
const SEEN = [
  'idempotency',
  'mail_report',
  'source_delivery',
  'source_body',
  'source_body_item',
  'event_name',
  'event_path',
  'doubt',
]
const GENERATED_BY: Record<string, string> = { user_no: 'app_user', topic_no: 'topic', enricher_no: 'enricher' }

/** In the order of the file: the owners first, as an import needs them first. */
export const MOVED_TABLES: readonly MovedTable[] = [
  moved(named('organisation'), 'owner', 'id'),
  moved(named('notification_config'), 'owner', 'organisation_id'),
  moved(named('environment'), 'owner', 'id'),
  moved(named('audit_entry'), 'rows', 'environment_id'),
  ...FIRST.map((name) => moved(named(name), 'rows', 'environment_id')),
  ...ENVIRONMENT_PARTS.filter(({ name }) => ![...NOT_MOVED, ...FIRST].includes(name)).map((table) =>
    moved(table, SEEN.includes(table.name) ? 'seen' : 'rows', 'environment_id'),
  ),
]

/** Tables whose ids tell the time and the node: two deployments may have given the same. */
export const TABLES_OF_IDS = [
  'tracked_event',
  'message',
  'run',
  'job',
  'campaign',
  'source',
  'mail_integration',
  'secret',
]

function named(name: string): PortableTable {
  const table = portableTables(knownTables()).find((one) => one.name === name)
  if (table === undefined) throw new Error(`table missing: ${name}`)
  return table
}

function moved(table: PortableTable, kind: Kind, owner: string): MovedTable {
  const columns = Object.keys(table.columns)
  const generatedBy = (column: string) =>
    GENERATED_BY[column] ?? (column === table.identity && column === 'number' ? table.name : undefined)
  return {
    ...table,
    kind,
    owner: { column: owner, place: columns.indexOf(owner) },
    sealed: columns.indexOf('sealed'),
    generated: columns.flatMap((column, place) => {
      const by = generatedBy(column)
      return by === undefined ? [] : [{ place, by }]
    }),
  }
}

/** @returns The row with its generated numbers moved by what its tables were given; `-1` takes them back. */
export function shiftNumbers(
  { generated }: MovedTable,
  row: Row,
  shifts: Readonly<Record<string, number>>,
  sign: 1 | -1,
): Row {
  if (generated.length === 0) return row
  const shifted = [...row]
  for (const { place, by } of generated) {
    const value = shifted[place]
    if (typeof value === 'number') shifted[place] = value + sign * (shifts[by] ?? 0)
  }
  return shifted
}

/** @returns The row as hashes see it: every seal of a value is another text, and proves itself when it is opened. */
export function hashedLine({ sealed }: MovedTable, row: Row): string {
  if (sealed === -1) return JSON.stringify(row)
  const marked: (Param | boolean)[] = row.with(sealed, null)
  marked[sealed] = row[sealed] !== null
  return JSON.stringify(marked)
}
