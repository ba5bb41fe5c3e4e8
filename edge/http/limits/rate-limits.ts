// Limits the calls per minute of an address, a user and an environment.

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { EnvironmentLimits } from '../../../contract/resources/environment.ts'
import type { CallLimits, LimitedClass } from '../../../contract/tenant.ts'
import type { CallCounter, Usage } from '../../domain/limits/call-limits.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { AnswerHeaders } from '../kernel/answer.ts'
import { headerOf, type RequestContext } from '../kernel/context.ts'
import type { Guard } from '../kernel/route-spec.ts'

/** The fields of an environment that its limits need. */
export interface LimitedEnvironment {
  id: number
  /** The environment's own limits; they replace the defaults. */
  rateLimits?: EnvironmentLimits | null
}

/** The cost of a tracking request. */
export interface TrackCharge {
  /** Recipients that the request names. */
  recipients: number
  /** Addressed topics, one for each event. */
  topics: string[]
}

/** The limits; each one sets the `RateLimit-*` headers of the answer and throws `request/rate-limited`. */
export interface RateLimits {
  /** Limits `POST /v1/users/auth` by address. */
  authGuard: Guard<'none'>
  /** Limits the sign-ins of the environment that a Front API Key names, if it has a limit of its own. */
  takeAuth(frontKey: unknown, headers: AnswerHeaders): Promise<void>
  /** Limits the calls of the widget by user and by environment. */
  inboxGuard: Guard<'widget'>
  /** Limits all calls with a key except tracking. */
  managementGuard: Guard<'key'>
  /** Limits the calls of providers' webhooks by environment. */
  takeWebhook(environmentId: number, headers: AnswerHeaders): Promise<void>
  /** Limits the recipients of tracked events by environment. */
  takeTrack(environment: LimitedEnvironment, charge: TrackCharge, headers: AnswerHeaders): Promise<void>
}

export interface RateLimitsDeps {
  limits: CallLimits
  /** Number of proxies in front that append to `X-Forwarded-For`. */
  trustedProxies: number
  counter: CallCounter
  findEnvironment(id: number): Promise<LimitedEnvironment | undefined>
  findByFrontKey(value: string): Promise<{ environment: LimitedEnvironment } | undefined>
  /** Counts the subscribers of a topic, at most `max`. */
  countSubscribers(environmentId: number, topicKey: string, max: number): Promise<number>
  /** For the metrics. */
  onLimited?(limit: LimitedClass): void
}

/** @returns The limits of the deployment and of each environment. */
export function createRateLimits(deps: RateLimitsDeps): RateLimits {
  const { limits, trustedProxies } = deps
  const take = (subject: LimitedSubject, limit: number | null | undefined, headers: AnswerHeaders, points = 1) =>
    limit === null || limit === undefined ? undefined : takeFrom(deps, subject, limit, points, headers)

  return {
    authGuard: ({ c, headers }) => {
      if (limits.auth === null) return
      return take(['auth', networkOf(clientAddress(c, trustedProxies))], limits.auth, headers)
    },
    async takeAuth(frontKey, headers) {
      const found = typeof frontKey === 'string' ? await deps.findByFrontKey(frontKey) : undefined
      if (found !== undefined) {
        const { id, rateLimits } = found.environment
        await take(['auth', `of ${id}`], rateLimits?.auth, headers)
      }
    },
    async inboxGuard({ session, headers }) {
      await take(['inbox', session.userNo], limits.inbox, headers)
      const environment = await deps.findEnvironment(session.environmentId)
      await take(['inbox', `of ${session.environmentId}`], environment?.rateLimits?.inbox, headers)
    },
    managementGuard({ environment, headers }) {
      const { id, rateLimits } = environment
      return take(
        ['management', `of ${id}`],
        rateLimits?.management === undefined ? limits.management : rateLimits.management,
        headers,
      )
    },
    async takeWebhook(environmentId, headers) {
      const own = (await deps.findEnvironment(environmentId))?.rateLimits?.webhooks
      await take(['webhooks', `of ${environmentId}`], own === undefined ? limits.webhooks : own, headers)
    },
    async takeTrack({ id, rateLimits }, charge, headers) {
      const limit = rateLimits?.track === undefined ? limits.track : rateLimits.track
      if (limit !== null) await take(['track', `of ${id}`], limit, headers, await pointsOf(deps, id, charge, limit))
    },
  }
}

/** Computes the points of a tracking request. A topic costs its subscribers, at most one window, as it cannot be split. */
async function pointsOf(
  deps: RateLimitsDeps,
  environmentId: number,
  charge: TrackCharge,
  limit: number,
): Promise<number> {
  const { recipients, topics } = charge
  if (topics.length === 0) return recipients
  const sizes = new Map<string, number>()
  for (const topic of new Set(topics)) sizes.set(topic, await deps.countSubscribers(environmentId, topic, limit))
  const addressed = topics.reduce((sum, topic) => sum + Math.max(1, sizes.get(topic) ?? 0), 0)
  return Math.max(recipients, Math.min(recipients + addressed, limit))
}

/** The class of a limit, and the address, user or environment that it counts. */
type LimitedSubject = [limitedClass: LimitedClass, key: string | number]

async function takeFrom(
  { counter, onLimited }: RateLimitsDeps,
  [limitedClass, subjectKey]: LimitedSubject,
  limit: number,
  points: number,
  headers: AnswerHeaders,
): Promise<void> {
  const key = `${limitedClass} ${subjectKey}`
  const usage = await counter.add(key, points)
  if (usage.used <= limit) return setHeaders(headers, limit, usage)
  // A refused batch costs nothing, so that a smaller batch can still be accepted.
  setHeaders(headers, limit, points > 1 ? await counter.add(key, -points) : usage)
  onLimited?.(limitedClass)
  const retryAfterSeconds = Math.ceil(usage.resetMs / 1000)
  const message = `The request has ${points} recipients, but ${limit} a minute are allowed: split the request.`
  throw new ApiError('request/rate-limited', points > limit ? { retryAfterSeconds, message } : { retryAfterSeconds })
}

/** Sets the `RateLimit-*` headers, unless another limit of the call has less remaining. */
function setHeaders(headers: AnswerHeaders, limit: number, { used, resetMs }: Usage): void {
  const remaining = Math.max(0, limit - used)
  if (Number(headers['ratelimit-remaining'] ?? Infinity) < remaining) return
  headers['ratelimit-limit'] = String(limit)
  headers['ratelimit-remaining'] = String(remaining)
  headers['ratelimit-reset'] = String(Math.ceil(resetMs / 1000))
}

/**
 * Returns the address of a caller: of the connection, or as reported by the outermost trusted proxy (`TRUSTED_PROXIES`).
 * @returns With `trustedProxies` n, the n-th entry of `X-Forwarded-For` from the right: clients can forge those further left.
 * Without a valid entry, the address of the connection.
 */
export function clientAddress(c: RequestContext, trustedProxies: number): string {
  const peer = c.env?.incoming?.socket.remoteAddress ?? ''
  const forwarded = trustedProxies === 0 ? undefined : headerOf(c, 'x-forwarded-for')
  if (forwarded === undefined) return peer
  // Each proxy appends one entry, so the trusted proxies have appended the last n.
  const hops = forwarded.split(',').slice(-trustedProxies)
  return findAddress(hops[0] as string) ?? peer
}

/** Parses one entry; some proxies write `address:port`, or `[…]` around IPv6. */
function findAddress(hop: string): string | undefined {
  const text = hop.trim()
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  return isIP(bare) === 0 ? undefined : bare
}

/** @returns The key of a caller's counter: the address, or of IPv6 the /64, because one client can use all of it. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  // A zone (`fe80::1%eth0`) is no part of the network.
  const parsed = ipaddr.parse(address.split('%', 1)[0] as string)
  if (!(parsed instanceof ipaddr.IPv6)) return address
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.parts.slice(0, 4).join(':')
}
