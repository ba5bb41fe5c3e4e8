// Which sessions ended before their time, in memory: asked at every call of the widget (contract section 4).

import type { Bus } from '../domain/bus.ts'
import type { Sessions } from '../domain/session.ts'
import type { Clock } from '../lib/clock.ts'

export interface EndedSessions {
  has(id: number): boolean
  add(ids: readonly number[]): void
  /** Takes over what the store knows; sessions whose time is over are forgotten. */
  load(): Promise<void>
}

export function createEndedSessions(sessions: Sessions, clock: Clock, bus: Bus): EndedSessions {
  let ended = new Set<number>()
  // While a load reads, endings come in that its answer may lack.
  let meanwhile: Set<number> | undefined
  const add = (ids: readonly number[]) => {
    for (const id of ids) {
      ended.add(id)
      meanwhile?.add(id)
    }
  }
  bus.subscribe('sessions-ended', ({ sessionIds }) => add(sessionIds))
  return {
    has: (id) => ended.has(id),
    add,
    async load() {
      const since = new Set<number>()
      meanwhile = since
      const stored = await sessions.listEnded(clock.now())
      if (meanwhile !== since) return
      ended = new Set([...stored, ...since])
      meanwhile = undefined
    },
  }
}
