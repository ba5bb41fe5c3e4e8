// Imports an environment beside running servers (`nc env import`). Until all its rows are verified it stays closed, and
// cannot be opened; after a kill or an error the same import is repeated, or the environment deleted.

import { setTimeout as delay } from 'node:timers/promises'
import { formatId, leadOf } from '../../../lib/id.ts'
import type { TransportKey } from '../../../lib/transport-key.ts'
import { raiseIdLead } from '../../sql/id-lead.ts'
import { recordNotices } from '../../sql/notice.ts'
import { insertRows, type Param } from '../../sql/sql.ts'
import type { ExportSource } from '../check-export.ts'
import { createDigest, firstDifference, type Row, type TableDigest } from '../export-format.ts'
import type { MaintenanceStore } from '../maintenance-store.ts'
import { refuseUnfinishedImport } from '../unfinished-import.ts'
import { type CheckedEnvironment, readRows } from './check-environment.ts'
import { listRows, readSpaces } from './environment-rows.ts'
import { hashedLine, MOVED_TABLES, type MovedTable, shiftNumbers } from './environment-tables.ts'
import {
  findTaken,
  ID_PAGE,
  mayHaveSameIds,
  type OwnerRows,
  type Place,
  removePlace,
  takePlace,
} from './import-place.ts'

const BATCH_ROWS = 500
const BATCH_CHARS = 1024 * 1024
/** An idempotency key that the environment had is kept for at least so long: its callers wait for the end of the move. */
const KEYS_KEPT_MS = 24 * 60 * 60 * 1000
/** Ids of the source that are further ahead of this clock are not waited for. */
const MOST_AHEAD_MS = 60_000

export interface EnvironmentImport {
  key: TransportKey
  /** Seals a value under the first master key of this deployment. */
  seal(text: string): Promise<string>
  /** The organisation that gets the environment; null: its own, which is created where it is missing. */
  organisationId: number | null
  now(): number
  /** Pause after a batch that took so long (ms): servers write between. */
  restMs?(tookMs: number): number
  progress?(step: 'compare' | 'write' | 'verify', table: string, rows: number): void
}

/**
 * Writes and verifies the rows; `completeImport` follows.
 * @returns Where the environment is.
 * @throws Error with a text for the operator.
 */
export async function importEnvironment(
  store: MaintenanceStore,
  source: ExportSource,
  checked: CheckedEnvironment,
  given: EnvironmentImport,
): Promise<Place> {
  await store.snapshot(refuseUnfinishedImport)
  await waitForIds(checked, given)
  await refuseTakenIds(store, source, checked, given)
  const owners = await readOwnerRows(source)
  const place = await takePlace(store, checked, owners, { ...given, now: given.now() })
  await writeRows(store, source, place, given)
  await verify(store, checked, place, given)
  return place
}

/** A server must not give an id that a row has already. */
async function waitForIds({ maxId }: CheckedEnvironment, { now }: EnvironmentImport): Promise<void> {
  const aheadMs = leadOf(maxId, now())
  if (aheadMs > MOST_AHEAD_MS) {
    throw new Error(`The clock of the source is ${Math.round(aheadMs / 1000)} s ahead of this one. Import it later.`)
  }
  if (aheadMs > 0) await delay(aheadMs + 1)
}

async function refuseTakenIds(
  store: MaintenanceStore,
  source: ExportSource,
  { nodes, owners }: CheckedEnvironment,
  { progress }: EnvironmentImport,
): Promise<void> {
  if (!(await store.snapshot((sql) => mayHaveSameIds(sql, nodes)))) return
  await inBatches(source, { rows: ID_PAGE, chars: Number.POSITIVE_INFINITY }, async (table, rows, count) => {
    const at = Object.keys(table.columns).indexOf('id')
    const ids = rows.map((row) => Number(row[at]))
    const taken = await store.snapshot((sql) => findTaken(sql, table.name, ids, owners.environmentId))
    progress?.('compare', table.name, count)
    if (taken === undefined) return
    const id = formatId('event', taken).slice(4)
    throw new Error(
      `The id ${id} of ${table.name} is taken in this deployment. Deployments among which environments move need node numbers of their own: NODE_NUMBERS (docs/operations.md#moving-one-environment).`,
    )
  })
}

async function readOwnerRows(source: ExportSource): Promise<OwnerRows> {
  const rows: OwnerRows = {}
  for await (const { table, row } of readRows(source)) {
    if (table.kind !== 'owner') break
    rows[table.name] = [...(rows[table.name] ?? []), row]
  }
  return rows
}

async function writeRows(
  store: MaintenanceStore,
  source: ExportSource,
  place: Place,
  { key, seal, now, restMs = (tookMs) => tookMs, progress }: EnvironmentImport,
): Promise<void> {
  const statements = new Map(
    MOVED_TABLES.map((table) => [table, insertRows(table.name, table.columns, 'ON CONFLICT DO NOTHING')]),
  )
  const keysUntil = now() + KEYS_KEPT_MS
  await inBatches(source, { rows: BATCH_ROWS, chars: BATCH_CHARS }, async (table, rows, count) => {
    const statement = statements.get(table)
    if (statement === undefined || table.kind === 'owner') return
    const written: Row[] = []
    for (const row of rows) {
      const moved = toStored(table, row, place, keysUntil)
      const sealed = moved[table.sealed]
      written.push(typeof sealed === 'string' ? moved.with(table.sealed, await seal(await key.open(sealed))) : moved)
    }
    const startedAt = performance.now()
    await store.transaction(async (sql) => void (await sql.bulk(statement, written)))
    progress?.('write', table.name, count)
    await delay(restMs(performance.now() - startedAt))
  })
}

/** Calls `take` with the rows of each table in their order; `count` includes those of the batch. */
async function inBatches(
  source: ExportSource,
  most: { rows: number; chars: number },
  take: (table: MovedTable, rows: Row[], count: number) => Promise<void>,
): Promise<void> {
  let batch: Row[] = []
  let chars = 0
  let count = 0
  let current: MovedTable | undefined
  const flush = async () => {
    if (current === undefined || batch.length === 0) return
    const rows = batch
    batch = []
    chars = 0
    count += rows.length
    await take(current, rows, count)
  }
  for await (const next of readRows(source)) {
    if (next.table !== current || batch.length >= most.rows || chars >= most.chars) await flush()
    if (next.table !== current) count = 0
    current = next.table
    batch.push(next.row)
    chars += next.chars
  }
  await flush()
}

const placeOf = ({ columns }: MovedTable, column: string) => Object.keys(columns).indexOf(column)

function toStored(table: MovedTable, row: Row, { shifts, organisationId }: Place, keysUntil: number): Row {
  const moved = shiftNumbers(table, row, shifts, 1)
  if (table.name === 'audit_entry') return moved.with(placeOf(table, 'organisation_id'), organisationId)
  if (table.name !== 'idempotency') return moved
  const at = placeOf(table, 'expires_at')
  return moved.with(at, Math.max(Number(moved[at]), keysUntil))
}

/** Reads all rows back, and compares them with the file. Of what time removes nothing may have been added. */
async function verify(
  store: MaintenanceStore,
  { end, owners, head }: CheckedEnvironment,
  { shifts, organisationId }: Place,
  { progress }: EnvironmentImport,
): Promise<void> {
  const { environmentId } = owners
  await store.snapshot(async (sql) => {
    const stored = { environmentId, organisationId, spaces: await readSpaces(sql, environmentId), keysAfter: 0 }
    for (const table of MOVED_TABLES) {
      if (table.kind === 'owner') continue
      const digest = createDigest()
      let rows = 0
      for await (const page of listRows(sql, table, stored)) {
        for (const row of page) digest.add(hashedLine(table, toMoved(table, row, shifts, owners.organisationId)))
        rows += page.length
        progress?.('verify', table.name, rows)
      }
      const difference = compare(table, end.tables[table.name], digest.result())
      if (difference !== null) throw new Error(`The imported rows of ${head.environment} differ. ${difference}.`)
    }
  })
}

function toMoved(table: MovedTable, row: Row, shifts: Place['shifts'], organisationId: number): Row {
  const moved = shiftNumbers(table, row, shifts, -1)
  const at = table.name === 'audit_entry' ? placeOf(table, 'organisation_id') : -1
  const inFile: Param = organisationId
  return at === -1 ? moved : moved.with(at, inFile)
}

function compare({ name, kind }: MovedTable, expected: TableDigest | undefined, found: TableDigest): string | null {
  if (expected === undefined) return `${name}: no rows expected`
  if (kind === 'seen')
    return found.rows <= expected.rows ? null : `${name}: ${expected.rows} rows expected, ${found.rows} found`
  return firstDifference({ [name]: expected }, { [name]: found })
}

/** Ends the import: the environment can be opened, and servers read what they know of it anew. */
export async function completeImport(
  store: MaintenanceStore,
  { owners, maxId, nodes, head }: CheckedEnvironment,
  now: number,
): Promise<void> {
  const { environmentId } = owners
  await store.transaction(async (sql) => {
    await sql.run(
      `UPDATE environment SET closed_for = 'operator', closed_at = ?, revision = revision + 1 WHERE id = ? AND closed_for = 'import'`,
      [now, environmentId],
    )
    await removePlace(sql, environmentId)
    // Also says which nodes the next import must be compared with.
    for (const slot of nodes) {
      await sql.run(
        `INSERT INTO id_floor (slot, value) VALUES (?, ?) ON CONFLICT (slot) DO UPDATE SET value = excluded.value
          WHERE id_floor.value < excluded.value`,
        [slot, maxId],
      )
    }
    await raiseIdLead(sql, head.idLeadMs)
    await recordNotices({ sql, now }, [
      { topic: 'environment-changed', payload: { environmentId } },
      { topic: 'campaigns-changed', payload: { environmentId } },
      { topic: 'enrichers-changed', payload: { environmentId } },
      { topic: 'mail-integrations-changed', payload: { environmentId } },
      { topic: 'send-rules-changed', payload: { environmentId } },
    ])
  })
  await store.updateStatistics()
}
