// Stores users and their profiles, and erases users with all their data.

import { LIMITS } from '../../../contract/limits.ts'
import { MAX_EXTERNAL_IDS } from '../../../contract/user-id.ts'
import type { InboxOwner } from '../../domain/message.ts'
import { createProfileRoom, HELD_BYTES } from '../../domain/profile-room.ts'
import {
  EMPTY_PROFILE,
  externalKeyOf,
  type ProfileChange,
  type User,
  type UserAudit,
  type Users,
} from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { differenceOf } from '../../lib/difference.ts'
import type { RawRow } from '../tables/table.ts'
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
import { findMany, findManyBare, findShort, findUser, listNewest, searchUsers } from './read-users.ts'
import { type Sql, withRows } from './sql.ts'
import { recordUserChange } from './user-audit.ts'
import { readUser, USER_COLUMNS } from './user-row.ts'
import type { WriteContext, Writes } from './write.ts'

const FIND_BY_EXTERNAL = withRows(
  { environment_id: 'int', system: 'text', value: 'text' },
  `SELECT x.system, x.value, u.user_id FROM given CROSS JOIN external_id x
    INNER JOIN app_user u ON u.environment_id = x.environment_id AND u.user_no = x.user_no
    WHERE x.environment_id = given.environment_id AND x.system = given.system AND x.value = given.value`,
)

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
    const before = audit && profileOf(user)
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
    if (audit === undefined || before === undefined) return user
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
  const room = createProfileRoom(HELD_BYTES)
  const takeTurns = createTurns()
  return {
    find,
    async findByNumber(environmentId, userNo) {
      const text = `SELECT ${USER_COLUMNS} FROM app_user u WHERE u.user_no = ? AND u.environment_id = ?`
      const row = await sql.one<RawRow>(text, [userNo, environmentId])
      return row && readUser(row)
    },
    listNewest: (environmentId, before, limit) => listNewest(sql, environmentId, before, limit),
    search: (search, after, limit) => searchUsers(sql, search, after, limit),
    findMany: (environmentId, userIds, mayRead) => findMany(sql, environmentId, userIds, mayRead),
    holding: (use) =>
      room.hold((mayRead) =>
        use({
          findMany: (environmentId, userIds) => findMany(sql, environmentId, userIds, mayRead),
          async find(environmentId, userId) {
            const { users, left } = await findMany(sql, environmentId, [userId], mayRead)
            if (left.size > 0) throw tooManyHeld()
            return users.get(userId)
          },
        }),
      ),
    findManyBare: (environmentId, userIds) => findManyBare(sql, environmentId, userIds),
    async upsert(...asked) {
      const [environmentId, userId] = asked
      const known = await findShort(sql, environmentId, userId)
      if (known !== 'large') return upsert(writes, known, asked)
      // One at a time: it is in memory here, at the writer, and on the way between them.
      return takeTurns(async () => upsert(writes, await find(environmentId, userId), asked))
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

/** Writes a change of what is known of the user. A sign-in with an unchanged profile writes nothing. */
async function upsert(
  writes: Writes<typeof userWrites>,
  known: User | undefined,
  asked: Parameters<Users['upsert']>,
): Promise<User> {
  const [, , change, now] = asked
  const isDifferent = differs(known, change, now)
  if (known !== undefined && !isDifferent) return known
  const user = await writes.upsertUser(...asked)
  if (user === 'profile-too-large') throw tooLarge()
  if (user === 'external-id-taken') throw taken()
  if (user === 'too-many-external-ids') throw tooManyIds()
  return user
}

/** Changes of large profiles that wait for each other: each takes some 100 ms. */
const MOST_WAITING = 32

/** @returns A function that calls one after the other, and throws `service/unavailable` when too many wait. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (work) => {
    if (waiting === MOST_WAITING) throw tooManyHeld()
    waiting++
    const done = last.then(work).finally(() => waiting--)
    last = done.catch(() => {})
    return done
  }
}

const profileOf = ({ email, name, locale, timeZone, attributes, externalIds }: User) =>
  structuredClone({ email, name, locale, timeZone, attributes, externalIds })

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

function tooManyHeld(): ApiError {
  return new ApiError('service/unavailable', {
    message: 'Too many large profiles are in use: try again in a moment.',
    reason: 'profiles',
    retryAfterSeconds: 1,
  })
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
