// Watches the sessions of connected sockets: warns 60 s before they expire, renews them, closes sockets of ended sessions.

import { setImmediate } from 'node:timers/promises'
import type { RenewAnswer } from '../../contract/frames.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Core } from '../domain/core.ts'
import type { WidgetSession } from '../domain/session.ts'
import { ApiError } from '../lib/api-error.ts'
import { toIso } from '../lib/clock.ts'
import type { Member, Presence } from './presence.ts'
import type { SendBuffer } from './send-buffer.ts'

const CLOSED_PER_TURN = 250

export interface SessionWatch {
  /** Closes sockets of expired sessions, and warns clients whose session expires soon. */
  sweep(): void
  /** Verifies the new token of a socket. Never rejects. */
  renew(member: Member, request: unknown): Promise<RenewAnswer>
  /** Closes the sockets of these sessions. */
  end(sessionIds: number[]): void
  /** Closes sockets whose environment, credential or Front API Key is no longer valid, or whose environment is closed. */
  checkValidity(): Promise<void>
}

/** @returns Functions that the gateway calls periodically, and at events. */
export function createSessionWatch(
  deps: Pick<Core, 'clock'> & {
    presence: Presence
    buffer: SendBuffer
    /** @throws ApiError `auth/invalid-session` */
    verifySession(token: string | undefined): Promise<WidgetSession>
    /** Whether environment, Front API Key and credential of a session are still valid. */
    isSessionValid(session: WidgetSession): Promise<boolean>
    close(member: Member): void
  },
): SessionWatch {
  const { presence, buffer, close, verifySession } = deps

  async function renew(member: Member, request: unknown): Promise<RenewAnswer> {
    const token = findToken(request)
    const session = await verifySession(token)
    const { userNo, environmentId } = member.session
    if (session.userNo !== userNo || session.environmentId !== environmentId) throw new ApiError('auth/invalid-session')
    if (!member.gone) {
      presence.changeSession(member, session)
      member.warned = false
      // Verifies again, because only from now on the end of the new session closes this socket.
      await verifySession(token).catch((error) => {
        close(member)
        throw error
      })
    }
    return { ok: true, expiresAt: toIso(session.expiresAt) }
  }

  /** Clients of a closed environment connect again until it is open. */
  const isServed = (session: WidgetSession) =>
    deps.isSessionValid(session).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'environment/closed') return false
      throw error
    })

  /** Closes sockets over several turns of the event loop: one expired key may end thousands. */
  async function closeAll(members: Member[]): Promise<void> {
    for (const [at, member] of members.entries()) {
      if (at > 0 && at % CLOSED_PER_TURN === 0) await setImmediate()
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
          buffer.emit(member, 'session:expiring', { expiresAt: toIso(expiresAt) })
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

    async checkValidity() {
      // Thousands of sessions share a few keys: each key is checked once.
      for (const group of [...presence.byCredential()]) {
        const [first] = group
        if (first === undefined || (await isServed(first.session))) continue
        await closeAll([...group])
      }
    },
  }
}

function findToken(request: unknown): string | undefined {
  if (typeof request !== 'object' || request === null || !('token' in request)) return undefined
  return typeof request.token === 'string' ? request.token : undefined
}
