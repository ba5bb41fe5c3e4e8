// Stores doubts: counts that nodes add to, bounded for each environment.

import { type CountedDoubt, DOUBTS_KEPT, type DoubtFilter, type Doubts, type KeptDoubt } from '../../domain/doubt.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { DOUBT } from '../tables/doubt.ts'
import { insertInto, type RawRow, type RowOf, view } from '../tables/table.ts'
import { type Param, type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

/** The place in the list is the last time, with the place among those of one write: no two of an environment are equal. */
const PLACES_PER_MS = 1000

const VIEW = view(DOUBT, '', [
  'environmentId',
  'doubtId',
  'kind',
  'subjectType',
  'subjectId',
  'message',
  'example',
  'count',
  'firstAt',
  'place',
])
const COUNTED = view(DOUBT, '', ['environmentId', 'doubtId', 'count'])
const ADD = insertInto(
  DOUBT,
  undefined,
  `ON CONFLICT (environment_id, doubt_id) DO UPDATE SET count = doubt.count + excluded.count,
    place = CASE WHEN excluded.place > doubt.place THEN excluded.place ELSE doubt.place END,
    example = COALESCE(excluded.example, doubt.example),
    user_id = CASE WHEN excluded.example IS NULL THEN doubt.user_id ELSE excluded.user_id END
    RETURNING ${COUNTED.columns}`,
)
const KNOWN_USERS = (lock: string) =>
  withRows(
    { environment_id: 'int', user_id: 'text' },
    `SELECT u.environment_id, u.user_id FROM given CROSS JOIN app_user u
      WHERE u.environment_id = given.environment_id AND u.user_id = given.user_id${lock}`,
  )
const FIND_USERS = KNOWN_USERS('')
/** An erasure waits for this transaction, and then finds what it wrote. */
const FIND_USERS_LOCKED = KNOWN_USERS(' ORDER BY u.user_no FOR KEY SHARE OF u')

export const doubtWrites = {
  async addDoubts(context: WriteContext, doubts: CountedDoubt[]): Promise<void> {
    const { sql } = context
    const rows = toRows(await withoutGone(sql, doubts))
    if (rows.length === 0) return
    const added = new Map(rows.map((row) => [keyOf(row), row.count]))
    const stored = await ADD.write<RowOf<typeof COUNTED>>(sql, rows)
    const isNew = stored.filter((row) => added.get(keyOf(row)) === row.count)
    await trim(sql, [...new Set(isNew.map((row) => row.environmentId))])
  },
  async dismissDoubt({ sql }: WriteContext, environmentId: number, id: string): Promise<boolean> {
    return (await sql.run('DELETE FROM doubt WHERE environment_id = ? AND doubt_id = ?', [environmentId, id])) > 0
  },
  async purgeDoubts({ sql }: WriteContext, before: number): Promise<void> {
    const old = `SELECT environment_id, doubt_id FROM doubt WHERE place < ?${sql.skipLocked}`
    await sql.run(`DELETE FROM doubt WHERE (environment_id, doubt_id) IN (${old})`, [before * PLACES_PER_MS])
  },
}

const keyOf = ({ environmentId, doubtId }: { environmentId: number; doubtId: string }) => `${environmentId} ${doubtId}`

/** Leaves out the examples of users who are gone, and what is about such users. */
async function withoutGone(sql: Sql, doubts: CountedDoubt[]): Promise<CountedDoubt[]> {
  const userKeyOf = (environmentId: number, userId: string) => `${environmentId} ${userId}`
  const wanted = new Map(
    doubts.flatMap(({ environmentId, userId }): [string, Param[]][] =>
      userId === null ? [] : [[userKeyOf(environmentId, userId), [environmentId, userId]]],
    ),
  )
  if (wanted.size === 0) return doubts
  const find = sql.forUpdate === '' ? FIND_USERS : FIND_USERS_LOCKED
  const found = await sql.bulk<{ environment_id: number; user_id: string }>(find, [...wanted.values()])
  const known = new Set(found.map((row) => userKeyOf(row.environment_id, row.user_id)))
  return doubts.flatMap((doubt) => {
    const { environmentId, userId, subject } = doubt
    if (userId === null || known.has(userKeyOf(environmentId, userId))) return doubt
    return subject.type === 'user' ? [] : { ...doubt, example: null, userId: null }
  })
}

/** @returns Each doubt once, in one order on all nodes. */
function toRows(doubts: CountedDoubt[]) {
  const places = new Map<number, number>()
  const rows = doubts
    .toSorted((one, other) => one.lastAt - other.lastAt)
    .map(({ subject, lastAt, ...counted }) => {
      const { environmentId, kind, message } = counted
      const place = places.get(environmentId) ?? 0
      places.set(environmentId, place + 1)
      const doubtId = `dbt_${sha256Hex(JSON.stringify([kind, subject.type, subject.id, message])).slice(0, 32)}`
      const position = lastAt * PLACES_PER_MS + (place % PLACES_PER_MS)
      return { ...counted, doubtId, subjectType: subject.type, subjectId: subject.id, place: position }
    })
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

/** Removes those that arose longest ago, of environments that have too many. */
async function trim(sql: Sql, environmentIds: number[]): Promise<void> {
  if (environmentIds.length === 0) return
  const tooMany = `SELECT environment_id, doubt_id FROM (SELECT environment_id, doubt_id,
      ROW_NUMBER() OVER (PARTITION BY environment_id ORDER BY place DESC) AS number
      FROM doubt WHERE environment_id IN (${environmentIds.map(() => '?').join(', ')})) AS numbered WHERE number > ?`
  await sql.run(
    `DELETE FROM doubt WHERE (environment_id, doubt_id) IN (SELECT environment_id, doubt_id FROM doubt
      WHERE (environment_id, doubt_id) IN (${tooMany})${sql.skipLocked})`,
    [...environmentIds, DOUBTS_KEPT],
  )
}

/** Removes what is about an erased user, and examples of their data; counts stay. */
export async function eraseDoubts(sql: Sql, environmentId: number, userNo: number): Promise<void> {
  const erased = await sql.one<{ user_id: string }>(
    'SELECT user_id FROM erasure WHERE environment_id = ? AND user_no = ?',
    [environmentId, userNo],
  )
  if (erased === undefined) return
  const of = [environmentId, erased.user_id]
  const own = 'environment_id = ? AND user_id = ?'
  // In the order in which they are added to.
  if (sql.forUpdate !== '')
    await sql.all(`SELECT doubt_id FROM doubt WHERE ${own} ORDER BY doubt_id${sql.forUpdate}`, of)
  await sql.run(`DELETE FROM doubt WHERE ${own} AND subject_type = 'user'`, of)
  await sql.run(`UPDATE doubt SET example = NULL, user_id = NULL WHERE ${own}`, of)
}

/** Removes those of an environment that arose last before then (epoch ms). */
export async function purgeDoubtsOf(sql: Sql, environmentId: number, before: number): Promise<number> {
  return sql.run('DELETE FROM doubt WHERE environment_id = ? AND place < ?', [environmentId, before * PLACES_PER_MS])
}

export function createDoubts(sql: Sql, writes: Writes<typeof doubtWrites>): Doubts {
  return {
    add: writes.addDoubts,
    dismiss: writes.dismissDoubt,
    purge: writes.purgeDoubts,
    async listPage(environmentId, filter, before, limit) {
      const { condition, params } = toCondition(filter)
      const rows = await sql.all<RawRow>(
        `SELECT ${VIEW.columns} FROM doubt WHERE environment_id = ? AND place < ?${condition} ORDER BY place DESC LIMIT ?`,
        [environmentId, before ?? Number.MAX_SAFE_INTEGER, ...params, limit],
      )
      return rows.map(readDoubt)
    },
    async count(environmentId) {
      const [where, params] = environmentId === null ? ['', []] : [' WHERE environment_id = ?', [environmentId]]
      const row = await sql.one<{ count: number }>(`SELECT COUNT(*) AS count FROM doubt${where}`, params)
      return Number(row?.count ?? 0)
    },
  }
}

/** An environment has so few that an index for each field would cost more than it saves. */
function toCondition({ kind, subjectType, subjectId }: DoubtFilter) {
  const fields = { kind, subject_type: subjectType, subject_id: subjectId }
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
  return { condition: given.map(([name]) => ` AND ${name} = ?`).join(''), params: given.map(([, value]) => value) }
}

function readDoubt(row: RawRow): KeptDoubt {
  const { doubtId: id, subjectType, subjectId, ...doubt } = VIEW.read(row)
  const lastAt = Math.floor(doubt.place / PLACES_PER_MS)
  return { ...doubt, id, subject: { type: subjectType, id: subjectId }, lastAt }
}
