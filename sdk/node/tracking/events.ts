// Tracked events as a backend writes them, and the two calls that send them (contract section 3).

import { randomUUID } from 'node:crypto'
import { parseTimer } from '../settings.ts'
import type { Send } from './send.ts'

/** Kept of a user; merged into what is there, `null` removes. */
export interface UserProfile {
  email?: string | null | undefined
  name?: string | null | undefined
  locale?: string | null | undefined
  timeZone?: string | null | undefined
  attributes?: object | undefined
}

/** Exactly one of them. */
export type Recipients =
  | { userId: string; user?: UserProfile | undefined; userIds?: undefined; topic?: undefined }
  | { userIds: readonly string[]; user?: undefined; userId?: undefined; topic?: undefined }
  | { topic: string; user?: undefined; userId?: undefined; userIds?: undefined }

export type EventToTrack = Recipients & {
  /** `order.shipped`, `Order Completed`: words joined by one of ` . _ : / -`, up to 128 characters. */
  name: string
  /** Any JSON object. */
  properties?: object | undefined
  /** When it happened; default: when the service receives it. */
  occurredAt?: Date | string | undefined
  /** Your own key, when calls of your own repeat (an order's id, say). Default: one that is made for this call. */
  idempotencyKey?: string | undefined
}

export interface TrackOptions {
  /** Ends the call, its attempts and the pauses between them; the promise rejects with its reason. */
  signal?: AbortSignal | undefined
  /** In place of the client's, for each attempt. */
  timeoutMs?: number | undefined
  /** Joins this call with your own logs: 1 to 128 of `[A-Za-z0-9._-]`. */
  correlationId?: string | undefined
}

export interface TrackAnswer {
  eventId: string
  correlationId: string
  /** The service had this idempotency key already; nothing more was done. */
  duplicate: boolean
  /** ISO 8601. */
  receivedAt: string
}

/** In the order of the events: what was taken, or why not. */
export type BatchResult =
  | { eventId: string; duplicate: boolean; code?: undefined; message?: undefined; reason?: undefined }
  | { code: string; message: string; reason?: string; eventId?: undefined; duplicate?: undefined }

export interface BatchAnswer {
  results: BatchResult[]
  correlationId: string | null
}

export function createTracker(send: Send) {
  return {
    async track(event: EventToTrack, options: TrackOptions): Promise<TrackAnswer> {
      const body = withKey(event, 'event', randomUUID())
      const { body: answer } = await send('/v1/events/track', body, checkOptions(options))
      return answer as Record<string, unknown> & TrackAnswer
    },

    async trackBatch(events: readonly EventToTrack[], options: TrackOptions): Promise<BatchAnswer> {
      if (!Array.isArray(events)) throw new TypeError('trackBatch needs a list of events.')
      const callKey = randomUUID()
      const body = { events: events.map((event, at) => withKey(event, `events[${at}]`, `${callKey}:${at}`)) }
      const { body: answer, correlationId } = await send('/v1/events/track/batch', body, checkOptions(options))
      return { ...(answer as { results: BatchResult[] }), correlationId }
    },
  }
}

/** The key is made here, before any attempt: a repeat whose first answer was lost finds its event. */
function withKey(event: unknown, place: string, key: string): object {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) {
    throw new TypeError(`${place} must be an object with a name and its recipients.`)
  }
  const { idempotencyKey = key, ...rest } = event as { idempotencyKey?: unknown }
  return { ...rest, idempotencyKey }
}

function checkOptions(options: TrackOptions): TrackOptions {
  if (options.timeoutMs !== undefined) parseTimer(options.timeoutMs, 'timeoutMs')
  if (options.correlationId !== undefined && !/^[A-Za-z0-9._-]{1,128}$/.test(options.correlationId)) {
    throw new TypeError('correlationId must be 1 to 128 of A-Z, a-z, 0-9, ".", "_" and "-".')
  }
  return options
}
