// How a socket goes: by itself, closed by us, or cut (contract section 5).

import type { Bus } from '../domain/bus.ts'
import type { Log } from '../lib/log.ts'
import type { Member } from './member.ts'
import type { GatewayMetrics } from './metrics.ts'
import { hasWaiting } from './outbox.ts'
import type { Presence } from './presence.ts'

export interface Departure {
  /** It is gone, or as good as that: it gets nothing more. */
  leave(member: Member): void
  /** A close that the client sees, and comes back from. */
  close(member: Member): void
  /** For what no client of ours does. */
  cut(member: Member): void
  /** It could not be served: it comes back and heals by `seq`. */
  onFault(member: Member, error: unknown): void
}

export interface DepartureDeps {
  presence: Presence
  bus: Pick<Bus, 'unfollow'>
  metrics: GatewayMetrics
  log: Log
}

export function createDeparture({ presence, bus, metrics, log }: DepartureDeps): Departure {
  function leave(member: Member): void {
    member.gone = true
    member.held = []
    presence.remove(member)
    if (presence.ofUser(member.session.userNo) === undefined) bus.unfollow(member.session.userNo)
    metrics.onSockets(presence.size())
  }

  function close(member: Member): void {
    leave(member)
    // A close waits for what is under way, and a client that does not read would keep it waiting.
    if (hasWaiting(member)) member.net.destroy()
    else member.connection.close()
  }

  return {
    leave,
    close,
    cut(member) {
      metrics.onCut('protocol')
      leave(member)
      member.net.destroy()
    },
    onFault(member, error) {
      log.error('A socket could not be brought up to date.', { sessionId: member.session.id, error })
      close(member)
    },
  }
}
