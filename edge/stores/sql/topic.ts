// Stores topics: named lists of users, read in the order in which they joined.

import { COUNTED_SUBSCRIBERS } from '../../../contract/resources/topic.ts'
import type { Topic, Topics } from '../../domain/topic.ts'
import type { UserAudit } from '../../domain/user.ts'
import { insertInto, type RowOf, view } from '../tables/table.ts'
import { TOPIC, TOPIC_SUBSCRIBER } from '../tables/topic.ts'
import { APP_USER } from '../tables/user.ts'
import { boundsOf } from './beginning.ts'
import { ensureUsers, getUserNo } from './commit/recipients.ts'
import { type Sql, withRows } from './sql.ts'
import { recordUserChange, topicDifference } from './user-audit.ts'
import type { WriteContext, Writes } from './write.ts'

const REMOVE = withRows(
  { topic_no: 'int', user_id: 'text', environment_id: 'int' },
  `DELETE FROM topic_subscriber WHERE (topic_no, user_no) IN (SELECT given.topic_no, u.user_no FROM given
    CROSS JOIN app_user u WHERE u.environment_id = given.environment_id AND u.user_id = given.user_id)`,
)
const ADD = insertInto(TOPIC_SUBSCRIBER, undefined, 'ON CONFLICT (user_no, topic_no) DO NOTHING')
const PLACES = view(TOPIC, '', ['topicNo', 'lastPlace'])

export const topicWrites = {
  async changeTopic(
    context: WriteContext,
    environmentId: number,
    topicKey: string,
    add: string[],
    remove: string[],
    now: number,
    audit?: UserAudit,
  ): Promise<void> {
    const { sql } = context
    const topic = await reservePlaces(context, environmentId, topicKey, add.length, now)
    const before = audit && (await findSubscribed(context, topic.topicNo, environmentId, [...add, ...remove]))
    await sql.bulk(
      REMOVE,
      remove.map((userId) => [topic.topicNo, userId, environmentId]),
    )
    const keys = add.map((userId) => ({ environmentId, userId }))
    await ensureUsers(context, keys, now)
    await ADD.write(
      sql,
      add.map((userId, index) => {
        const userNo = getUserNo(context, environmentId, userId)
        return { environmentId, topicNo: topic.topicNo, place: topic.firstPlace + index, userNo }
      }),
    )
    if (audit === undefined || before === undefined) return
    const added = add.filter((userId) => !before.has(userId))
    const removed = remove.filter((userId) => before.has(userId))
    if (added.length + removed.length === 0) return
    const change = { action: 'topic.change', subject: topicKey } as const
    await recordUserChange(context, environmentId, audit, change, topicDifference(added, removed))
  },
}

const FIND_SUBSCRIBED = withRows(
  { topic_no: 'int', user_id: 'text', environment_id: 'int' },
  `SELECT given.user_id FROM given CROSS JOIN app_user u JOIN topic_subscriber s ON s.user_no = u.user_no AND s.topic_no = given.topic_no
    WHERE u.environment_id = given.environment_id AND u.user_id = given.user_id`,
)

/** Returns those of the users that subscribe to a topic, whose row is locked. */
async function findSubscribed({ sql }: WriteContext, topicNo: number, environmentId: number, userIds: string[]) {
  const rows = await sql.bulk<{ user_id: string }>(
    FIND_SUBSCRIBED,
    userIds.map((userId) => [topicNo, userId, environmentId]),
  )
  return new Set(rows.map((row) => row.user_id))
}

/** Creates an unknown topic, locks its row and reserves places, which are never reused and may have gaps. */
async function reservePlaces(
  context: WriteContext,
  environmentId: number,
  topicKey: string,
  places: number,
  now: number,
): Promise<{ topicNo: number; firstPlace: number }> {
  const row = await context.sql.one<RowOf<typeof PLACES>>(
    `INSERT INTO topic (environment_id, topic_key, last_place, created_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (environment_id, topic_key) DO UPDATE SET last_place = topic.last_place + excluded.last_place
      RETURNING ${PLACES.columns}`,
    [environmentId, topicKey, places, now],
  )
  if (row === undefined) throw new Error('topic missing after its upsert')
  return { topicNo: row.topicNo, firstPlace: row.lastPlace - places + 1 }
}

const [PLACE, SUBSCRIBER] = [view(TOPIC_SUBSCRIBER, 's', ['place']), view(APP_USER, 'u', ['userId'])]
const SUBSCRIBERS = `SELECT ${PLACE.columns}, ${SUBSCRIBER.columns} FROM topic t
  JOIN topic_subscriber s ON s.environment_id = t.environment_id AND s.topic_no = t.topic_no
  JOIN app_user u ON u.environment_id = t.environment_id AND u.user_no = s.user_no WHERE t.environment_id = ? AND t.topic_key = ?`
const IN_ORDER = `${SUBSCRIBERS} AND s.place > ? ORDER BY s.place LIMIT ?`
const NEWEST_FIRST = `${SUBSCRIBERS} AND s.place < ? ORDER BY s.place DESC LIMIT ?`
const COUNT = `SELECT COUNT(*) AS count FROM (SELECT 1 FROM topic t
  JOIN topic_subscriber s ON s.environment_id = t.environment_id AND s.topic_no = t.topic_no
  WHERE t.environment_id = ? AND t.topic_key = ? LIMIT ?) AS counted`

const VIEW = view(TOPIC, 't', ['topicNo', 'key', 'createdAt'])
const TOPICS = `SELECT ${VIEW.columns}, (SELECT COUNT(*) FROM (SELECT 1 FROM topic_subscriber s
  WHERE s.environment_id = t.environment_id AND s.topic_no = t.topic_no LIMIT ${COUNTED_SUBSCRIBERS}) AS counted) AS subscribers FROM topic t`

export function createTopics(sql: Sql, writes: Writes<typeof topicWrites>): Topics {
  const list = (text: string, values: [number, string, number, number]) =>
    sql.all<RowOf<typeof PLACE> & RowOf<typeof SUBSCRIBER>>(text, values)
  return {
    change: writes.changeTopic,
    async findByNumber(environmentId, topicNo) {
      return sql.one<Topic>(`${TOPICS} WHERE t.environment_id = ? AND t.topic_no = ?`, [environmentId, topicNo])
    },
    async listNewest(environmentId, before, limit) {
      const text = `${TOPICS} ${sql.usingIndex('topic_pkey')}
        WHERE t.environment_id = ? AND t.topic_no < ? ORDER BY t.topic_no DESC LIMIT ?`
      return sql.all<Topic>(text, [environmentId, before ?? Number.MAX_SAFE_INTEGER, limit])
    },
    async search(environmentId, beginning, after, limit) {
      const [from, to] = boundsOf(beginning)
      const text = `${TOPICS} WHERE t.environment_id = ? AND t.topic_key >= ? AND t.topic_key < ? AND t.topic_key <> ?
        ORDER BY t.topic_key LIMIT ?`
      // No key is empty.
      const params = [environmentId, after?.key ?? from, to, after?.key ?? '', limit]
      return sql.all<Topic>(text, params)
    },
    async listOfUser(userNo) {
      const text = `SELECT t.topic_key FROM topic_subscriber s CROSS JOIN topic t
        WHERE s.user_no = ? AND t.environment_id = s.environment_id AND t.topic_no = s.topic_no
        ORDER BY t.topic_key`
      return (await sql.all<{ topic_key: string }>(text, [userNo])).map((row) => row.topic_key)
    },
    listSubscribers: (environmentId, topicKey, after, limit) => list(IN_ORDER, [environmentId, topicKey, after, limit]),
    async countSubscribers(environmentId, topicKey, limit) {
      const row = await sql.one<{ count: number }>(COUNT, [environmentId, topicKey, limit])
      return row?.count ?? 0
    },
    listNewestSubscribers: (environmentId, topicKey, before, limit) =>
      list(NEWEST_FIRST, [environmentId, topicKey, before ?? Number.MAX_SAFE_INTEGER, limit]),
  }
}
