// Issues and verifies widget sessions: a JWT for one user of one environment, which ends with its lifetime, user or credential.

import { jwtVerify, SignJWT } from 'jose'
import type { Bus } from '../domain/bus.ts'
import type { Core } from '../domain/core.ts'
import type { Environment } from '../domain/environment.ts'
import type { Sessions, WidgetSession } from '../domain/session.ts'
import type { User } from '../domain/user.ts'
import { ApiError } from '../lib/api-error.ts'
import { createCache } from '../lib/cache.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId, type IdSource, parseId } from '../lib/id.ts'

const ISSUER = 'notification-center'
const AUDIENCE = 'notification-center/widget'
const MAX_TOKEN_CHARS = 4096
const MAX_VERIFIED = 50_000

export interface SessionGrant {
  environment: Environment
  user: User
  /** The credential of the sign-in: hash of the authSecretKey, `idp:<hash>` or `key:<hash>`. */
  credential: string
  frontKeyId: number
}

export interface WidgetSessions {
  issue(grant: SessionGrant): Promise<{ token: string; session: WidgetSession }>
  /** Throws `auth/invalid-session`. */
  verify(token: string | undefined): Promise<WidgetSession>
  /** Ends one session and publishes it; repeating it is no error. */
  end(session: WidgetSession): Promise<void>
  /** Returns the number of ended sessions. */
  endAllOfUser(userNo: number): Promise<number>
  /** Ends the sessions of a retired credential or Front API Key; returns their number. */
  endAllOfCredential(environmentId: number, by: { credential?: string; frontKeyId?: number }): Promise<number>
  /** Reads the sessions that ended before their expiry: at the start, and periodically to drop expired ones. */
  load(): Promise<void>
}

export function createWidgetSessions(
  deps: Pick<Core, 'sessions' | 'clock' | 'bus'> & {
    /** 32 bytes, `deriveSessionKey`. */
    sessionKey: Uint8Array
    region: string
    lifetimeMs: number
    ids: { session: IdSource }
    /** Whether environment, Front API Key and credential of a session are still valid (`createIsSessionValid`). */
    isSessionValid(session: WidgetSession): Promise<boolean>
    /** Resolves when this process knows all sessions that ended up to a second ago; absent when no other process ends sessions. */
    confirmEndings?(): Promise<void>
  },
): WidgetSessions {
  const { sessions, clock, bus, lifetimeMs } = deps
  const tokens = createSessionTokens(deps.sessionKey, deps.region, clock)
  const verified = createCache<string, WidgetSession>({ clock, maxSize: MAX_VERIFIED })
  const ended = createEndedSessions(sessions, clock, bus)

  function publish(sessionIds: number[]): number {
    if (sessionIds.length > 0) bus.publish('sessions-ended', { sessionIds })
    // Not left to the bus alone: after the answer the session must be refused at once.
    ended.add(sessionIds)
    return sessionIds.length
  }

  return {
    async issue({ environment, user, credential, frontKeyId }) {
      const createdAt = clock.now()
      const session: WidgetSession = {
        id: deps.ids.session.next(),
        environmentId: environment.id,
        userNo: user.userNo,
        userId: user.userId,
        credential,
        frontKeyId,
        createdAt,
        expiresAt: createdAt + lifetimeMs,
      }
      // Stored first: every issued token must be revocable.
      await sessions.create(session)
      const token = await tokens.sign(session)
      return { token, session }
    },
    async verify(token) {
      if (token === undefined || token.length > MAX_TOKEN_CHARS) throw new ApiError('auth/invalid-session')
      let session = verified.get(token)
      if (session === undefined) {
        session = await tokens.read(token)
        verified.set(token, session, session.expiresAt)
      }
      await deps.confirmEndings?.()
      if (clock.now() >= session.expiresAt || ended.has(session.id)) throw new ApiError('auth/invalid-session')
      if (!(await deps.isSessionValid(session))) throw new ApiError('auth/invalid-session')
      return session
    },
    async end(session) {
      await sessions.end(session.environmentId, session.id, clock.now())
      publish([session.id])
    },
    async endAllOfUser(userNo) {
      return publish(await sessions.endAllOfUser(userNo, clock.now()))
    },
    async endAllOfCredential(environmentId, by) {
      return publish(await sessions.endAllOfCredential(environmentId, by, clock.now()))
    },
    load: () => ended.load(),
  }
}

interface SessionClaims {
  /** For whoever routes requests to regions. */
  region: string
  jti: string
  env: string
  sub: string
  /** userNo: internal, but no secret. */
  uno: number
  cred: string
  fk: number
  /** Epoch milliseconds; `exp` and `iat` are these in seconds. */
  from: number
  to: number
}

/** Signs and reads the tokens, HS256 under a key of this deployment. */
function createSessionTokens(key: Uint8Array, region: string, clock: Clock) {
  return {
    sign(session: WidgetSession): Promise<string> {
      const claims: SessionClaims = {
        region,
        jti: formatId('session', session.id),
        env: formatId('environment', session.environmentId),
        sub: session.userId,
        uno: session.userNo,
        cred: session.credential,
        fk: session.frontKeyId,
        from: session.createdAt,
        to: session.expiresAt,
      }
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt(Math.floor(session.createdAt / 1000))
        .setExpirationTime(Math.ceil(session.expiresAt / 1000))
        .sign(key)
    },
    /** Throws `auth/invalid-session`. */
    async read(token: string): Promise<WidgetSession> {
      const options = {
        algorithms: ['HS256'],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp'],
        currentDate: new Date(clock.now()),
      }
      const { payload } = await jwtVerify<SessionClaims>(token, key, options).catch((cause: unknown) => {
        throw new ApiError('auth/invalid-session', {}, { cause })
      })
      const id = parseId('session', payload.jti)
      const environmentId = parseId('environment', payload.env)
      if (id === undefined || environmentId === undefined) throw new ApiError('auth/invalid-session')
      const { sub: userId, uno: userNo, cred: credential, fk: frontKeyId, from: createdAt, to: expiresAt } = payload
      return { id, environmentId, userNo, userId, credential, frontKeyId, createdAt, expiresAt }
    },
  }
}

/** Sessions that ended before their expiry, in memory, as every call of the widget checks them. */
interface EndedSessions {
  has(id: number): boolean
  add(ids: readonly number[]): void
  /** Replaces the list by that of the store, which omits expired sessions. */
  load(): Promise<void>
}

function createEndedSessions(sessions: Sessions, clock: Clock, bus: Bus): EndedSessions {
  let ended = new Set<number>()
  // Sessions that end while a load reads, as its result may lack them.
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
