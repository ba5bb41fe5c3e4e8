// Sessions of connected sockets: told 60 s before their end, renewed, closed when they are over (contract section 5).

import { setImmediate } from 'node:timers/promises'
import type { RenewAnswer } from '../../contract/frames.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { WidgetSession } from '../domain/session.ts'
import { ApiError } from '../lib/api-error.ts'
import { type Clock, toIso } from '../lib/clock.ts'
import type { Member } from './member.ts'
import type { Outbox } from './outbox.ts'
import type { Presence } from './presence.ts'

const CLOSED_IN_A_TURN = 250

export interface SessionWatch {
  /** Looks at all members: one timer for all of them. */
  sweep(): void
  renew(member: Member, request: unknown): Promise<RenewAnswer>
  /** Closes exactly the sockets of these sessions. */
  end(sessionIds: number[]): void
  /** Closes sockets whose credential or Front API Key has come to its end without anybody announcing it. */
  checkVouched(): Promise<void>
}

export interface SessionWatchDeps {
  presence: Presence
  outbox: Outbox
  clock: Clock
  /** Throws `auth/invalid-session`. */
  verifySession(token: string | undefined): Promise<WidgetSession>
  /** Whether environment, Front API Key and credential of a session still stand. */
  isVouched(session: WidgetSession): Promise<boolean>
  close(member: Member): void
}

export function createSessionWatch(deps: SessionWatchDeps): SessionWatch {
  const { presence, outbox, close, verifySession } = deps

  async function renew(member: Member, request: unknown): Promise<RenewAnswer> {
    const token = findToken(request)
    const session = await verifySession(token)
    const { userNo, environmentId } = member.session
    if (session.userNo !== userNo || session.environmentId !== environmentId) throw new ApiError('auth/invalid-session')
    if (!member.gone) {
      presence.changeSession(member, session)
      member.warned = false
      // Asked again now that its end would find this socket: one that ended in between is refused here.
      await verifySession(token).catch((error) => {
        close(member)
        throw error
      })
    }
    return { ok: true, expiresAt: toIso(session.expiresAt) }
  }

  /** A key that ends may take thousands of sockets with it: the loop serves others between. */
  async function closeAll(members: Member[]): Promise<void> {
    for (const [at, member] of members.entries()) {
      if (at > 0 && at % CLOSED_IN_A_TURN === 0) await setImmediate()
      close(member)
    }
  }

  return {
    sweep() {
      const now = deps.clock.now()
      for (const member of presence.all()) {
        const { expiresAt } = member.session
        if (expiresAt <= now) close(member)
        else if (!member.warned && !member.reading && expiresAt - now <= LIMITS.sessionExpiringMs) {
          member.warned = true
          outbox.emit(member, 'session:expiring', { expiresAt: toIso(expiresAt) })
        }
      }
    },

    renew: (member, request) =>
      renew(member, request).catch((error: unknown) => ({
        ok: false,
        code: error instanceof ApiError ? error.code : 'service/unavailable',
      })),

    end(sessionIds) {
      void closeAll(sessionIds.flatMap((sessionId) => [...(presence.ofSession(sessionId) ?? [])]))
    },

    async checkVouched() {
      // Thousands of sessions stand on a few keys: each key is asked about once.
      for (const group of [...presence.byVoucher()]) {
        const [first] = group
        if (first === undefined || (await deps.isVouched(first.session))) continue
        await closeAll([...group])
      }
    },
  }
}

function findToken(request: unknown): string | undefined {
  if (typeof request !== 'object' || request === null || !('token' in request)) return undefined
  return typeof request.token === 'string' ? request.token : undefined
}
