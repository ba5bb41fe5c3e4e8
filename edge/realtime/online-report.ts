// Tells all nodes every few seconds how many users of each environment are connected to this one.

import { randomUUID } from 'node:crypto'
import { ONLINE_EVERY_MS, type OnlineReport } from '../domain/bus.ts'
import type { Core } from '../domain/core.ts'
import type { Presence } from './presence.ts'

/** @returns The users with a socket here, by environment. */
export function countUsers(presence: Pick<Presence, 'userNos' | 'ofUser'>): OnlineReport['users'] {
  const users = new Map<number, number>()
  for (const userNo of presence.userNos()) {
    const [member] = presence.ofUser(userNo) ?? []
    if (member === undefined) continue
    const { environmentId } = member.session
    users.set(environmentId, (users.get(environmentId) ?? 0) + 1)
  }
  return [...users]
}

/** Starts the reports. @returns A function that stops them. */
export function startOnlineReport({ bus, presence }: Pick<Core, 'bus'> & { presence: Presence }): () => void {
  const nodeId = randomUUID()
  const timer = setInterval(() => bus.publish('users-online', { nodeId, users: countUsers(presence) }), ONLINE_EVERY_MS)
  return () => {
    clearInterval(timer)
    bus.publish('users-online', { nodeId, users: [] })
  }
}
