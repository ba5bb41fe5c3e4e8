// How many calls a minute a stranger, a user and an environment may make (contract section 1, `request/rate-limited`; `RATE_LIMITS`).

import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ApiError } from '../lib/api-error.ts'
import type { AnswerHeaders } from './answer.ts'
import { type HttpContext, headerOf } from './context.ts'
import type { Guard } from './route.ts'

const WINDOW_SECONDS = 60

/** Calls a minute by class; null: no limit. */
export interface CallLimits {
  /** `users/auth`, per address. */
  auth: number | null
  /** Inbox calls, per user. */
  inbox: number | null
  /** Tracked events, per environment. */
  track: number | null
}

export interface RateLimits {
  /** For `POST /v1/users/auth`. */
  authGuard: Guard<'none'>
  /** For every inbox call. */
  inboxGuard: Guard<'widget'>
  /** Takes `events` from the environment's share. Sets the headers; throws `request/rate-limited`. */
  takeTrack(environmentId: number, events: number, headers: AnswerHeaders): Promise<void>
}

export interface RateLimitsDeps {
  limits: CallLimits
  /** Proxies in front that add to `X-Forwarded-For`. */
  trustedProxies: number
}

type Take = (key: string, points: number, headers: AnswerHeaders) => Promise<void>

/** Counts in this process, in windows of a minute that begin with a caller's first call. */
export function createRateLimits({ limits, trustedProxies }: RateLimitsDeps): RateLimits {
  const auth = limiterOf('auth', limits.auth)
  const inbox = limiterOf('inbox', limits.inbox)
  const track = limiterOf('track', limits.track)
  return {
    authGuard: ({ c, headers }) => auth(networkOf(clientAddress(c, trustedProxies)), 1, headers),
    inboxGuard: ({ session, headers }) => inbox(String(session.userNo), 1, headers),
    takeTrack: (environmentId, events, headers) => track(String(environmentId), events, headers),
  }
}

function limiterOf(keyPrefix: string, perMinute: number | null): Take {
  if (perMinute === null) return async () => {}
  const limiter = new RateLimiterMemory({ keyPrefix, points: perMinute, duration: WINDOW_SECONDS })
  return async (key, points, headers) => {
    try {
      describe(headers, perMinute, await limiter.consume(key, points))
    } catch (state) {
      if (!(state instanceof RateLimiterRes)) throw state
      describe(headers, perMinute, state)
      throw new ApiError('request/rate-limited', { retryAfterSeconds: Math.ceil(state.msBeforeNext / 1000) })
    }
  }
}

function describe(headers: AnswerHeaders, limit: number, state: RateLimiterRes): void {
  headers['ratelimit-limit'] = String(limit)
  headers['ratelimit-remaining'] = String(Math.max(0, state.remainingPoints))
  headers['ratelimit-reset'] = String(Math.ceil(state.msBeforeNext / 1000))
}

/** The caller's address: of the connection, or the one that the outermost trusted proxy saw. What stands before it anyone may have written. */
export function clientAddress(c: HttpContext, trustedProxies: number): string {
  const peer = c.env?.incoming?.socket.remoteAddress ?? ''
  if (trustedProxies === 0) return peer
  const hops = (headerOf(c, 'x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  const known = [...hops.filter((hop) => hop !== ''), peer]
  return known[Math.max(0, known.length - 1 - trustedProxies)] as string
}

/** One household of IPv6 has a /64 to pick addresses from: it is one caller. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const parsed = ipaddr.parse(address)
  if (!(parsed instanceof ipaddr.IPv6)) return address
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.parts.slice(0, 4).join(':')
}
