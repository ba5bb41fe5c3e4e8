// Stores users and their profiles, and erases users with all their data.

import { LIMITS } from '../../../contract/limits.ts'
import { EMPTY_PROFILE, type ProfileChange, type User, type Users } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { ensureUsers, getUserNo, mergeInto, ProfileTooLarge, readUsers, writeProfiles } from './commit/recipients.ts'
import { beginErasure, eraseStep, listErasures, listErasuresOf } from './erasure.ts'
import { type Sql, withRows } from './sql.ts'
import { toUser, USER_COLUMNS, type UserRow } from './user-row.ts'
import type { WriteContext, Writes } from './write.ts'

const FIND_MANY = withRows(
  { environment_id: 'int', user_id: 'text' },
  `SELECT ${USER_COLUMNS} FROM given CROSS JOIN app_user u WHERE u.environment_id = given.environment_id AND u.user_id = given.user_id`,
)

export const userWrites = {
  async upsertUser(
    context: WriteContext,
    environmentId: number,
    userId: string,
    change: ProfileChange,
    now: number,
  ): Promise<User | 'profile-too-large'> {
    await ensureUsers(context, [{ environmentId, userId }], now)
    const userNo = getUserNo(context, environmentId, userId)
    const user = (await readUsers(context, [userNo])).get(userNo)
    if (user === undefined) throw new Error('user missing after its upsert')
    try {
      if (mergeInto(user, change, now)) await writeProfiles(context, [user])
    } catch (error) {
      // Returned, because an error would fail the other writes of the batch.
      if (error instanceof ProfileTooLarge) return 'profile-too-large'
      throw error
    }
    return user
  },
  beginErasure,
  eraseStep,
}

export function createUsers(sql: Sql, writes: Writes<typeof userWrites>): Users {
  async function find(environmentId: number, userId: string): Promise<User | undefined> {
    const text = `SELECT ${USER_COLUMNS} FROM app_user u WHERE u.environment_id = ? AND u.user_id = ?`
    const row = await sql.one<UserRow>(text, [environmentId, userId])
    return row && toUser(row)
  }
  return {
    find,
    async findMany(environmentId, userIds) {
      const rows = await sql.bulk<UserRow>(
        FIND_MANY,
        [...new Set(userIds)].map((userId) => [environmentId, userId]),
      )
      return new Map(rows.map((row) => [row.user_id, toUser(row)]))
    },
    async upsert(environmentId, userId, change, now) {
      // A sign-in with an unchanged profile only reads.
      const known = await find(environmentId, userId)
      const isDifferent = differs(known, change, now)
      if (known !== undefined && !isDifferent) return known
      const user = await writes.upsertUser(environmentId, userId, change, now)
      if (user === 'profile-too-large') throw tooLarge()
      return user
    },
    async erase(environmentId, userId, now) {
      const begun = await writes.beginErasure(environmentId, userId, now)
      // After an interrupted call, a repeated one must not report "no user" while rows are left.
      const userNos = begun === null ? await listErasuresOf(sql, environmentId, userId) : [begun]
      for (const userNo of userNos) await finishErasure(writes, userNo)
      return userNos.length > 0
    },
    finishErasures: (begunBefore) => finishErasures(sql, writes, begunBefore),
  }
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

function tooLarge(): ApiError {
  const message = `The attributes of the profile would have more than ${LIMITS.attributesBytes} bytes.`
  return new ApiError('request/payload-too-large', { message })
}

/** Finishes erasures that an earlier process did not finish. */
export function resumeErasures(sql: Sql, writes: Writes<typeof userWrites>): Promise<void> {
  return finishErasures(sql, writes, Number.MAX_SAFE_INTEGER)
}

async function finishErasures(sql: Sql, writes: Writes<typeof userWrites>, begunBefore: number): Promise<void> {
  for (const userNo of await listErasures(sql, begunBefore)) await finishErasure(writes, userNo)
}

/** Erases in steps, so that other work can run between them. */
async function finishErasure(writes: Writes<typeof userWrites>, userNo: number): Promise<void> {
  while (await writes.eraseStep(userNo)) {
    // Each step removes a bounded number of rows in a transaction of its own.
  }
}
