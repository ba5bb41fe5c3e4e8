// Stores sources of connectors, and what became of their last deliveries.

import type { ConnectorPlatform, DeliveryOutcome } from '../../../contract/tenant.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import {
  DELIVERIES_KEPT,
  type DeliveryRecords,
  type InsertedSource,
  MAX_SOURCES,
  NO_COUNTS,
  type NumberedDelivery,
  type Source,
  type SourceState,
  type Sources,
  type StoredSource,
  secretKindOf,
} from '../../domain/connector/source.ts'
import type { Secret } from '../../domain/secret.ts'
import type { Revised, SavedName } from '../../domain/tenant/revised.ts'
import { recordAudit } from './audit.ts'
import { lockOwner, saveRevised } from './revision.ts'
import { insertSecrets } from './secret.ts'
import { insertRows, type Param, type Sql, toFlag, withRows } from './sql.ts'
import { isNameTaken } from './unique-name.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

interface Row {
  id: number
  environment_id: number
  public_id: string
  name: string
  provider: ConnectorPlatform
  is_paused: number
  mappings: string
  require_v3: number
  allow_unsigned_batch_tail: number
  settings: string | null
  created_at: number
  updated_at: number
  revision: number
}
interface StateRow extends Row {
  last_received_at: number | null
  last_error_at: number | null
  last_error: string | null
  accepted: number
  duplicates: number
  refused: number
  unreadable: number
  dropped: number
}
const COLUMNS = `id, environment_id, public_id, name, provider, is_paused, mappings, require_v3,
  allow_unsigned_batch_tail, settings, created_at, updated_at, revision`
const STATE = 'last_received_at, last_error_at, last_error, accepted, duplicates, refused, unreadable, dropped'

/** Locks the rows in one order on all nodes. */
const LOCK = withRows(
  { id: 'int' },
  'SELECT s.id FROM given CROSS JOIN source s WHERE s.id = given.id ORDER BY s.id FOR UPDATE OF s',
)
const ADD_STATE = withRows(
  {
    id: 'int',
    received_at: 'int',
    error_at: 'int',
    error: 'text',
    accepted: 'int',
    duplicates: 'int',
    refused: 'int',
    unreadable: 'int',
    dropped: 'int',
    deliveries: 'int',
  },
  `UPDATE source SET last_received_at = COALESCE(given.received_at, source.last_received_at),
    last_error_at = COALESCE(given.error_at, source.last_error_at), last_error = COALESCE(given.error, source.last_error),
    accepted = source.accepted + given.accepted, duplicates = source.duplicates + given.duplicates,
    refused = source.refused + given.refused, unreadable = source.unreadable + given.unreadable,
    dropped = source.dropped + given.dropped,
    last_delivery = source.last_delivery + given.deliveries
    FROM given WHERE source.id = given.id RETURNING source.id, source.last_delivery`,
)
const KEEP_DELIVERIES = insertRows(
  'source_delivery',
  {
    source_id: 'int',
    place: 'int',
    number: 'int',
    at: 'int',
    delivery_id: 'text',
    type: 'text',
    outcome: 'text',
    event_id: 'int',
    reason: 'text',
  },
  `ON CONFLICT (source_id, place) DO UPDATE SET number = excluded.number, at = excluded.at, delivery_id = excluded.delivery_id,
    type = excluded.type, outcome = excluded.outcome, event_id = excluded.event_id, reason = excluded.reason`,
)

export const sourceWrites = {
  async insertSource(
    context: WriteContext,
    source: Source,
    secret: Secret,
    audit: AuditEntry,
  ): Promise<InsertedSource> {
    const { id, environmentId, publicId, provider, createdAt } = source
    await lockOwner(context, 'environment', environmentId)
    const { name } = source
    if (await isNameTaken(context, 'source', { ownerId: environmentId, id, name })) return 'taken'
    const stored = await context.sql.one<{ count: number }>(
      'SELECT COUNT(*) AS count FROM source WHERE environment_id = ?',
      [environmentId],
    )
    if (Number(stored?.count ?? 0) >= MAX_SOURCES) return 'full'
    const first = {
      id,
      environment_id: environmentId,
      public_id: publicId,
      provider,
      created_at: createdAt,
      revision: 1,
    }
    const none = { ...NO_COUNTS, last_delivery: 0 }
    const values: Record<string, Param> = { ...first, ...changeableOf(source), ...none }
    const names = Object.keys(values)
    await context.sql.run(
      `INSERT INTO source (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      Object.values(values),
    )
    await insertSecrets(context, [secret])
    await raiseIdFloor(context, id)
    await recordAudit(context, audit)
    return 'inserted'
  },
  async saveSource(context: WriteContext, source: Revised<Source>, audit: AuditEntry): Promise<SavedName> {
    const { id, environmentId, name, revision } = source
    if (await isNameTaken(context, 'source', { ownerId: environmentId, id, name })) return 'taken'
    const where = { environment_id: environmentId, id, revision }
    if (!(await saveRevised(context, 'source', where, changeableOf(source)))) return 'changed'
    await recordAudit(context, audit)
    return 'saved'
  },
  async removeSource(
    context: WriteContext,
    environmentId: number,
    id: number,
    revision: number,
    audit: AuditEntry,
  ): Promise<boolean> {
    const { sql } = context
    const row = await sql.one<{ public_id: string }>(
      'DELETE FROM source WHERE environment_id = ? AND id = ? AND revision = ? RETURNING public_id',
      [environmentId, id, revision],
    )
    if (row === undefined) return false
    const kind = secretKindOf({ publicId: row.public_id })
    await sql.run('DELETE FROM secret WHERE environment_id = ? AND kind = ?', [environmentId, kind])
    for (const table of ['source_delivery', 'source_body', 'source_body_item', 'source_run']) {
      await sql.run(`DELETE FROM ${table} WHERE source_id = ?`, [id])
    }
    await recordAudit(context, audit)
    return true
  },
  async recordSourceDeliveries({ sql }: WriteContext, records: DeliveryRecords[]): Promise<void> {
    if (sql.forUpdate !== '') {
      await sql.bulk(
        LOCK,
        records.map(({ sourceId }) => [sourceId]),
      )
    }
    const rows = await sql.bulk<{ id: number; last_delivery: number }>(ADD_STATE, records.map(stateRow))
    const lastOf = new Map(rows.map((row) => [row.id, row.last_delivery]))
    const kept = records.flatMap((one) => deliveryRows(one, lastOf.get(one.sourceId)))
    if (kept.length > 0) await sql.bulk(KEEP_DELIVERIES, kept)
  },
  async purgeSourceDeliveries({ sql }: WriteContext, before: number): Promise<void> {
    await sql.run('DELETE FROM source_delivery WHERE at < ?', [before])
  },
}

export function createSources(sql: Sql, writes: Writes<typeof sourceWrites>): Sources {
  return {
    insert: writes.insertSource,
    save: writes.saveSource,
    remove: writes.removeSource,
    record: writes.recordSourceDeliveries,
    purgeDeliveries: writes.purgeSourceDeliveries,
    async find(environmentId, publicId) {
      const text = `SELECT ${COLUMNS}, ${STATE} FROM source WHERE public_id = ? AND environment_id = ?`
      const row = await sql.one<StateRow>(text, [publicId, environmentId])
      return row && toStored(row)
    },
    async findByPublicId(publicId) {
      const row = await sql.one<Row>(`SELECT ${COLUMNS} FROM source WHERE public_id = ?`, [publicId])
      return row && toSource(row)
    },
    async listOf(environmentId) {
      const text = `SELECT ${COLUMNS}, ${STATE} FROM source WHERE environment_id = ? ORDER BY id DESC`
      return (await sql.all<StateRow>(text, [environmentId])).map(toStored)
    },
    async listDeliveries(sourceId, since) {
      const rows = await sql.all<DeliveryRow>(
        `SELECT number, at, delivery_id, type, outcome, event_id, reason FROM source_delivery
          WHERE source_id = ? AND at >= ? ORDER BY number DESC`,
        [sourceId, since],
      )
      return rows.map(toDelivery)
    },
  }
}

/** @returns The columns that a change may write. */
function changeableOf(source: Source): Record<string, Param> {
  const { name, isPaused, mappings, requireV3, allowUnsignedBatchTail, settings, updatedAt } = source
  return {
    name,
    is_paused: toFlag(isPaused),
    mappings: JSON.stringify(mappings),
    require_v3: toFlag(requireV3),
    allow_unsigned_batch_tail: toFlag(allowUnsignedBatchTail),
    settings: settings === null ? null : JSON.stringify(settings),
    updated_at: updatedAt,
  }
}

function stateRow(records: DeliveryRecords): Param[] {
  const { sourceId, lastReceivedAt, lastErrorAt, lastError, counts, deliveries } = records
  const { accepted, duplicates, refused, unreadable, dropped } = counts
  const sums = [accepted, duplicates, refused, unreadable, dropped, deliveries.length]
  return [sourceId, lastReceivedAt, lastErrorAt, lastError, ...sums]
}

/** @param last The number of the newest delivery; undefined when the source is gone. */
function deliveryRows({ sourceId, deliveries }: DeliveryRecords, last: number | undefined): Param[][] {
  if (last === undefined) return []
  return deliveries.map(({ at, deliveryId, type, outcome, eventId, reason }, index) => {
    const number = last - deliveries.length + 1 + index
    return [sourceId, number % DELIVERIES_KEPT, number, at, deliveryId, type, outcome, eventId, reason]
  })
}

function toSource(row: Row): Revised<Source> {
  return {
    id: row.id,
    environmentId: row.environment_id,
    publicId: row.public_id,
    name: row.name,
    provider: row.provider,
    isPaused: row.is_paused === 1,
    mappings: JSON.parse(row.mappings) as Source['mappings'],
    requireV3: row.require_v3 === 1,
    allowUnsignedBatchTail: row.allow_unsigned_batch_tail === 1,
    settings: row.settings === null ? null : (JSON.parse(row.settings) as Source['settings']),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.revision,
  }
}

function toStored(row: StateRow): StoredSource {
  const state: SourceState = {
    lastReceivedAt: row.last_received_at,
    lastErrorAt: row.last_error_at,
    lastError: row.last_error,
    counts: {
      accepted: row.accepted,
      duplicates: row.duplicates,
      refused: row.refused,
      unreadable: row.unreadable,
      dropped: row.dropped,
    },
  }
  return { ...toSource(row), ...state }
}

interface DeliveryRow {
  number: number
  at: number
  delivery_id: string | null
  type: string | null
  outcome: DeliveryOutcome
  event_id: number | null
  reason: string | null
}

function toDelivery({ delivery_id: deliveryId, event_id: eventId, ...row }: DeliveryRow): NumberedDelivery {
  const { number, at, type, outcome, reason } = row
  return { number, at, deliveryId, type, outcome, eventId, reason }
}
