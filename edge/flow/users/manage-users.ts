// Manages users for their backend: read, merge, erase, sign out.

import type { UserAnswer } from '../../../contract/resources/user.ts'
import { isUserId, USER_ID_RULE } from '../../../contract/user-id.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import type { ProfileChange, User, UserAudit } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import type { CountDoubts } from '../doubts/count-doubts.ts'
import { doubtProfile } from '../doubts/profile-doubts.ts'

export type ManageUsers = ReturnType<typeof createManageUsers>

export function createManageUsers(
  deps: Pick<Core, 'users' | 'audit' | 'clock'> & {
    /** Ends the user's widget sessions and closes their sockets. Returns the number of ended sessions. */
    endSessionsOfUser(userNo: number): Promise<number>
    /** Removes the files of mails whose rows are gone. */
    sweepMailFiles(): Promise<unknown>
    /** Absent for a command beside the server. */
    countDoubts?: CountDoubts
  },
) {
  const { users, clock } = deps

  /** Throws `user/not-found`. */
  async function getUser(environment: Environment, userId: string): Promise<User> {
    const user = await users.find(environment.id, userId)
    if (user === undefined) throw new ApiError('user/not-found')
    return user
  }

  return {
    /** Throws `user/not-found`. */
    async get(environment: Environment, userId: string): Promise<UserAnswer> {
      return toUserAnswer(await getUser(environment, userId))
    },

    /**
     * Merges into the profile; creates the user when there is none. Changes by people are in the audit log, those of a
     * key are not: a backend may send a profile with each request. Throws `request/invalid-body` for an invalid id.
     */
    async change(environment: Environment, userId: string, change: ProfileChange, by: ChangedBy): Promise<UserAnswer> {
      if (!isUserId(userId)) {
        throw new ApiError('request/invalid-body', { details: [{ path: 'userId', message: USER_ID_RULE }] })
      }
      const now = clock.now()
      const user = await users.upsert(environment.id, userId, change, now, auditOfPerson(by, now))
      if (deps.countDoubts !== undefined) doubtProfile(deps.countDoubts.record, environment.id, userId, change)
      return toUserAnswer(user)
    },

    /**
     * Erases the user with all their data; counters stay. Sessions end first, so that no open page can write meanwhile.
     * A repeat finishes an interrupted erasure. Throws `user/not-found`.
     */
    async erase(environment: Environment, userId: string, by: ChangedBy): Promise<{ deleted: true }> {
      const user = await users.find(environment.id, userId)
      if (user !== undefined) await deps.endSessionsOfUser(user.userNo)
      // What was counted and is not written yet is erased too.
      await deps.countDoubts?.settle()
      if (!(await users.erase(environment.id, userId, clock.now()))) throw new ApiError('user/not-found')
      await deps.sweepMailFiles()
      // The log must not contain erased data.
      const entry = { at: clock.now(), ...by, action: 'user.erase', subject: 'a user', detail: {} }
      await deps.audit.record({ ...entry, environmentId: environment.id })
      return { deleted: true }
    },

    /** Ends all widget sessions of the user. Throws `user/not-found`. */
    async signOut(environment: Environment, userId: string): Promise<{ ended: number }> {
      const user = await getUser(environment, userId)
      return { ended: await deps.endSessionsOfUser(user.userNo) }
    },
  }
}

/** Returns the author of a change for the audit log; undefined for a key, whose changes are not recorded. */
export function auditOfPerson(by: ChangedBy, at: number): UserAudit | undefined {
  return by.actor === 'api' ? undefined : { at, ...by }
}

/** Converts a user to its wire shape. */
export function toUserAnswer(user: User): UserAnswer {
  return {
    userId: user.userId,
    email: user.email,
    name: user.name,
    locale: user.locale,
    timeZone: user.timeZone,
    attributes: user.attributes,
    externalIds: user.externalIds,
    createdAt: toIso(user.createdAt),
    updatedAt: toIso(user.updatedAt),
  }
}
