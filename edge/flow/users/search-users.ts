// Lists users, newest first, or those whose id, e-mail or name has a beginning; and topics likewise.

import type { Page } from '../../../contract/api.ts'
import { COUNTED_SUBSCRIBERS, type TopicAnswer, type TopicsQuery } from '../../../contract/resources/topic.ts'
import type { UserAnswer, UsersQuery } from '../../../contract/resources/user.ts'
import type { Core } from '../../domain/core.ts'
import { externalKeyOf, SEARCH_FIELDS, type User } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import { cutPage, type PageQuery } from '../../lib/cut-page.ts'
import { toUserAnswer } from './manage-users.ts'

export type SearchUsers = ReturnType<typeof createSearchUsers>

const newestOf = (list: 'users' | 'topics', environmentId: number) => ({ list, of: environmentId })
const foundOf = (list: 'users' | 'topics', environmentId: number) => ({ list: `found-${list}`, of: environmentId })

export function createSearchUsers({ users, topics }: Pick<Core, 'users' | 'topics'>) {
  /** Reads from field to field until the page is full. The position is the last user, and the field that found it. */
  async function search(environmentId: number, beginning: string, position: number | null, limit: number) {
    const count = SEARCH_FIELDS.length
    let after = position === null ? null : await users.findByNumber(environmentId, Math.floor(position / count))
    if (after === undefined) throw lostPosition()
    const found: { user: User; at: number }[] = []
    let hasMore = false
    for (let place = position === null ? 0 : position % count; place < count && !hasMore; place++) {
      const field = SEARCH_FIELDS[place] as (typeof SEARCH_FIELDS)[number]
      const page = await users.search({ environmentId, field, beginning }, after, limit - found.length)
      found.push(...page.users.map((user) => ({ user, at: user.userNo * count + place })))
      hasMore = page.hasMore
      after = null
    }
    return { found, hasMore }
  }

  async function list(environmentId: number, position: number | null, limit: number) {
    const page = await users.listNewest(environmentId, position, limit)
    return { found: page.users.map((user) => ({ user, at: user.userNo })), hasMore: page.hasMore }
  }

  async function findByExternal(environmentId: number, externalId: string): Promise<UserAnswer[]> {
    const colon = externalId.indexOf(':')
    const id = { system: externalId.slice(0, colon), value: externalId.slice(colon + 1) }
    const userId = (await users.findByExternalIds(environmentId, [id])).get(externalKeyOf(id))
    const user = userId === undefined ? undefined : await users.find(environmentId, userId)
    return user === undefined ? [] : [toUserAnswer(user)]
  }

  return {
    /** Throws `request/invalid-query` for a cursor of another list. */
    async users(environmentId: number, { q = '', cursor, limit, externalId }: UsersQuery): Promise<Page<UserAnswer>> {
      if (externalId !== undefined) return { data: await findByExternal(environmentId, externalId), nextCursor: null }
      const name = (q === '' ? newestOf : foundOf)('users', environmentId)
      const position = parseCursor(name, cursor)
      const { found, hasMore } =
        q === '' ? await list(environmentId, position, limit) : await search(environmentId, q, position, limit)
      const last = hasMore ? found.at(-1) : undefined
      const nextCursor = last === undefined ? null : encodeCursor(name, last.at)
      return { data: found.map(({ user }) => toUserAnswer(user)), nextCursor }
    },

    /** The keys of the topics that a user joined, in their order. Throws `user/not-found`. */
    async topicsOf(environmentId: number, userId: string, query: PageQuery): Promise<Page<string>> {
      const user = await users.find(environmentId, userId)
      if (user === undefined) throw new ApiError('user/not-found')
      return cutPage({ list: 'user-topics', of: user.userNo }, await topics.listOfUser(user.userNo), query)
    },

    /** Throws as `users`. */
    async topics(environmentId: number, { q = '', cursor, limit }: TopicsQuery): Promise<Page<TopicAnswer>> {
      const name = (q === '' ? newestOf : foundOf)('topics', environmentId)
      const position = parseCursor(name, cursor)
      const after = q === '' || position === null ? null : await topics.findByNumber(environmentId, position)
      if (after === undefined) throw lostPosition()
      const page =
        q === ''
          ? await topics.listNewest(environmentId, position, limit + 1)
          : await topics.search(environmentId, q, after, limit + 1)
      const last = page.length > limit ? page[limit - 1] : undefined
      const nextCursor = last === undefined ? null : encodeCursor(name, last.topicNo)
      const data = page.slice(0, limit).map(({ key, subscribers, createdAt }) => {
        return { key, subscribers, subscribersCapped: subscribers >= COUNTED_SUBSCRIBERS, createdAt: toIso(createdAt) }
      })
      return { data, nextCursor }
    },
  }
}

function lostPosition(): ApiError {
  return new ApiError('request/invalid-query', {
    details: [{ path: 'cursor', message: 'The last entry of that page is gone. Begin again without a cursor.' }],
  })
}
