// Prepares a store for the rows of an environment: its organisation, its closed row, and numbers of its own. Refuses what
// cannot be there.

import { formatId } from '../../../lib/id.ts'
import type { Param, Sql } from '../../sql/sql.ts'
import { insertRows } from '../../sql/sql.ts'
import type { Row } from '../export-format.ts'
import type { MaintenanceStore } from '../maintenance-store.ts'
import type { CheckedEnvironment } from './check-environment.ts'
import { nameOfEnvironment } from './environment-rows.ts'
import { MOVED_TABLES, type MovedTable, TABLES_OF_IDS } from './environment-tables.ts'

/** Servers may take so many numbers while the numbers of an import are chosen. */
const SPARE_NUMBERS = 1_000_000

/** What an import has chosen at its begin, so that a repeat writes the same rows. */
export interface Place {
  /** Of the file; a repeat must be of the same. */
  signature: string
  organisationId: number
  /** Added to generated numbers, by the table that generates them. */
  shifts: Record<string, number>
}

/** Rows of the owners, by table, in the order of the file. */
export type OwnerRows = Record<string, Row[]>

const markOf = (environmentId: number) => `environment-import:${environmentId}`

export async function findPlace(sql: Sql, environmentId: number): Promise<Place | undefined> {
  const row = await sql.one<{ value: string }>('SELECT value FROM meta WHERE name = ?', [markOf(environmentId)])
  return row && (JSON.parse(row.value) as Place)
}

export async function removePlace(sql: Sql, environmentId: number): Promise<void> {
  await sql.run('DELETE FROM meta WHERE name = ?', [markOf(environmentId)])
}

/**
 * Takes a place for the environment, or finds that of an interrupted import of the same file.
 * @param organisationId The organisation that it shall belong to; null: its own, which is created where it is missing
 * @throws Error with a text for the operator when the environment cannot be in this store.
 */
export async function takePlace(
  store: MaintenanceStore,
  checked: CheckedEnvironment,
  rows: OwnerRows,
  { organisationId: asked, now }: { organisationId: number | null; now: number },
): Promise<Place> {
  const { environmentId } = checked.owners
  return store.transaction(async (sql) => {
    const begun = await findBegun(sql, checked)
    if (begun !== undefined) return begun
    const organisationId = asked ?? checked.owners.organisationId
    await ensureOrganisation(sql, rows, { organisationId, isOwn: asked === null, region: checked.head.region })
    await refuseTakenName(sql, organisationId, checked)
    await insertConfigs(sql, rows, organisationId)
    const shifts: Record<string, number> = {}
    for (const { name, identity } of MOVED_TABLES) {
      if (identity === null) continue
      const shift = (await store.readIdentity(sql, name, identity)) + SPARE_NUMBERS
      await store.raiseIdentity(sql, name, identity, shift + (checked.head.identities[name] ?? 0))
      shifts[name] = shift
    }
    const place: Place = { signature: checked.end.signature, organisationId, shifts }
    const [row] = rows.environment ?? []
    if (row === undefined) throw new Error('The file is damaged: it has no row of its environment.')
    await insertChanged(sql, tableOf('environment'), row, {
      organisation_id: organisationId,
      closed_at: now,
      closed_for: 'import',
      moved_to: null,
      moved_at: now,
    })
    const keep = `INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`
    await sql.run(keep, [markOf(environmentId), JSON.stringify(place)])
    return place
  })
}

async function findBegun(sql: Sql, { owners, end }: CheckedEnvironment): Promise<Place | undefined> {
  const name = nameOfEnvironment(owners.environmentId)
  const erasure = 'SELECT 1 AS one FROM environment_erasure WHERE environment_id = ?'
  if ((await sql.one(erasure, [owners.environmentId])) !== undefined) {
    throw new Error(`${name} was deleted here, and a server still removes its rows. Try again in a few minutes.`)
  }
  const text = 'SELECT closed_for FROM environment WHERE id = ?'
  const row = await sql.one<{ closed_for: string | null }>(text, [owners.environmentId])
  if (row === undefined) return undefined
  const place = row.closed_for === 'import' ? await findPlace(sql, owners.environmentId) : undefined
  if (place === undefined) throw new Error(`${name} is in this deployment already. Delete it first: env delete.`)
  if (place.signature === end.signature) return place
  throw new Error(`An import of another file of ${name} was begun here. Repeat that one, or delete the environment.`)
}

async function ensureOrganisation(
  sql: Sql,
  rows: OwnerRows,
  { organisationId, isOwn, region }: { organisationId: number; isOwn: boolean; region: string },
): Promise<void> {
  const text = 'SELECT region FROM organisation WHERE id = ?'
  const found = await sql.one<{ region: string | null }>(text, [organisationId])
  if (found !== undefined) {
    if (found.region === null || found.region === region) return
    throw new Error(
      `The organisation belongs to region "${found.region}", and the keys of the environment to "${region}".`,
    )
  }
  const [row] = rows.organisation ?? []
  if (!isOwn || row === undefined) throw new Error('There is no such organisation in this deployment.')
  await insertChanged(sql, tableOf('organisation'), row, {})
}

async function refuseTakenName(sql: Sql, organisationId: number, { head, owners }: CheckedEnvironment): Promise<void> {
  const text = 'SELECT id FROM environment WHERE organisation_id = ? AND name = ? AND id <> ?'
  const taken = await sql.one<{ id: number }>(text, [organisationId, head.name, owners.environmentId])
  if (taken === undefined) return
  throw new Error(
    `${formatId('environment', taken.id)} of the organisation is called ${head.name}, too. Rename it first.`,
  )
}

/** Campaigns and the environment name the configs of its organisation by their ids. */
async function insertConfigs(sql: Sql, rows: OwnerRows, organisationId: number): Promise<void> {
  const table = tableOf('notification_config')
  const columns = Object.keys(table.columns)
  for (const row of rows.notification_config ?? []) {
    const [id, name] = ['id', 'name'].map((column) => row[columns.indexOf(column)] ?? null)
    const text = 'SELECT organisation_id FROM notification_config WHERE id = ?'
    const stored = await sql.one<{ organisation_id: number }>(text, [id as number])
    if (stored?.organisation_id === organisationId) continue
    if (stored !== undefined) {
      throw new Error(`The config ${formatId('notificationConfig', Number(id))} belongs to another organisation here.`)
    }
    const sameName = 'SELECT 1 AS one FROM notification_config WHERE organisation_id = ? AND name = ?'
    const isTaken = (await sql.one(sameName, [organisationId, name as string])) !== undefined
    const free = isTaken ? `${name} (${formatId('notificationConfig', Number(id))})` : name
    await insertChanged(sql, table, row, { organisation_id: organisationId, name: free as string })
  }
}

async function insertChanged(sql: Sql, table: MovedTable, row: Row, changes: Record<string, Param>): Promise<void> {
  const changed = Object.keys(table.columns).map(
    (column, at) => changes[column] ?? (column in changes ? null : row[at]),
  )
  await sql.bulk(insertRows(table.name, table.columns), [changed.map((value) => value ?? null)])
}

function tableOf(name: string): MovedTable {
  const table = MOVED_TABLES.find((one) => one.name === name)
  if (table === undefined) throw new Error(`table missing: ${name}`)
  return table
}

/** Ids of a page are looked for in one statement. */
export const ID_PAGE = 256

/**
 * Compares the nodes that gave the ids with those of this store: where they differ, no id can be taken.
 * @returns Whether ids must be looked for.
 */
export async function mayHaveSameIds(sql: Sql, nodes: ReadonlySet<number>): Promise<boolean> {
  const slots = await sql.all<{ slot: number }>('SELECT slot FROM id_floor WHERE value > 0')
  return slots.some(({ slot }) => nodes.has(slot))
}

/** @returns An id of the page that another environment has; the rows of a page are in the order of their ids. */
export async function findTaken(
  sql: Sql,
  table: string,
  ids: readonly number[],
  environmentId: number,
): Promise<number | undefined> {
  if (!TABLES_OF_IDS.includes(table)) return undefined
  const places = ids.map(() => '?').join(', ')
  const row = await sql.one<{ id: number }>(
    `SELECT t.id FROM environment e CROSS JOIN ${table} t WHERE e.id <> ? AND t.environment_id = e.id
      AND t.id >= ? AND t.id <= ? AND t.id IN (${places}) LIMIT 1`,
    [environmentId, Math.min(...ids), Math.max(...ids), ...ids],
  )
  return row?.id
}
