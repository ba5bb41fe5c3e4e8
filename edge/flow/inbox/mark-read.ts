// A backend marks what its user has already seen elsewhere (contract sections 5 and 14). No delivery event: nothing was rendered here.

import type { Bus } from '../../domain/bus.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Inboxes } from '../../domain/message.ts'
import type { Commit } from '../../domain/plan.ts'
import type { Users } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { parseId } from '../../lib/id.ts'
import { announce } from './announce.ts'

/** Messages of an entity that one plan marks. */
const CHUNK = 500

export type SeenElsewhere = { entity: string } | { messageIds: string[] }

/** Answers how many messages changed; ids that are not in this user's inbox count for nothing. Throws `user/not-found`. */
export type MarkRead = (environment: Environment, userId: string, seen: SeenElsewhere) => Promise<{ marked: number }>

export interface MarkReadDeps {
  commit: Pick<Commit, 'change'>
  inboxes: Pick<Inboxes, 'listOfEntity'>
  users: Pick<Users, 'find'>
  bus: Pick<Bus, 'publish'>
  clock: Clock
}

export function createMarkRead(deps: MarkReadDeps): MarkRead {
  async function mark(environmentId: number, userNo: number, messageIds: number[]): Promise<number> {
    if (messageIds.length === 0) return 0
    const items = messageIds.map((messageId) => ({ messageId, actions: [{ action: 'mark-opened' as const }] }))
    const now = deps.clock.now()
    const outcome = await deps.commit.change({ kind: 'change', environmentId, userNo, now, items, readAllUpTo: null })
    announce(deps.bus, outcome.pushes)
    return outcome.changed
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
      // The list begins with those that still have their dot, so each round meets new ones.
      const ids = await deps.inboxes.listOfEntity(user.userNo, seen.entity, CHUNK)
      const changed = await mark(environment.id, user.userNo, ids)
      marked += changed
      if (changed < CHUNK) return { marked }
    }
  }
}
