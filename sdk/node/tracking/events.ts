// Sends tracked events: single ones and batches.

import { randomUUID } from 'node:crypto'
import { parseTimer } from '../settings.ts'
import { toUserId, type UserId } from '../user-id.ts'
import { writeJson } from '../write-json.ts'
import type { Call, Send } from './send.ts'

/** Profile of a user, merged into the stored one; `null` removes a field. */
export interface UserProfile {
  email?: string | null | undefined
  name?: string | null | undefined
  locale?: string | null | undefined
  timeZone?: string | null | undefined
  attributes?: object | undefined
  /** The user's ids in other systems by their names, such as `{ stripe: 'cus_1' }`. */
  externalIds?: Record<string, string | null> | undefined
}

/** Exactly one of the three. */
export type Recipients =
  | { userId: UserId; user?: UserProfile | undefined; userIds?: undefined; topic?: undefined }
  | { userIds: readonly UserId[]; user?: undefined; userId?: undefined; topic?: undefined }
  | { topic: string; user?: undefined; userId?: undefined; userIds?: undefined }

/** The properties of each event by its name; by default any object for any name. */
export type AnyEvents = Record<string, object | undefined>

type Named<Name, Properties> = {
  /** `order.shipped`, `Order Completed`: words joined by one of ` . _ : / -`, up to 128 characters. */
  name: Name
} & (undefined extends Properties ? { properties?: Properties } : { properties: Properties })

export type EventToTrack<Events extends object = AnyEvents> = Recipients &
  {
    [Name in keyof Events & string]: Named<Name, Events[Name]>
  }[keyof Events & string] & {
    /** Instant of the event: a `Date`, ISO 8601 with an offset, or Unix time. Default: when the service receives it. */
    occurredAt?: Date | string | number | undefined
    /** A key of yours, such as an order id, in case your own calls repeat. Default: a new key for this call. */
    idempotencyKey?: string | undefined
  }

export interface TrackOptions {
  /** Ends the call with its attempts and pauses; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Replaces the client's limit for each attempt. */
  timeoutMs?: number | undefined
  /** Connects this call with your own logs: 1 to 128 of `[A-Za-z0-9._-]`. */
  correlationId?: string | undefined
}

export interface TrackAnswer {
  eventId: string
  correlationId: string
  /** True when the service had this idempotency key already and did nothing more. */
  duplicate: boolean
  /** ISO 8601. */
  receivedAt: string
}

/** One result for each event, in their order. */
export type BatchResult =
  | { eventId: string; duplicate: boolean; code?: undefined; message?: undefined; reason?: undefined }
  | { code: string; message: string; reason?: string; eventId?: undefined; duplicate?: undefined }

export interface BatchAnswer {
  results: BatchResult[]
  correlationId: string | null
}

const TRACK = {
  method: 'POST',
  path: '/v1/events/track',
  isAnswer: (body) => typeof fieldOf(body, 'eventId') === 'string',
} satisfies Call
const TRACK_BATCH = {
  method: 'POST',
  path: '/v1/events/track/batch',
  isAnswer: (body) => Array.isArray(fieldOf(body, 'results')),
} satisfies Call

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined

export function createTracker(send: Send, sdkSecretKey: string) {
  const withSecret = (body: object) => writeJson({ ...body, sdkSecretKey })
  return {
    async track(event: object, options: TrackOptions): Promise<TrackAnswer> {
      const body = withKey(event, 'event', randomUUID())
      const { body: answer } = await send({ ...TRACK, body: withSecret(body) }, checkOptions(options))
      return answer as TrackAnswer
    },

    async trackBatch(events: readonly object[], options: TrackOptions): Promise<BatchAnswer> {
      if (!Array.isArray(events)) throw new TypeError('trackBatch needs a list of events.')
      const callKey = randomUUID()
      const body = { events: events.map((event, at) => withKey(event, `events[${at}]`, `${callKey}:${at}`)) }
      const { body: answer, correlationId } = await send(
        { ...TRACK_BATCH, body: withSecret(body) },
        checkOptions(options),
      )
      return { ...(answer as { results: BatchResult[] }), correlationId }
    },
  }
}

/** Created before the first attempt, so that a repeat after a lost answer finds its event. */
function withKey(event: unknown, place: string, key: string): object {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) {
    throw new TypeError(`${place} must be an object with a name and its recipients.`)
  }
  const { idempotencyKey = key, ...rest } = event as Record<string, unknown>
  const body: Record<string, unknown> = { ...rest, idempotencyKey }
  if ('userId' in body) body.userId = toUserId(body.userId, `${place}.userId`)
  const { userIds } = body
  if (Array.isArray(userIds)) body.userIds = userIds.map((id, at) => toUserId(id, `${place}.userIds[${at}]`))
  return body
}

/** Checks the options of one call. @throws TypeError with the name of the option */
export function checkOptions(options: TrackOptions): TrackOptions {
  if (options.timeoutMs !== undefined) parseTimer(options.timeoutMs, 'timeoutMs')
  if (options.correlationId !== undefined && !/^[A-Za-z0-9._-]{1,128}$/.test(options.correlationId)) {
    throw new TypeError('correlationId must be 1 to 128 of A-Z, a-z, 0-9, ".", "_" and "-".')
  }
  return options
}
