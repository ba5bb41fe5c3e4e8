// Manages the subscribers of a topic: reads pages, adds and removes.

import type { SubscriberPageAnswer, SubscribersQuery } from '../../../contract/resources/topic.ts'
import { isUserId, USER_ID_RULE } from '../../../contract/user-id.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Named } from '../../domain/names.ts'
import { ApiError } from '../../lib/api-error.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import { auditOfPerson } from './manage-users.ts'

const listOf = ({ id }: Environment) => ({ list: 'subscribers', of: id })

export type ManageTopics = ReturnType<typeof createManageTopics>

export function createManageTopics(deps: Pick<Core, 'topics' | 'names' | 'clock'>) {
  const { topics, names, clock } = deps

  async function namesOf(scope: number, shown: { userId: string }[]): Promise<Record<string, string>> {
    const named = (id: string): Named => ({ kind: 'user', scope, id })
    const nameOf = await names.find(shown.map(({ userId }) => named(userId)))
    return Object.fromEntries(shown.flatMap(({ userId }) => entryOf(userId, nameOf(named(userId)))))
  }

  return {
    /** Returns user ids, the latest subscribers first, and names if they are asked for. Throws `request/invalid-query`. */
    async list(
      environment: Environment,
      key: string,
      { cursor, limit, names: hasNames }: SubscribersQuery,
    ): Promise<SubscriberPageAnswer> {
      const before = parseCursor(listOf(environment), cursor)
      const rows = await topics.listNewestSubscribers(environment.id, key, before, limit + 1)
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      return {
        data: shown.map((row) => row.userId),
        ...(hasNames === 'true' && { names: await namesOf(environment.id, shown) }),
        nextCursor: rows.length > limit && last !== undefined ? encodeCursor(listOf(environment), last.place) : null,
      }
    },

    /**
     * Adds and removes in one transaction; users and the topic are created when unknown. Changes by people are in the
     * audit log. Throws `request/invalid-body`.
     */
    async change(
      environment: Environment,
      key: string,
      { add, remove }: { add: string[]; remove: string[] },
      by: ChangedBy,
    ): Promise<{ key: string }> {
      if (!isUserId(key)) refuse('key', USER_ID_RULE)
      const added = new Set(add)
      const both = remove.find((userId) => added.has(userId))
      if (both !== undefined) refuse('remove', 'A user is in both add and remove.')
      const now = clock.now()
      await topics.change(environment.id, key, [...added], [...new Set(remove)], now, auditOfPerson(by, now))
      return { key }
    },
  }
}

/** `__proto__` is an id too: entries keep it as a plain key. */
const entryOf = (userId: string, name: string | null): [string, string][] => (name === null ? [] : [[userId, name]])

function refuse(path: string, message: string): never {
  throw new ApiError('request/invalid-body', { details: [{ path, message }] })
}
