// Reads users: one, many by their ids as far as they may be in memory together, and pages of lists and searches.

import {
  LARGE_TOGETHER_BYTES,
  SEARCH_FIELDS,
  type SearchField,
  type User,
  type UserPage,
  type UserSearch,
  type UsersRead,
  upToTogether,
} from '../../domain/user.ts'
import { groupByWeight } from '../../lib/group-by-weight.ts'
import type { RawRow } from '../tables/table.ts'
import { boundsOf, foldText } from './beginning.ts'
import { type Param, type Sql, withRows } from './sql.ts'
import { BARE, type BareRow, readBare, readUser, SHORT_COLUMNS, type ShortRow, USER_COLUMNS } from './user-row.ts'

const findBy = (columns: string) =>
  withRows(
    { environment_id: 'int', user_id: 'text' },
    `SELECT ${columns} FROM given CROSS JOIN app_user u WHERE u.environment_id = given.environment_id AND u.user_id = given.user_id`,
  )
const FIND_MANY = findBy(USER_COLUMNS)
/** One query for all, as long as no profile is large. */
const FIND_SHORT = findBy(SHORT_COLUMNS)
const FIND_ONE_SHORT = `SELECT ${SHORT_COLUMNS} FROM app_user u WHERE u.environment_id = ? AND u.user_id = ?`
const FIND_BARE = findBy(BARE.columns)

const NO_BYTES: ReadonlyMap<string, number> = new Map()
const NOBODY: ReadonlySet<string> = new Set()

/** @returns as the port does */
export async function findMany(
  sql: Sql,
  environmentId: number,
  userIds: string[],
  mayRead = upToTogether(),
): Promise<UsersRead> {
  const ids = userIds.length === 1 ? userIds : [...new Set(userIds)]
  const rowOf = (userId: string) => [environmentId, userId]
  const [single] = ids
  const rows =
    ids.length === 1 && single !== undefined
      ? await sql.all<ShortRow>(FIND_ONE_SHORT, [environmentId, single])
      : await sql.bulk<ShortRow>(FIND_SHORT, ids.map(rowOf))
  const small = rows.filter(({ attributes }) => attributes !== null)
  const users = new Map(small.map(readBare).map((user) => [user.userId, user]))
  if (small.length === rows.length) return { users, bytes: NO_BYTES, left: NOBODY }
  const large = new Map(
    rows.filter(({ attributes }) => attributes === null).map((row) => [String(row.userId), Number(row.bytes)]),
  )
  const inOrder = ids.filter((id) => large.has(id))
  const firstLeft = inOrder.findIndex((id) => !mayRead(large.get(id) ?? 0))
  const read = firstLeft === -1 ? inOrder : inOrder.slice(0, firstLeft)
  for (const row of read.length === 0 ? [] : await sql.bulk<RawRow>(FIND_MANY, read.map(rowOf))) {
    const user = readUser(row)
    users.set(user.userId, user)
  }
  return { users, bytes: large, left: new Set(inOrder.slice(read.length)) }
}

/** @returns `large`: its attributes were not read */
export async function findShort(sql: Sql, environmentId: number, userId: string): Promise<User | 'large' | undefined> {
  const row = await sql.one<ShortRow>(FIND_ONE_SHORT, [environmentId, userId])
  return row && (row.attributes === null ? 'large' : readBare(row))
}

export async function findUser(sql: Sql, environmentId: number, userId: string): Promise<User | undefined> {
  const text = `SELECT ${USER_COLUMNS} FROM app_user u WHERE u.environment_id = ? AND u.user_id = ?`
  const row = await sql.one<RawRow>(text, [environmentId, userId])
  return row && readUser(row)
}

export async function findManyBare(sql: Sql, environmentId: number, userIds: string[]): Promise<Map<string, User>> {
  const rows = await sql.bulk<BareRow>(
    FIND_BARE,
    [...new Set(userIds)].map((userId) => [environmentId, userId]),
  )
  return new Map(rows.map(readBare).map((user) => [user.userId, user]))
}

export function listNewest(sql: Sql, environmentId: number, before: number | null, limit: number): Promise<UserPage> {
  const from = `app_user u ${sql.usingIndex('app_user_pkey')}`
  const listed = { from, where: 'u.environment_id = ? AND u.user_no < ?', order: 'u.user_no DESC' }
  return readPage(sql, listed, [environmentId, before ?? Number.MAX_SAFE_INTEGER], limit)
}

/** Column and index of each field (`migrations/baseline/users.ts`); `isNull`: what a field without a value fulfils. */
const SEARCHED: Record<SearchField, { column: string; index: string; isKnown: string; isNull: string }> = {
  userId: { column: 'u.user_id', index: 'app_user_by_id', isKnown: '', isNull: '' },
  email: {
    column: 'u.email_search',
    index: 'app_user_by_email',
    isKnown: ' AND u.email_search IS NOT NULL',
    isNull: 'u.email_search IS NULL OR ',
  },
  name: {
    column: 'u.name_search',
    index: 'app_user_by_name',
    isKnown: ' AND u.name_search IS NOT NULL',
    isNull: 'u.name_search IS NULL OR ',
  },
}

export async function searchUsers(
  sql: Sql,
  { environmentId, field, beginning }: UserSearch,
  after: User | null,
  limit: number,
): Promise<UserPage> {
  const { column, index, isKnown } = SEARCHED[field]
  const textOf = (of: SearchField, text: string) => (of === 'userId' ? text : foldText(text))
  const [from, to] = boundsOf(textOf(field, beginning))
  // The last row of the page before begins the range, so that a late page reads no more than the first one. One that has
  // another value meanwhile has no place in it: the range begins anew.
  const lastText = textOf(field, after?.[field] ?? '')
  const hasPlace = after !== null && after[field] !== null && lastText.startsWith(from)
  const last = hasPlace ? { text: lastText, userNo: after.userNo } : { text: from, userNo: -1 }
  const params: Param[] = [environmentId, last.text, to, last.text, last.userNo]
  const earlier = SEARCH_FIELDS.slice(0, SEARCH_FIELDS.indexOf(field)).map((other) => {
    params.push(...boundsOf(textOf(other, beginning)))
    const { column: compared, isNull } = SEARCHED[other]
    return ` AND (${isNull}${compared} < ? OR ${compared} >= ?)`
  })
  const where = `u.environment_id = ?${isKnown} AND ${column} >= ? AND ${column} < ? AND (${column} > ? OR u.user_no > ?)
    ${earlier.join('')}`
  const listed = { from: `app_user u ${sql.usingIndex(index)}`, where, order: `${column}, u.user_no` }
  return readPage(sql, listed, params, limit)
}

interface Listed {
  from: string
  where: string
  order: string
}

/** Reads a page without large attributes, and then as many of these as weigh enough. */
async function readPage(sql: Sql, { from, where, order }: Listed, params: Param[], limit: number): Promise<UserPage> {
  const text = `SELECT ${SHORT_COLUMNS} FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ?`
  const rows = await sql.all<ShortRow>(text, [...params, limit + 1])
  const isLarge = ({ attributes }: BareRow) => attributes === null
  const weightOf = (row: ShortRow) => (isLarge(row) ? Number(row.bytes) : 0)
  const [page = []] = groupByWeight(rows.slice(0, limit), weightOf, LARGE_TOGETHER_BYTES)
  const large = page.filter(isLarge).map((row) => [Number(row.environmentId), String(row.userId)])
  const read = large.length === 0 ? [] : (await sql.bulk<RawRow>(FIND_MANY, large)).map(readUser)
  const byId = new Map(read.map((user) => [user.userId, user]))
  // One that was erased meanwhile has no attributes any more.
  const users = page.map((row) => byId.get(String(row.userId)) ?? readBare(row))
  return { users, hasMore: rows.length > page.length }
}
