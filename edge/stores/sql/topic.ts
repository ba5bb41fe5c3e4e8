// Stores topics: named lists of users, read in the order in which they joined.

import type { Topics } from '../../domain/topic.ts'
import { ensureUsers, getUserNo } from './commit/recipients.ts'
import { insertRows, type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const REMOVE = withRows(
  { topic_no: 'int', user_id: 'text', environment_id: 'int' },
  `DELETE FROM topic_subscriber WHERE (topic_no, user_no) IN (SELECT given.topic_no, u.user_no FROM given
    CROSS JOIN app_user u WHERE u.environment_id = given.environment_id AND u.user_id = given.user_id)`,
)
const ADD = insertRows(
  'topic_subscriber',
  { topic_no: 'int', place: 'int', user_no: 'int' },
  'ON CONFLICT (user_no, topic_no) DO NOTHING',
)

export const topicWrites = {
  async changeTopic(
    context: WriteContext,
    environmentId: number,
    topicKey: string,
    add: string[],
    remove: string[],
    now: number,
  ): Promise<void> {
    const { sql } = context
    const topic = await reservePlaces(context, environmentId, topicKey, add.length, now)
    await sql.bulk(
      REMOVE,
      remove.map((userId) => [topic.topicNo, userId, environmentId]),
    )
    const keys = add.map((userId) => ({ environmentId, userId }))
    await ensureUsers(context, keys, now)
    await sql.bulk(
      ADD,
      add.map((userId, index) => [topic.topicNo, topic.firstPlace + index, getUserNo(context, environmentId, userId)]),
    )
  },
}

/** Creates an unknown topic, locks its row and reserves places, which are never reused and may have gaps. */
async function reservePlaces(
  context: WriteContext,
  environmentId: number,
  topicKey: string,
  places: number,
  now: number,
): Promise<{ topicNo: number; firstPlace: number }> {
  const row = await context.sql.one<{ topic_no: number; last_place: number }>(
    `INSERT INTO topic (environment_id, topic_key, last_place, created_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (environment_id, topic_key) DO UPDATE SET last_place = topic.last_place + excluded.last_place
      RETURNING topic_no, last_place`,
    [environmentId, topicKey, places, now],
  )
  if (row === undefined) throw new Error('topic missing after its upsert')
  return { topicNo: row.topic_no, firstPlace: row.last_place - places + 1 }
}

const SUBSCRIBERS = `SELECT s.place, u.user_id FROM topic t JOIN topic_subscriber s ON s.topic_no = t.topic_no
  JOIN app_user u ON u.user_no = s.user_no WHERE t.environment_id = ? AND t.topic_key = ?`
const IN_ORDER = `${SUBSCRIBERS} AND s.place > ? ORDER BY s.place LIMIT ?`
const NEWEST_FIRST = `${SUBSCRIBERS} AND s.place < ? ORDER BY s.place DESC LIMIT ?`
const COUNT = `SELECT COUNT(*) AS count FROM (SELECT 1 FROM topic t JOIN topic_subscriber s ON s.topic_no = t.topic_no
  WHERE t.environment_id = ? AND t.topic_key = ? LIMIT ?) AS counted`

export function createTopics(sql: Sql, writes: Writes<typeof topicWrites>): Topics {
  async function list(text: string, values: [number, string, number, number]) {
    const rows = await sql.all<{ place: number; user_id: string }>(text, values)
    return rows.map((row) => ({ place: row.place, userId: row.user_id }))
  }
  return {
    change: writes.changeTopic,
    listSubscribers: (environmentId, topicKey, after, limit) => list(IN_ORDER, [environmentId, topicKey, after, limit]),
    async countSubscribers(environmentId, topicKey, limit) {
      const row = await sql.one<{ count: number }>(COUNT, [environmentId, topicKey, limit])
      return row?.count ?? 0
    },
    listNewestSubscribers: (environmentId, topicKey, before, limit) =>
      list(NEWEST_FIRST, [environmentId, topicKey, before ?? Number.MAX_SAFE_INTEGER, limit]),
  }
}
