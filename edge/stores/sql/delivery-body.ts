// Stores bodies of deliveries as they came, with their items.

import type { DeliveryBodies, DeliveryBody, KeptBody } from '../../domain/connector/delivery-body.ts'
import { SOURCE_BODY, SOURCE_BODY_ITEM } from '../tables/source.ts'
import { insertInto, type RawRow, setExcluded, view } from '../tables/table.ts'
import { type Param, type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const KEEP_BODIES = insertInto(SOURCE_BODY, undefined, 'ON CONFLICT (environment_id, source_id, body_id) DO NOTHING')
const KEEP_ITEMS = insertInto(
  SOURCE_BODY_ITEM,
  undefined,
  `ON CONFLICT (environment_id, source_id, body_id, place) DO UPDATE SET ${setExcluded(SOURCE_BODY_ITEM, ['userId', 'outcome', 'at'])}
    WHERE excluded.outcome <> 'duplicate'`,
)
const bodyView = (alias: string) => view(SOURCE_BODY, alias, ['bodyId', 'at', 'body', 'headers'])
const [BODY, JOINED_BODY] = [bodyView(''), bodyView('b')]
const itemView = (alias: string) => view(SOURCE_BODY_ITEM, alias, ['deliveryId', 'userId', 'outcome'])
const [ITEM, JOINED_ITEM] = [itemView(''), itemView('i')]

const BODY_OF_ITEM = 'b.environment_id = i.environment_id AND b.source_id = i.source_id AND b.body_id = i.body_id'

/** Of the bodies of one page; one that is larger is a page alone. */
const PAGE_BYTES = 4 * 1024 * 1024

const KEY = { environment_id: 'int', source_id: 'int', body_id: 'text' } as const
const ERASE_BODIES = withRows(
  KEY,
  'DELETE FROM source_body WHERE (environment_id, source_id, body_id) IN (SELECT environment_id, source_id, body_id FROM given)',
)
const ERASE_ITEMS = withRows(
  KEY,
  'DELETE FROM source_body_item WHERE (environment_id, source_id, body_id) IN (SELECT environment_id, source_id, body_id FROM given)',
)

export const deliveryBodyWrites = {
  async keepBodies({ sql }: WriteContext, bodies: DeliveryBody[]): Promise<void> {
    const rows = bodies.map(({ headers, ...body }) => {
      const text = headers === null ? null : JSON.stringify(headers)
      return { ...body, bytes: Buffer.byteLength(body.body) + (text?.length ?? 0), headers: text }
    })
    const items = bodies.flatMap(({ sourceId, bodyId, environmentId, at, items: own }) =>
      own.map((item, place) => ({ sourceId, bodyId, place, environmentId, at, ...item })),
    )
    await KEEP_BODIES.write(
      sql,
      distinct(rows, ({ sourceId, bodyId }) => `${sourceId} ${bodyId}`),
    )
    if (items.length === 0) return
    await KEEP_ITEMS.write(
      sql,
      distinct(items, ({ sourceId, bodyId, place }) => `${sourceId} ${bodyId} ${place}`),
    )
  },
  trimBodies: ({ sql }: WriteContext, environmentId: number, maxBytes: number) =>
    removeBodies(sql, BEYOND_BYTES, [environmentId, maxBytes]),
  purgeBodies: ({ sql }: WriteContext, before: number) => removeBodies(sql, BEFORE, [before]),
}

const BEYOND_BYTES = `SELECT environment_id, source_id, body_id FROM
  (SELECT environment_id, source_id, body_id, SUM(bytes) OVER (ORDER BY at DESC, source_id, body_id) AS total
    FROM source_body WHERE environment_id = ?) AS kept WHERE total > ?`
const BEFORE = 'SELECT environment_id, source_id, body_id FROM source_body WHERE at < ?'

/** Removes the bodies that a query selects, and their items. */
async function removeBodies(sql: Sql, selected: string, params: Param[]): Promise<void> {
  for (const table of ['source_body_item', 'source_body'])
    await sql.run(`DELETE FROM ${table} WHERE (environment_id, source_id, body_id) IN (${selected})`, params)
}

/** One statement may not write a row twice. In one order on all nodes. */
function distinct<Row>(rows: Row[], keyOf: (row: Row) => string): Row[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

export function createDeliveryBodies(sql: Sql, writes: Writes<typeof deliveryBodyWrites>): DeliveryBodies {
  return {
    keep: writes.keepBodies,
    trim: writes.trimBodies,
    purge: writes.purgeBodies,
    async find(environmentId, sourceId, deliveryId) {
      const row = await sql.one<RawRow>(
        `SELECT ${JOINED_BODY.columns}, ${JOINED_ITEM.columns} FROM source_body_item i
          INNER JOIN source_body b ON ${BODY_OF_ITEM}
          WHERE i.environment_id = ? AND i.source_id = ? AND i.delivery_id = ?
          ORDER BY CASE WHEN i.outcome = 'duplicate' THEN 1 ELSE 0 END, i.at DESC, i.body_id, i.place LIMIT 1`,
        [environmentId, sourceId, deliveryId],
      )
      return row && { ...JOINED_BODY.read(row), items: [JOINED_ITEM.read(row)] }
    },
    async listPage(environmentId, sourceId, { from, to, outcome, after, limit }) {
      const rows = await sql.all<RawRow>(
        `SELECT ${BODY.columns} FROM (SELECT body_id, at, body, headers, bytes, SUM(bytes) OVER (ORDER BY at, body_id) AS bytes_so_far
          FROM source_body WHERE environment_id = ? AND source_id = ? AND at >= ? AND at <= ? AND (at > ? OR body_id > ?)
          ORDER BY at, body_id LIMIT ?) AS sized WHERE bytes_so_far - bytes < ${PAGE_BYTES} ORDER BY at, body_id`,
        [environmentId, sourceId, after?.at ?? from, to, after?.at ?? from - 1, after?.bodyId ?? '', limit],
      )
      if (rows.length === 0) return []
      const bodies = rows.map(BODY.read)
      const items = await sql.all<RawRow>(
        `SELECT body_id, ${ITEM.columns} FROM source_body_item
          WHERE environment_id = ? AND source_id = ? AND body_id IN (${rows.map(() => '?').join(', ')})${outcome === null ? '' : ' AND outcome = ?'}
          ORDER BY body_id, place`,
        [environmentId, sourceId, ...bodies.map(({ bodyId }) => bodyId), ...(outcome === null ? [] : [outcome])],
      )
      return bodies.map((body): KeptBody => {
        return { ...body, items: items.filter((item) => item.body_id === body.bodyId).map(ITEM.read) }
      })
    },
    async countItems(environmentId, sourceId, { from, to, outcome }) {
      const row = await sql.one<{ count: number }>(
        `SELECT COUNT(*) AS count FROM source_body b
          INNER JOIN source_body_item i ON ${BODY_OF_ITEM}
          WHERE b.environment_id = ? AND b.source_id = ? AND b.at >= ? AND b.at <= ?${outcome === null ? '' : ' AND i.outcome = ?'}`,
        [environmentId, sourceId, from, to, ...(outcome === null ? [] : [outcome])],
      )
      return Number(row?.count ?? 0)
    },
  }
}

/** Removes bodies that have an item of an erased user, from before the erasure. @returns How many rows went */
export async function eraseBodies(sql: Sql, environmentId: number, userNo: number, limit: number): Promise<number> {
  const removed = await sql.all<{ environment_id: number; source_id: number; body_id: string }>(
    `SELECT DISTINCT i.environment_id, i.source_id, i.body_id FROM erasure x CROSS JOIN source_body_item i
      WHERE x.environment_id = ? AND x.user_no = ? AND i.environment_id = x.environment_id AND i.user_id = x.user_id
        AND i.at <= x.begun_at LIMIT ?`,
    [environmentId, userNo, limit],
  )
  if (removed.length === 0) return 0
  const bodies = removed.map((row) => [row.environment_id, row.source_id, row.body_id])
  await sql.bulk(ERASE_BODIES, bodies)
  await sql.bulk(ERASE_ITEMS, bodies)
  return removed.length
}
