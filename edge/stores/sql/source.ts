// Stores sources of connectors, and what became of their last deliveries.

import type { AuditEntry } from '../../domain/audit.ts'
import {
  DELIVERIES_KEPT,
  type DeliveryRecords,
  type InsertedSource,
  MAX_SOURCES,
  NO_COUNTS,
  type Source,
  type Sources,
  type StoredSource,
  secretKindOf,
} from '../../domain/connector/source.ts'
import type { Secret } from '../../domain/secret.ts'
import type { Revised, SavedName } from '../../domain/tenant/revised.ts'
import {
  DELIVERY_FIELDS,
  SOURCE,
  SOURCE_CHANGING,
  SOURCE_COUNTS,
  SOURCE_DELIVERY,
  SOURCE_FIELDS,
  SOURCE_STATE,
} from '../tables/source.ts'
import { insertOne, type RawRow, replaceInto, view } from '../tables/table.ts'
import { recordAudit } from './audit.ts'
import { lockOwner, saveRevised } from './revision.ts'
import { insertSecrets } from './secret.ts'
import { type Param, type Sql, withRows } from './sql.ts'
import { isNameTaken } from './unique-name.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

const VIEW = view(SOURCE, '', SOURCE_FIELDS)
const STATE_VIEW = view(SOURCE, '', [...SOURCE_FIELDS, ...SOURCE_STATE, ...SOURCE_COUNTS])
const DELIVERY_VIEW = view(SOURCE_DELIVERY, '', DELIVERY_FIELDS)
const INSERT = insertOne(SOURCE, [...SOURCE_FIELDS, ...SOURCE_COUNTS, 'lastDelivery'])
const KEEP_DELIVERIES = replaceInto(SOURCE_DELIVERY, ['environmentId', 'sourceId', 'place'])

/** Locks the rows in one order on all nodes. */
const LOCK = withRows(
  { environment_id: 'int', id: 'int' },
  `SELECT s.id FROM given CROSS JOIN source s WHERE s.environment_id = given.environment_id AND s.id = given.id
    ORDER BY s.id FOR UPDATE OF s`,
)
const ADD_STATE = withRows(
  {
    environment_id: 'int',
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
    FROM given WHERE source.environment_id = given.environment_id AND source.id = given.id
    RETURNING source.id, source.last_delivery`,
)
export const sourceWrites = {
  async insertSource(
    context: WriteContext,
    source: Source,
    secret: Secret,
    audit: AuditEntry,
  ): Promise<InsertedSource> {
    const { id, environmentId, name } = source
    await lockOwner(context, 'environment', environmentId)
    if (await isNameTaken(context, 'source', { ownerId: environmentId, id, name })) return 'taken'
    const stored = await context.sql.one<{ count: number }>(
      'SELECT COUNT(*) AS count FROM source WHERE environment_id = ?',
      [environmentId],
    )
    if (Number(stored?.count ?? 0) >= MAX_SOURCES) return 'full'
    await INSERT(context.sql, { ...source, ...NO_COUNTS, revision: 1, lastDelivery: 0 })
    await insertSecrets(context, [secret])
    await raiseIdFloor(context, id)
    await recordAudit(context, audit)
    return 'inserted'
  },
  async saveSource(context: WriteContext, source: Revised<Source>, audit: AuditEntry): Promise<SavedName> {
    const { id, environmentId, name } = source
    if (await isNameTaken(context, 'source', { ownerId: environmentId, id, name })) return 'taken'
    if (!(await saveRevised(context, SOURCE, ['environmentId', 'id'], SOURCE_CHANGING, source))) return 'changed'
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
      await sql.run(`DELETE FROM ${table} WHERE environment_id = ? AND source_id = ?`, [environmentId, id])
    }
    await recordAudit(context, audit)
    return true
  },
  async recordSourceDeliveries({ sql }: WriteContext, records: DeliveryRecords[]): Promise<void> {
    if (sql.forUpdate !== '') {
      await sql.bulk(
        LOCK,
        records.map(({ environmentId, sourceId }) => [environmentId, sourceId]),
      )
    }
    const rows = await sql.bulk<{ id: number; last_delivery: number }>(ADD_STATE, records.map(stateRow))
    const lastOf = new Map(rows.map((row) => [row.id, row.last_delivery]))
    const kept = records.flatMap((one) => deliveryRows(one, lastOf.get(one.sourceId)))
    if (kept.length > 0) await KEEP_DELIVERIES.write(sql, kept)
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
      const text = `SELECT ${STATE_VIEW.columns} FROM source WHERE environment_id = ? AND public_id = ?`
      const row = await sql.one<RawRow>(text, [environmentId, publicId])
      return row && readStored(row)
    },
    async findByPublicId(publicId) {
      const row = await sql.one<RawRow>(`SELECT ${VIEW.columns} FROM source WHERE public_id = ?`, [publicId])
      return row && VIEW.read(row)
    },
    async listOf(environmentId) {
      const text = `SELECT ${STATE_VIEW.columns} FROM source WHERE environment_id = ? ORDER BY id DESC`
      return (await sql.all<RawRow>(text, [environmentId])).map(readStored)
    },
    async listDeliveries(environmentId, sourceId, since) {
      const rows = await sql.all<RawRow>(
        `SELECT ${DELIVERY_VIEW.columns} FROM source_delivery
          WHERE environment_id = ? AND source_id = ? AND at >= ? ORDER BY number DESC`,
        [environmentId, sourceId, since],
      )
      return rows.map(DELIVERY_VIEW.read)
    },
  }
}

function stateRow(records: DeliveryRecords): Param[] {
  const { environmentId, sourceId, lastReceivedAt, lastErrorAt, lastError, counts, deliveries } = records
  const { accepted, duplicates, refused, unreadable, dropped } = counts
  const sums = [accepted, duplicates, refused, unreadable, dropped, deliveries.length]
  return [environmentId, sourceId, lastReceivedAt, lastErrorAt, lastError, ...sums]
}

/** @param last The number of the newest delivery; undefined when the source is gone. */
function deliveryRows({ environmentId, sourceId, deliveries }: DeliveryRecords, last: number | undefined) {
  if (last === undefined) return []
  return deliveries.map((delivery, index) => {
    const number = last - deliveries.length + 1 + index
    return { environmentId, sourceId, place: number % DELIVERIES_KEPT, number, ...delivery }
  })
}

function readStored(row: RawRow): StoredSource {
  const { accepted, duplicates, refused, unreadable, dropped, ...source } = STATE_VIEW.read(row)
  return { ...source, counts: { accepted, duplicates, refused, unreadable, dropped } }
}
