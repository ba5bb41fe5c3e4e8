// Stores bodies of deliveries as they came, with their items.

import type { DeliveryOutcome } from '../../../contract/tenant.ts'
import type { BodyItem, DeliveryBodies, DeliveryBody, KeptBody } from '../../domain/connector/delivery-body.ts'
import type { KeptHeaders } from '../../domain/connector/kept-headers.ts'
import { insertRows, type Param, type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const KEEP_BODIES = insertRows(
  'source_body',
  { source_id: 'int', body_id: 'text', environment_id: 'int', at: 'int', bytes: 'int', body: 'text', headers: 'text' },
  'ON CONFLICT (source_id, body_id) DO NOTHING',
)
const KEEP_ITEMS = insertRows(
  'source_body_item',
  {
    source_id: 'int',
    body_id: 'text',
    place: 'int',
    delivery_id: 'text',
    environment_id: 'int',
    user_id: 'text',
    outcome: 'text',
    at: 'int',
  },
  `ON CONFLICT (source_id, body_id, place) DO UPDATE SET user_id = excluded.user_id, outcome = excluded.outcome,
    at = excluded.at WHERE excluded.outcome <> 'duplicate'`,
)

/** Of the bodies of one page; one that is larger is a page alone. */
const PAGE_BYTES = 4 * 1024 * 1024

const ERASE_BODIES = withRows(
  { source_id: 'int', body_id: 'text' },
  'DELETE FROM source_body WHERE (source_id, body_id) IN (SELECT source_id, body_id FROM given)',
)
const ERASE_ITEMS = withRows(
  { source_id: 'int', body_id: 'text' },
  'DELETE FROM source_body_item WHERE (source_id, body_id) IN (SELECT source_id, body_id FROM given)',
)

export const deliveryBodyWrites = {
  async keepBodies({ sql }: WriteContext, bodies: DeliveryBody[]): Promise<void> {
    const rows = bodies.map(({ sourceId, bodyId, environmentId, at, body, headers }) => {
      const text = headers === null ? null : JSON.stringify(headers)
      return [sourceId, bodyId, environmentId, at, Buffer.byteLength(body) + (text?.length ?? 0), body, text]
    })
    const items = bodies.flatMap(({ sourceId, bodyId, environmentId, at, items: own }) =>
      own.map(({ deliveryId, userId, outcome }, place) => {
        return [sourceId, bodyId, place, deliveryId, environmentId, userId, outcome, at]
      }),
    )
    await sql.bulk(KEEP_BODIES, distinct(rows, 2))
    if (items.length > 0) await sql.bulk(KEEP_ITEMS, distinct(items, 3))
  },
  async trimBodies({ sql }: WriteContext, environmentId: number, maxBytes: number): Promise<void> {
    await sql.run(
      `DELETE FROM source_body WHERE (source_id, body_id) IN (SELECT source_id, body_id FROM
        (SELECT source_id, body_id, SUM(bytes) OVER (ORDER BY at DESC, source_id, body_id) AS total
          FROM source_body WHERE environment_id = ?) AS kept WHERE total > ?)`,
      [environmentId, maxBytes],
    )
  },
  async purgeBodies({ sql }: WriteContext, before: number): Promise<void> {
    await sql.run('DELETE FROM source_body WHERE at < ?', [before])
    await sql.run('DELETE FROM source_body_item WHERE at < ?', [before])
  },
}

/** One statement may not write a row twice. In one order on all nodes. */
function distinct(rows: Param[][], keyColumns: number): Param[][] {
  const byKey = new Map(rows.map((row) => [row.slice(0, keyColumns).join(' '), row]))
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

interface BodyRow {
  body_id: string
  at: number
  body: string
  headers: string | null
}
interface ItemRow {
  delivery_id: string
  body_id: string
  user_id: string | null
  outcome: DeliveryOutcome
}

const toItem = ({ delivery_id: deliveryId, user_id: userId, outcome }: ItemRow): BodyItem => {
  return { deliveryId, userId, outcome }
}

function toBody({ body_id: bodyId, at, body, headers }: BodyRow): Omit<KeptBody, 'items'> {
  return { bodyId, at, body, headers: headers === null ? null : (JSON.parse(headers) as KeptHeaders) }
}

export function createDeliveryBodies(sql: Sql, writes: Writes<typeof deliveryBodyWrites>): DeliveryBodies {
  return {
    keep: writes.keepBodies,
    trim: writes.trimBodies,
    purge: writes.purgeBodies,
    async find(sourceId, deliveryId) {
      const row = await sql.one<BodyRow & ItemRow>(
        `SELECT b.body_id, b.at, b.body, b.headers, i.delivery_id, i.user_id, i.outcome FROM source_body_item i
          INNER JOIN source_body b ON b.source_id = i.source_id AND b.body_id = i.body_id
          WHERE i.source_id = ? AND i.delivery_id = ?
          ORDER BY CASE WHEN i.outcome = 'duplicate' THEN 1 ELSE 0 END, i.at DESC, i.body_id, i.place LIMIT 1`,
        [sourceId, deliveryId],
      )
      return row && { ...toBody(row), items: [toItem(row)] }
    },
    async listPage(sourceId, { from, to, outcome, after, limit }) {
      const rows = await sql.all<BodyRow>(
        `SELECT body_id, at, body, headers FROM (SELECT body_id, at, body, headers, bytes, SUM(bytes) OVER (ORDER BY at, body_id) AS bytes_so_far
          FROM source_body WHERE source_id = ? AND at >= ? AND at <= ? AND (at > ? OR body_id > ?)
          ORDER BY at, body_id LIMIT ?) AS sized WHERE bytes_so_far - bytes < ${PAGE_BYTES} ORDER BY at, body_id`,
        [sourceId, after?.at ?? from, to, after?.at ?? from - 1, after?.bodyId ?? '', limit],
      )
      if (rows.length === 0) return []
      const items = await sql.all<ItemRow>(
        `SELECT delivery_id, body_id, user_id, outcome FROM source_body_item
          WHERE source_id = ? AND body_id IN (${rows.map(() => '?').join(', ')})${outcome === null ? '' : ' AND outcome = ?'}
          ORDER BY body_id, place`,
        [sourceId, ...rows.map((row) => row.body_id), ...(outcome === null ? [] : [outcome])],
      )
      return rows.map((row): KeptBody => {
        return { ...toBody(row), items: items.filter((item) => item.body_id === row.body_id).map(toItem) }
      })
    },
    async countItems(sourceId, { from, to, outcome }) {
      const row = await sql.one<{ count: number }>(
        `SELECT COUNT(*) AS count FROM source_body b
          INNER JOIN source_body_item i ON i.source_id = b.source_id AND i.body_id = b.body_id
          WHERE b.source_id = ? AND b.at >= ? AND b.at <= ?${outcome === null ? '' : ' AND i.outcome = ?'}`,
        [sourceId, from, to, ...(outcome === null ? [] : [outcome])],
      )
      return Number(row?.count ?? 0)
    },
  }
}

/** Removes bodies that have an item of an erased user, from before the erasure. @returns How many rows went */
export async function eraseBodies(sql: Sql, userNo: number, limit: number): Promise<number> {
  const removed = await sql.all<{ source_id: number; body_id: string }>(
    `SELECT DISTINCT i.source_id, i.body_id FROM erasure x CROSS JOIN source_body_item i
      WHERE x.user_no = ? AND i.environment_id = x.environment_id AND i.user_id = x.user_id AND i.at <= x.begun_at LIMIT ?`,
    [userNo, limit],
  )
  if (removed.length === 0) return 0
  const bodies = removed.map((row) => [row.source_id, row.body_id])
  await sql.bulk(ERASE_BODIES, bodies)
  await sql.bulk(ERASE_ITEMS, bodies)
  return removed.length
}
