// Stores users and their profiles, and erases users with all their data.

import { LIMITS } from '../../../contract/limits.ts'
import { MAX_EXTERNAL_IDS } from '../../../contract/user-id.ts'
import type { InboxOwner } from '../../domain/message.ts'
import {
  EMPTY_PROFILE,
  externalKeyOf,
  LARGE_TOGETHER_BYTES,
  type ProfileChange,
  SEARCH_FIELDS,
  type SearchField,
  type User,
  type UserAudit,
  type UserPage,
  type UserSearch,
  type Users,
} from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { differenceOf } from '../../lib/difference.ts'
import { groupByWeight } from '../../lib/group-by-weight.ts'
import type { RawRow } from '../tables/table.ts'
import { boundsOf, lowerAscii } from './beginning.ts'
import { type ClaimRefusal, claimExternalIds, isClaimed } from './commit/external-ids.ts'
import {
  ensureUsers,
  getUserNo,
  mergeInto,
  ProfileTooLarge,
  readUsers,
  writeProfiles,
  zonesOf,
} from './commit/recipients.ts'
import { beginErasure, eraseStep, listErasures, listErasuresOf } from './erasure.ts'
import { type Param, type Sql, withRows } from './sql.ts'
import { recordUserChange } from './user-audit.ts'
import { BARE, type BareRow, readBare, readUser, SHORT_COLUMNS, type ShortRow, USER_COLUMNS } from './user-row.ts'
import type { WriteContext, Writes } from './write.ts'

const findBy = (columns: string) =>
  withRows(
    { environment_id: 'int', user_id: 'text' },
    `SELECT ${columns} FROM given CROSS JOIN app_user u WHERE u.environment_id = given.environment_id AND u.user_id = given.user_id`,
  )
const FIND_MANY = findBy(USER_COLUMNS)
/** One query for all, as long as no profile is large. */
const FIND_SHORT = findBy(SHORT_COLUMNS)
const FIND_BARE = findBy(BARE.columns)

const FIND_BY_EXTERNAL = withRows(
  { environment_id: 'int', system: 'text', value: 'text' },
  `SELECT x.system, x.value, u.user_id FROM given CROSS JOIN external_id x
    INNER JOIN app_user u ON u.environment_id = x.environment_id AND u.user_no = x.user_no
    WHERE x.environment_id = given.environment_id AND x.system = given.system AND x.value = given.value`,
)

const NO_BYTES: ReadonlyMap<string, number> = new Map()
const NOBODY: ReadonlySet<string> = new Set()

type UserRefusal = 'profile-too-large' | ClaimRefusal

export const userWrites = {
  async upsertUser(
    context: WriteContext,
    environmentId: number,
    userId: string,
    change: ProfileChange,
    now: number,
    audit?: UserAudit,
  ): Promise<User | UserRefusal> {
    if (await isClaimed(context.sql, environmentId, userId, change.externalIds)) return 'external-id-taken'

    const isNew = audit !== undefined && (await findUser(context.sql, environmentId, userId)) === undefined
    await ensureUsers(context, [{ environmentId, userId }], now)
    const userNo = getUserNo(context, environmentId, userId)
    const user = (await readUsers(context, [{ environmentId, userNo }])).get(userNo)
    if (user === undefined) throw new Error('user missing after its upsert')
    const before = profileOf(user)
    const zones = zonesOf([user])
    const [refusal] = (await claimExternalIds(context, [{ user, change }])).values()
    if (refusal !== undefined) return refusal
    try {
      if (mergeInto(user, change, now)) await writeProfiles(context, [user], zones)
      else if (!isNew) return user
    } catch (error) {
      // Returned, because an error would fail the other writes of the batch.
      if (error instanceof ProfileTooLarge) return 'profile-too-large'
      throw error
    }
    if (audit === undefined) return user
    const action = isNew ? 'user.create' : 'user.change'
    await recordUserChange(
      context,
      environmentId,
      audit,
      { action, subject: userId },
      differenceOf(before, profileOf(user)),
    )
    return user
  },
  beginErasure,
  eraseStep,
}

export function createUsers(sql: Sql, writes: Writes<typeof userWrites>): Users {
  const find = (environmentId: number, userId: string) => findUser(sql, environmentId, userId)
  return {
    find,
    async findByNumber(environmentId, userNo) {
      const text = `SELECT ${USER_COLUMNS} FROM app_user u WHERE u.user_no = ? AND u.environment_id = ?`
      const row = await sql.one<RawRow>(text, [userNo, environmentId])
      return row && readUser(row)
    },
    async listNewest(environmentId, before, limit) {
      const from = `app_user u ${sql.usingIndex('app_user_pkey')}`
      const where = 'u.environment_id = ? AND u.user_no < ?'
      return readPage(
        sql,
        { from, where, order: 'u.user_no DESC' },
        [environmentId, before ?? Number.MAX_SAFE_INTEGER],
        limit,
      )
    },
    search: (search, after, limit) => searchUsers(sql, search, after, limit),
    async findMany(environmentId, userIds) {
      const ids = [...new Set(userIds)]
      const rowOf = (userId: string) => [environmentId, userId]
      const rows = await sql.bulk<ShortRow>(FIND_SHORT, ids.map(rowOf))
      const small = rows.filter(({ attributes }) => attributes !== null)
      const users = new Map(small.map(readBare).map((user) => [user.userId, user]))
      if (small.length === rows.length) return { users, bytes: NO_BYTES, left: NOBODY }
      const large = new Map(
        rows.filter(({ attributes }) => attributes === null).map((row) => [String(row.userId), Number(row.bytes)]),
      )
      const [first = [], ...others] = groupByWeight(
        ids.filter((id) => large.has(id)),
        (id) => large.get(id) ?? 0,
        LARGE_TOGETHER_BYTES,
      )
      for (const row of await sql.bulk<RawRow>(FIND_MANY, first.map(rowOf))) {
        const user = readUser(row)
        users.set(user.userId, user)
      }
      return { users, bytes: large, left: new Set(others.flat()) }
    },
    async findManyBare(environmentId, userIds) {
      const rows = await sql.bulk<BareRow>(
        FIND_BARE,
        [...new Set(userIds)].map((userId) => [environmentId, userId]),
      )
      return new Map(rows.map(readBare).map((user) => [user.userId, user]))
    },
    async upsert(environmentId, userId, change, now, audit) {
      // A sign-in with an unchanged profile only reads.
      const known = await find(environmentId, userId)
      const isDifferent = differs(known, change, now)
      if (known !== undefined && !isDifferent) return known
      const user = await writes.upsertUser(environmentId, userId, change, now, audit)
      if (user === 'profile-too-large') throw tooLarge()
      if (user === 'external-id-taken') throw taken()
      if (user === 'too-many-external-ids') throw tooManyIds()
      return user
    },
    async findByExternalIds(environmentId, ids) {
      const rows = ids.map(({ system, value }) => [environmentId, system, value])
      const found = await sql.bulk<{ system: string; value: string; user_id: string }>(FIND_BY_EXTERNAL, rows)
      return new Map(found.map(({ user_id, ...id }) => [externalKeyOf(id), user_id]))
    },
    async erase(environmentId, userId, now) {
      const begun = await writes.beginErasure(environmentId, userId, now)
      // After an interrupted call, a repeated one must not report "no user" while rows are left.
      const users =
        begun === null ? await listErasuresOf(sql, environmentId, userId) : [{ environmentId, userNo: begun }]
      for (const user of users) await finishErasure(writes, user)
      return users.length > 0
    },
    finishErasures: (begunBefore) => finishErasures(sql, writes, begunBefore),
  }
}

async function findUser(sql: Sql, environmentId: number, userId: string): Promise<User | undefined> {
  const text = `SELECT ${USER_COLUMNS} FROM app_user u WHERE u.environment_id = ? AND u.user_id = ?`
  const row = await sql.one<RawRow>(text, [environmentId, userId])
  return row && readUser(row)
}

const profileOf = ({ email, name, locale, timeZone, attributes, externalIds }: User) =>
  structuredClone({ email, name, locale, timeZone, attributes, externalIds })

/** Expression and index of each field (`migrations/baseline/users.ts`); `isNull`: what a field without a value fulfils. */
const SEARCHED: Record<SearchField, { expression: string; index: string; isKnown: string; isNull: string }> = {
  userId: { expression: 'u.user_id', index: 'app_user_by_id', isKnown: '', isNull: '' },
  email: {
    expression: 'LOWER(u.email)',
    index: 'app_user_by_email',
    isKnown: ' AND u.email IS NOT NULL',
    isNull: 'u.email IS NULL OR ',
  },
  name: {
    expression: 'LOWER(u.name)',
    index: 'app_user_by_name',
    isKnown: ' AND u.name IS NOT NULL',
    isNull: 'u.name IS NULL OR ',
  },
}

async function searchUsers(
  sql: Sql,
  { environmentId, field, beginning }: UserSearch,
  after: User | null,
  limit: number,
): Promise<UserPage> {
  const { expression, index, isKnown } = SEARCHED[field]
  const textOf = (of: SearchField, text: string) => (of === 'userId' ? text : lowerAscii(text))
  const [from, to] = boundsOf(textOf(field, beginning))
  // The last row of the page before begins the range, so that a late page reads no more than the first one.
  const last =
    after === null ? { text: from, userNo: -1 } : { text: textOf(field, after[field] ?? ''), userNo: after.userNo }
  const params: Param[] = [environmentId, last.text, to, last.text, last.userNo]
  const earlier = SEARCH_FIELDS.slice(0, SEARCH_FIELDS.indexOf(field)).map((other) => {
    params.push(...boundsOf(textOf(other, beginning)))
    const { expression: compared, isNull } = SEARCHED[other]
    return ` AND (${isNull}${compared} < ? OR ${compared} >= ?)`
  })
  const where = `u.environment_id = ?${isKnown} AND ${expression} >= ? AND ${expression} < ? AND (${expression} > ? OR u.user_no > ?)
    ${earlier.join('')}`
  const listed = { from: `app_user u ${sql.usingIndex(index)}`, where, order: `${expression}, u.user_no` }
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

/**
 * Returns whether the change differs from the stored profile.
 * @throws ApiError before a user is created, when the profile would be too large.
 */
function differs(known: User | undefined, change: ProfileChange, now: number): boolean {
  const user = known ?? { ...EMPTY_PROFILE, userNo: 0, environmentId: 0, userId: '', createdAt: now, updatedAt: now }
  try {
    return mergeInto(user, change, now)
  } catch (error) {
    throw error instanceof ProfileTooLarge ? tooLarge() : error
  }
}

function taken(): ApiError {
  return new ApiError('request/conflict', { message: 'Another user has one of these external ids.' })
}

function tooManyIds(): ApiError {
  const details = [{ path: 'externalIds', message: `A user has at most ${MAX_EXTERNAL_IDS} external ids.` }]
  return new ApiError('request/invalid-body', { details })
}

function tooLarge(): ApiError {
  const message = `The attributes of the profile would have more than ${LIMITS.attributesBytes} bytes.`
  return new ApiError('request/payload-too-large', { message })
}

/** Finishes erasures that an earlier process did not finish. */
export function resumeErasures(sql: Sql, writes: Writes<typeof userWrites>): Promise<void> {
  return finishErasures(sql, writes, Number.MAX_SAFE_INTEGER)
}

async function finishErasures(sql: Sql, writes: Writes<typeof userWrites>, begunBefore: number): Promise<void> {
  for (const user of await listErasures(sql, begunBefore)) await finishErasure(writes, user)
}

/** Erases in steps, so that other work can run between them. */
async function finishErasure(writes: Writes<typeof userWrites>, { environmentId, userNo }: InboxOwner): Promise<void> {
  while (await writes.eraseStep(environmentId, userNo)) {
    // Each step removes a bounded number of rows in a transaction of its own.
  }
}
