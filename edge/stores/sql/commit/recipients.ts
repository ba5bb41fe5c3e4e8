// Finds or creates the users of a batch with their inbox heads, and merges profile changes in order.

import type { InboxOwner } from '../../../domain/message.ts'
import type { TrackPlan } from '../../../domain/plan.ts'
import { LARGE_TOGETHER_BYTES, makesProfileTooLarge, mergeProfile, type User } from '../../../domain/user.ts'
import { groupByWeight } from '../../../lib/group-by-weight.ts'
import type { RawRow } from '../../tables/table.ts'
import { foldText } from '../beginning.ts'
import { insertRows, withRows } from '../sql.ts'
import { readBare, readUser, SHORT_COLUMNS, type ShortRow, USER_COLUMNS } from '../user-row.ts'
import type { WriteContext } from '../write.ts'
import { claimExternalIds } from './external-ids.ts'
import type { UserIdCache } from './user-id-cache.ts'
import { wakeQuietMails } from './wake-mails.ts'
import { createHeads, emptyHead } from './working-rows.ts'

const FIND_NUMBERS = withRows(
  { environment_id: 'int', user_id: 'text' },
  `SELECT u.user_no, u.environment_id, u.user_id FROM given
    CROSS JOIN app_user u WHERE u.environment_id = given.environment_id AND u.user_id = given.user_id`,
)
const CREATE_USERS = insertRows(
  'app_user',
  { environment_id: 'int', user_id: 'text', attributes: 'text', created_at: 'int', updated_at: 'int' },
  'ON CONFLICT (environment_id, user_id) DO NOTHING RETURNING user_no, environment_id, user_id',
)
const SAVE_PROFILES = withRows(
  {
    environment_id: 'int',
    user_no: 'int',
    email: 'text',
    name: 'text',
    locale: 'text',
    time_zone: 'text',
    attributes: 'text',
    external_ids: 'text',
    updated_at: 'int',
    email_search: 'text',
    name_search: 'text',
  },
  `UPDATE app_user SET email = given.email, name = given.name, locale = given.locale, time_zone = given.time_zone,
    attributes = given.attributes, external_ids = given.external_ids, updated_at = given.updated_at,
    email_search = given.email_search, name_search = given.name_search FROM given
    WHERE app_user.environment_id = given.environment_id AND app_user.user_no = given.user_no`,
)

export interface UserKey {
  environmentId: number
  userId: string
}
/** A gate with the number of its user. */
export interface UserGate<G> {
  gate: G
  userNo: number
  environmentId: number
}
interface NumberRow {
  user_no: number
  environment_id: number
  user_id: string
}

/** Adds the number of each user to `context.users`, and creates missing users. `now` is epoch ms. */
export async function ensureUsers(context: WriteContext, keys: UserKey[], now: number): Promise<void> {
  await findUsers(context, keys)
  // Each user has a head from the beginning, because transactions lock this row.
  await createHeads(context.sql, (await createUsers(context, keys, now)).map(emptyHead))
}

/** Reads the numbers of existing users into the cache. */
export async function findUsers({ sql, users }: WriteContext, keys: UserKey[]): Promise<void> {
  const unknown = listUnknown(users, keys)
  if (unknown.length > 0) learn(users, await sql.bulk<NumberRow>(FIND_NUMBERS, unknown.map(keyRow)))
}

/**
 * Creates the users that `findUsers` did not find. The caller writes their heads in the same transaction.
 * @returns The new users.
 */
export async function createUsers(context: WriteContext, keys: UserKey[], now: number): Promise<InboxOwner[]> {
  const { sql, users } = context
  const missing = listUnknown(users, keys)
  if (missing.length === 0) return []
  const rows = missing.map((key) => [...keyRow(key), '{}', now, now])
  const created = await sql.bulk<NumberRow>(CREATE_USERS, rows)
  learn(users, created)
  // Another node has created the others between the two statements.
  if (created.length < missing.length) await findUsers(context, missing)
  return created.map((row) => ({ environmentId: row.environment_id, userNo: row.user_no }))
}

function learn(users: UserIdCache, rows: NumberRow[]): void {
  for (const row of rows) users.learn(row.environment_id, row.user_id, row.user_no)
}

const keyRow = ({ environmentId, userId }: UserKey) => [environmentId, userId]

/** Returns whether the number of the user is cached. */
export function isKnown({ users }: WriteContext, { environmentId, userId }: UserKey): boolean {
  return users.get(environmentId, userId) !== undefined
}

/**
 * Returns the number of a user that `ensureUsers` or `createUsers` has added to the cache.
 * @throws Error when the user is not cached.
 */
export function getUserNo(context: WriteContext, environmentId: number, userId: string): number {
  const userNo = context.users.get(environmentId, userId)
  if (userNo === undefined) throw new Error('user number not cached')
  return userNo
}

/** @returns The users of a plan. A tracked event creates its single user even when no campaign matches. */
export function usersOf(plan: TrackPlan): UserKey[] {
  const ids = new Set<string>()
  if (plan.event !== null && plan.event.userId !== null) ids.add(plan.event.userId)
  if (plan.profile !== null) ids.add(plan.profile.userId)
  for (const run of plan.runs) ids.add(run.userId)
  for (const message of plan.messages) ids.add(message.userId)
  for (const gate of plan.gates ?? []) ids.add(gate.userId)
  return [...ids].map((userId) => ({ environmentId: plan.environmentId, userId }))
}

/**
 * Fails the transaction, because the merge of a plan makes a profile too large. The caller repeats the batch in halves
 * until only that plan fails.
 */
export class ProfileTooLarge extends Error {}

/**
 * Applies the profile changes in order, and writes the profiles that differ.
 * @returns The plans whose change was left out, because of an external id.
 * @throws ProfileTooLarge when a merge makes the attributes too large.
 */
export async function saveProfiles(context: WriteContext, plans: TrackPlan[]): Promise<Set<TrackPlan>> {
  const owners = new Map<number, InboxOwner>()
  for (const { environmentId, profile } of plans) {
    if (profile === null) continue
    const userNo = getUserNo(context, environmentId, profile.userId)
    owners.set(userNo, { environmentId, userNo })
  }
  if (owners.size === 0) return new Set()
  const { users, groups } = await readToMerge(context, [...owners.values()])
  const changes = plans.flatMap((plan) => {
    const { environmentId, profile, now } = plan
    const user = profile === null ? undefined : users.get(getUserNo(context, environmentId, profile.userId))
    return user === undefined || profile === null ? [] : [{ plan, user, change: profile.change, now }]
  })
  const refused = await claimExternalIds(context, changes)
  const zones = zonesOf(users.values())
  for (const group of groups) {
    await group.read()
    const changed = new Set<User>()
    for (const one of changes) {
      if (!group.users.has(one.user) || refused.has(one)) continue
      if (mergeInto(one.user, one.change, one.now)) changed.add(one.user)
    }
    await writeProfiles(context, [...changed], zones)
    for (const user of group.users) user.attributes = {}
  }
  return new Set([...refused.keys()].map(({ plan }) => plan))
}

/** Users whose attributes are in memory together; `read` reads them. */
interface Group {
  users: ReadonlySet<User>
  read(): Promise<void>
}

/** @returns all users, locked, with their attributes where these are short; `groups`: first those, then the others */
async function readToMerge(
  context: WriteContext,
  owners: InboxOwner[],
): Promise<{ users: Map<number, User>; groups: Group[] }> {
  const rows = await context.sql.bulk<ShortRow>(
    context.sql.forUpdate === '' ? READ_SHORT : READ_SHORT_LOCKED,
    inOrder(owners),
  )
  const all = rows.map((row) => ({ user: readBare(row), isLong: row.attributes === null, bytes: Number(row.bytes) }))
  const long = groupByWeight(
    all.filter(({ isLong }) => isLong),
    ({ bytes }) => bytes,
    LARGE_TOGETHER_BYTES,
  )
  const short = all.filter(({ isLong }) => !isLong).map(({ user }) => user)
  const groups = long.map((group): Group => {
    const own = group.map(({ user }) => user)
    const read = async () => {
      const whole = await readUsers(context, own)
      for (const user of own) user.attributes = whole.get(user.userNo)?.attributes ?? {}
    }
    return { users: new Set(own), read }
  })
  const users = new Map(all.map(({ user }) => [user.userNo, user]))
  return { users, groups: [{ users: new Set(short), read: async () => {} }, ...groups] }
}

const inOrder = (owners: readonly InboxOwner[]) =>
  owners.toSorted((a, b) => a.userNo - b.userNo).map(({ environmentId, userNo }) => [environmentId, userNo])

/**
 * Merges the change into `user`.
 * @returns False when nothing differs.
 * @throws ProfileTooLarge before `user` is changed.
 */
export function mergeInto(user: User, change: Parameters<typeof mergeProfile>[1], now: number): boolean {
  const before = JSON.stringify(profileRow(user, 0))
  const merged = mergeProfile(user, change)
  if (change.attributes && makesProfileTooLarge(user.attributes, merged.attributes)) throw new ProfileTooLarge()
  Object.assign(user, merged)
  if (JSON.stringify(profileRow(user, 0)) === before) return false
  user.updatedAt = now
  return true
}

const usersBy = (lock: string, columns = USER_COLUMNS) =>
  withRows(
    { environment_id: 'int', user_no: 'int' },
    `SELECT ${columns} FROM given CROSS JOIN app_user u
      WHERE u.environment_id = given.environment_id AND u.user_no = given.user_no${lock}`,
  )
const READ_USERS = usersBy('')
const LOCK = ' ORDER BY u.user_no FOR UPDATE OF u'
const READ_USERS_LOCKED = usersBy(LOCK)
const READ_SHORT = usersBy('', SHORT_COLUMNS)
const READ_SHORT_LOCKED = usersBy(LOCK, SHORT_COLUMNS)

/** @returns The users by number, locked until the end of the transaction. */
export async function readUsers(context: WriteContext, owners: InboxOwner[]): Promise<Map<number, User>> {
  const rows = await context.sql.bulk<RawRow>(
    context.sql.forUpdate === '' ? READ_USERS : READ_USERS_LOCKED,
    inOrder(owners),
  )
  return new Map(rows.map(readUser).map((user) => [user.userNo, user]))
}

/** @returns The time zones by user number, for `writeProfiles`. */
export const zonesOf = (users: Iterable<User>): ReadonlyMap<number, string | null> =>
  new Map(Array.from(users, ({ userNo, timeZone }) => [userNo, timeZone]))

/** Writes all profile columns of the users. `zones` are those from before. */
export async function writeProfiles(
  context: WriteContext,
  users: User[],
  zones: ReadonlyMap<number, string | null>,
): Promise<void> {
  const [first] = users
  if (first === undefined) return
  await context.sql.bulk(
    SAVE_PROFILES,
    users.map((user) => [...profileRow(user, user.updatedAt), foldOrNull(user.email), foldOrNull(user.name)]),
  )
  const moved = users.filter(({ userNo, timeZone }) => zones.get(userNo) !== timeZone)
  await wakeQuietMails(
    context.sql,
    moved.map(({ userNo }) => userNo),
    first.updatedAt,
  )
}

function profileRow(user: User, updatedAt: number) {
  const { environmentId, userNo, email, name, locale, timeZone, attributes, externalIds } = user
  const ids = Object.keys(externalIds).length === 0 ? null : JSON.stringify(externalIds)
  return [environmentId, userNo, email, name, locale, timeZone, JSON.stringify(attributes), ids, updatedAt]
}

const foldOrNull = (text: string | null) => (text === null ? null : foldText(text))

/** Returns the users that are not cached, unique and sorted, because all nodes create and lock in one order. */
function listUnknown(users: UserIdCache, keys: UserKey[]): UserKey[] {
  const unknown = keys.filter((key) => users.get(key.environmentId, key.userId) === undefined)
  const byKey = new Map(unknown.map((key) => [`${key.environmentId}:${key.userId}`, key]))
  return [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key)
}
