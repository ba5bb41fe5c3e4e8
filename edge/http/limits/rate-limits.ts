// How many calls a minute a stranger, a user and an environment may make (contract section 1, `request/rate-limited`; `RATE_LIMITS`).

import type {
  CallCounter,
  CallLimits,
  EnvironmentLimits,
  LimitedClass,
  Usage,
} from '../../domain/limits/call-limits.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { AnswerHeaders } from '../answer.ts'
import type { Guard } from '../route.ts'
import { clientAddress, networkOf } from './client-address.ts'

/** What of an environment matters here. */
export interface LimitedEnvironment {
  id: number
  /** Its own limits, where it has some. */
  rateLimits?: EnvironmentLimits | null
}

/** What a tracking request asks for. */
export interface TrackCharge {
  /** Recipients that it names. */
  recipients: number
  /** Topics that it addresses, one for each event. */
  topics: string[]
}

/** Each sets the headers of the answer and throws `request/rate-limited`. */
export interface RateLimits {
  /** For `POST /v1/users/auth`: the address's share. */
  authGuard: Guard<'none'>
  /** The sign-ins of the environment that a Front API Key names, where it has a limit of its own. */
  takeAuth(frontKey: unknown, headers: AnswerHeaders): Promise<void>
  /** For every call of the widget: the user's share, and its environment's. */
  inboxGuard: Guard<'widget'>
  /** For every call with a key but tracking. */
  managementGuard: Guard<'key'>
  /** Takes the recipients from the environment's share. */
  takeTrack(environment: LimitedEnvironment, charge: TrackCharge, headers: AnswerHeaders): Promise<void>
}

export interface RateLimitsDeps {
  limits: CallLimits
  /** Proxies in front that add to `X-Forwarded-For`. */
  trustedProxies: number
  counter: CallCounter
  findEnvironment(id: number): Promise<LimitedEnvironment | undefined>
  findByFrontKey(value: string): Promise<{ environment: LimitedEnvironment } | undefined>
  /** Subscribers of a topic, counted up to `most`. */
  countSubscribers(environmentId: number, topicKey: string, most: number): Promise<number>
  /** For the metrics. */
  onLimited?(limit: LimitedClass): void
}

export function createRateLimits(deps: RateLimitsDeps): RateLimits {
  const { limits, trustedProxies } = deps
  type Who = [of: LimitedClass, who: string | number]
  const take = (who: Who, limit: number | null | undefined, headers: AnswerHeaders, points = 1) =>
    limit === null || limit === undefined ? undefined : takeFrom(deps, who, limit, points, headers)

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
    async takeTrack({ id, rateLimits }, charge, headers) {
      const limit = rateLimits?.track === undefined ? limits.track : rateLimits.track
      if (limit !== null) await take(['track', `of ${id}`], limit, headers, await pointsOf(deps, id, charge, limit))
    },
  }
}

/** A topic costs its subscribers, but never more than a whole window: its sender cannot split it. */
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

async function takeFrom(
  { counter, onLimited }: RateLimitsDeps,
  [of, who]: [LimitedClass, string | number],
  limit: number,
  points: number,
  headers: AnswerHeaders,
): Promise<void> {
  const key = `${of} ${who}`
  const usage = await counter.add(key, points)
  if (usage.used <= limit) return describe(headers, limit, usage)
  // What is refused costs nothing: a batch that did not fit leaves room for a smaller one.
  describe(headers, limit, points > 1 ? await counter.add(key, -points) : usage)
  onLimited?.(of)
  const retryAfterSeconds = Math.ceil(usage.resetMs / 1000)
  const message = `${points} at once are asked for, and ${limit} a minute are allowed: split the request.`
  throw new ApiError('request/rate-limited', points > limit ? { retryAfterSeconds, message } : { retryAfterSeconds })
}

/** Of two limits of one call, the one that is nearer to its end is told. */
function describe(headers: AnswerHeaders, limit: number, { used, resetMs }: Usage): void {
  const remaining = Math.max(0, limit - used)
  if (Number(headers['ratelimit-remaining'] ?? Infinity) < remaining) return
  headers['ratelimit-limit'] = String(limit)
  headers['ratelimit-remaining'] = String(remaining)
  headers['ratelimit-reset'] = String(Math.ceil(resetMs / 1000))
}
