// The widget session: signs in, renews before the end and once after a 401, never in a loop.

import type { Appearance, AuthAnswer } from '../../contract/api.ts'
import { monotonicNow } from '../lib/clock.ts'
import { CallError, failureOf, isOutOfReach } from '../lib/failure.ts'
import type { Call, CallOptions } from './api.ts'

export type SignInReason = 'start' | 'expiring' | 'refused'
export type TokenProvider = (request: { reason: SignInReason }) => Promise<{ userId?: string; token: string }>

export interface Credential {
  apiKey: string
  authType: string
  userId: string | null
  token: string | null
  tokenProvider: TokenProvider | null
}

/** What a sign-in tells, or a tab that was told: all but the session. */
export interface Known extends Pick<AuthAnswer, 'user' | 'inbox' | 'realtime'> {
  /** Absent in what a tab of an older version knows. */
  appearance?: Appearance | null
  /** The service's time, epoch ms. */
  now: number
}

export interface SignedIn {
  answer: Known
  /** Whose stored inbox this is: the user id given, else the token's `sub`. */
  ownerId: string
}

export interface Session {
  /**
   * Asks for a session; calls at the same time share one request. `isNew`: the credential was set anew, and what the former one
   * is answered counts no more. Throws CallError.
   */
  signIn(reason: SignInReason, isNew?: boolean): Promise<void>
  /** A call with the session, which is asked for first if need be. A 401 renews once and tries once more; anew only if the page slept since. Throws CallError. */
  call<T>(method: string, path: string, options?: CallOptions): Promise<T>
  token(): string | undefined
  /** The service says that the session ends soon: renews, unless that was just done. Or there is another reason. */
  renewIfDue(isDue?: boolean): void
  /** Ends the timers; the token is forgotten. `ends`: the session, too. One whose answer comes afterwards is ended in any case. */
  stop(ends?: boolean): Promise<void>
}

export interface SessionDeps {
  call: Call
  credential: () => Credential
  onSignedIn: (signedIn: SignedIn) => void
  /** It was refused: nothing more is tried until a credential is set anew. */
  onRefused: (error: CallError) => void
}

/** Renews when a fifth of the lifetime is left, at most 90 s before its end. */
const EARLY_MS = 90_000
const MAX_TIMER_MS = 2 ** 31 - 1
const RETRY_MS = 5_000
/** A new token that is refused within this time was never good; later, the page slept and its session ended meanwhile. */
const FRESH_MS = 30_000

type Exchanged = [answer: AuthAnswer, ownerId: string]

export function createSession({ call, credential, onSignedIn, onRefused }: SessionDeps): Session {
  let token: string | undefined
  let pending: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  let halfLifeAt = 0

  const exchange = async (reason: SignInReason): Promise<Exchanged> => {
    const { apiKey, authType, tokenProvider, ...given } = credential()
    const provided = tokenProvider ? await askProvider(tokenProvider, reason) : given
    const userId = provided.userId ?? given.userId
    try {
      const answer = await call<AuthAnswer>('POST', '/v1/users/auth', {
        body: { apiKey, authType, token: provided.token, ...(authType === 'backendToken' && { userId }) },
      })
      // What has no user is no answer of the service, but a portal's or a proxy's: this throws, and it is tried again.
      const { userId: named } = answer.user
      return [answer, userId ?? subjectOf(provided.token) ?? named]
    } catch (error) {
      // A provider may hold a token that has just ended: it is asked once for another.
      if (tokenProvider && reason !== 'refused' && failureOf(error).status === 401) return exchange('refused')
      throw error
    }
  }

  /** One that cannot be ended now ends by itself. */
  const end = (held: string): Promise<void> =>
    call<void>('DELETE', '/v1/inbox/session', { token: held }).catch(() => {})

  const take = ([answer, ownerId]: Exchanged): void => {
    const { sessionToken, expiresIn, expiresAt, user, inbox, realtime, appearance } = answer
    // Nobody would hold it.
    if (stopped) return void end(sessionToken)
    token = sessionToken
    const lifetimeMs = expiresIn * 1000
    halfLifeAt = monotonicNow() + lifetimeMs / 2
    renewIn(lifetimeMs - Math.min(EARLY_MS, lifetimeMs / 5))
    const now = Date.parse(expiresAt) - lifetimeMs
    onSignedIn({ ownerId, answer: { user, inbox, realtime, appearance, now } })
  }
  const signIn = (reason: SignInReason, isNew?: boolean): Promise<void> => {
    if (pending && !isNew) return pending
    const run: Promise<void> = exchange(reason)
      .then(
        (exchanged) => (isOvertaken: boolean) => (isOvertaken ? void end(exchanged[0].sessionToken) : take(exchanged)),
        (error) => (isOvertaken: boolean) => {
          if (!isOvertaken) throw error
        },
      )
      .then((settle) => {
        const isOvertaken = pending !== run
        if (!isOvertaken) pending = undefined
        settle(isOvertaken)
        return pending
      })
    pending = run
    return run
  }

  // By a timer from the receipt, never by this device's clock. One that slept through is caught by the 401.
  const renewIn = (delayMs: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void renew(), Math.min(delayMs, MAX_TIMER_MS))
  }

  const renewOrThrow = async (reason: SignInReason): Promise<void> => {
    try {
      await signIn(reason)
    } catch (error) {
      if (!stopped && !isOutOfReach(failureOf(error))) onRefused(error as CallError)
      throw error
    }
  }
  const renew = (): Promise<void> =>
    renewOrThrow('expiring').catch((error) => {
      if (!stopped && isOutOfReach(failureOf(error))) renewIn(RETRY_MS * (1 + Math.random()))
    })

  return {
    signIn,
    token: () => token,
    renewIfDue: (isDue = monotonicNow() > halfLifeAt) => {
      if (!stopped && isDue) void renew()
    },
    call: async <T>(method: string, path: string, options: CallOptions = {}): Promise<T> => {
      if (!token && !stopped) await renewOrThrow('start')
      for (let renewedAt: number | undefined; ; ) {
        const used = token
        try {
          return await call<T>(method, path, { ...options, token: used })
        } catch (error) {
          if (stopped || failureOf(error).status !== 401) throw error
          if (renewedAt !== undefined && monotonicNow() - renewedAt < FRESH_MS) {
            onRefused(error as CallError)
            throw error
          }
        }
        // Another call may have renewed meanwhile: then its token is tried first.
        if (token !== used) continue
        // One on its way may have begun before a sleep, and bring a session that has ended: it says nothing of this moment.
        if (!pending) renewedAt = monotonicNow()
        await renewOrThrow('refused')
      }
    },
    stop: async (ends) => {
      const held = token
      stopped = true
      clearTimeout(timer)
      token = undefined
      await (ends && held && end(held))
    },
  }
}

async function askProvider(provider: TokenProvider, reason: SignInReason): Promise<{ userId?: string; token: string }> {
  try {
    const { userId, token } = await provider({ reason })
    return { ...(userId && { userId: userId.trim() }), token: token.trim() }
  } catch (cause) {
    // The page's own backend is out of reach or broken; that may pass, so it counts as "no answer".
    throw new CallError(
      { status: 0, code: 'client/token-provider', correlationId: null, retryAfterMs: undefined },
      { cause },
    )
  }
}

/** The `sub` of a JWT, unverified: it is only part of keys in this browser's storage. */
export function subjectOf(token: string | null): string | undefined {
  try {
    const payload = token?.split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
    const { sub }: { sub?: unknown } = JSON.parse(new TextDecoder().decode(bytes))
    return typeof sub === 'string' || Number.isSafeInteger(sub) ? `${sub}` : undefined
  } catch {
    return undefined
  }
}
