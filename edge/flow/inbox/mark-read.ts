// Marks messages as read for a backend whose user has seen them elsewhere. Writes no delivery event, as nothing was
// rendered.

import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import { ApiError } from '../../lib/api-error.ts'
import { parseId } from '../../lib/id.ts'

/** Number of messages that one plan marks. */
const CHUNK = 500

export type SeenElsewhere = { entity: string } | { messageIds: string[] }

/** Ids outside of this user's inbox are ignored. @returns how many messages changed @throws `user/not-found` */
export type MarkRead = (environment: Environment, userId: string, seen: SeenElsewhere) => Promise<{ marked: number }>

export function createMarkRead(deps: Pick<Core, 'commitPlan' | 'inboxes' | 'users' | 'clock'>): MarkRead {
  async function mark(environmentId: number, userNo: number, messageIds: number[]): Promise<number> {
    if (messageIds.length === 0) return 0
    const items = messageIds.map((messageId) => ({ messageId, actions: [{ action: 'mark-opened' as const }] }))
    const now = deps.clock.now()
    const plan = { kind: 'change' as const, environmentId, userNo, now, items, readAllUpTo: null }
    return (await deps.commitPlan(plan)).changed
  }

  return async function markRead(environment, userId, seen) {
    const user = await deps.users.find(environment.id, userId)
    if (user === undefined) throw new ApiError('user/not-found')
    if ('messageIds' in seen) {
      const ids = new Set(seen.messageIds.flatMap((id) => parseId('message', id) ?? []))
      return { marked: await mark(environment.id, user.userNo, [...ids]) }
    }
    let marked = 0
    for (;;) {
      // The list begins with messages that still have their dot, so each round finds new ones.
      const ids = await deps.inboxes.listOfEntity(user, seen.entity, CHUNK)
      const changed = await mark(environment.id, user.userNo, ids)
      marked += changed
      if (changed < CHUNK) return { marked }
    }
  }
}
