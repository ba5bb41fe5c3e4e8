// Serves POST /v1/events/track and /v1/events/track/batch, the busiest routes.

import { isUtf8 } from 'node:buffer'
import { findEventNameFault } from '../../../contract/event-name.ts'
import type { Json, JsonObject } from '../../../contract/json.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { requireSameKey } from '../../auth/key-ring.ts'
import { parseEventName } from '../../domain/tracking/event-name.ts'
import type { TrackInput } from '../../flow/track/plan-event.ts'
import { ApiError } from '../../lib/api-error.ts'
import { check } from '../../lib/check-schema.ts'
import { isRecord } from '../../lib/is-record.ts'
import { guardJson } from '../../lib/json-guard.ts'
import { keepDigits, writeExactJson } from '../../lib/read-json.ts'
import { createTimeSlices } from '../../lib/time-slices.ts'
import { toErrorBody } from '../kernel/answer.ts'
import { refuseUnsafe } from '../kernel/body.ts'
import { headerOf } from '../kernel/context.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Call, KeyCaller } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'
import type { RateLimits, TrackCharge } from '../limits/rate-limits.ts'
import {
  batchAnswerSchema,
  batchBodySchema,
  type EventFields,
  eventFieldsSchema,
  isIdempotencyKey,
  trackAnswerSchema,
  trackBodySchema,
  trackHeadersSchema,
} from './track-schema.ts'

type Capacity = Pick<Services, 'resolveKey' | 'reserveEvents' | 'waitTurn'>
type Tracking = Pick<Services, 'acceptEvents' | 'clock' | 'onAccepted'>
type Limit = Pick<RateLimits, 'takeTrack'>

type TrackCall = Call<'bearer', JsonObject, undefined>

/** The schema of the event refuses a large integer where it takes none. */
const GUARD = { keepsLargeIntegers: true }

export function addTrackRoutes(
  http: Http,
  { acceptEvents, resolveKey, reserveEvents, waitTurn, clock, onAccepted }: Capacity & Tracking,
  { takeTrack }: Limit,
): void {
  const capacity = { resolveKey, reserveEvents, waitTurn }
  const tracking = { acceptEvents, clock, onAccepted, takeTrack }
  const common = {
    method: 'post',
    tag: 'Tracking',
    caller: 'bearer',
    bodyGuard: 'by-handler',
    isFastPath: true,
  } as const
  addRoute<'bearer', JsonObject>(
    http,
    {
      ...common,
      path: '/v1/events/track',
      summary: 'Track an event',
      ownBody: trackBodySchema,
      headers: trackHeadersSchema,
      answer: { status: 202, schema: trackAnswerSchema, description: 'The event is on disk.' },
      errors: ['event/invalid-name', 'request/conflict', 'request/rate-limited'],
    },
    (call) => withCapacity(capacity, call, 1, (caller) => track(tracking, call, caller)),
  )
  addRoute<'bearer', JsonObject>(
    http,
    {
      ...common,
      path: '/v1/events/track/batch',
      summary: 'Track 1 to 1,000 events',
      ownBody: batchBodySchema,
      answer: {
        status: 202,
        schema: batchAnswerSchema,
        description: 'Each event is on disk or has an error, in the order of the request.',
      },
      errors: ['request/rate-limited'],
      maxBytes: LIMITS.batchBytes,
      listed: { name: 'events', maxItems: LIMITS.batchEvents },
    },
    (call) => withCapacity(capacity, call, countItems(call.body), (caller) => trackBatch(http, tracking, call, caller)),
  )
}

/** Checks the key, then reserves capacity for the events until they are answered. */
async function withCapacity(
  { resolveKey, reserveEvents, waitTurn }: Capacity,
  call: TrackCall,
  events: number,
  work: (caller: KeyCaller) => Promise<object>,
): Promise<object> {
  // Completes the checks of the key; its form was checked before the body was read.
  requireSameKey(call.credential, call.body.sdkSecretKey)
  const caller = await resolveKey(call.credential)
  const release = reserveEvents(caller.environment.id, events, headerOf(call.c, 'authorization'))
  try {
    const turn = waitTurn(caller.environment.id, events)
    if (turn !== undefined) await turn
    return await work(caller)
  } finally {
    release()
  }
}

function countItems({ events }: JsonObject): number {
  return Array.isArray(events) ? Math.min(events.length, LIMITS.batchEvents) : 1
}

async function track(
  { acceptEvents, clock, onAccepted, takeTrack }: Tracking & Limit,
  call: TrackCall,
  caller: KeyCaller,
): Promise<object> {
  await takeTrack(caller.environment, chargeOf([call.body]), call.headers)
  const name = parseEventName(call.body.name)
  refuseUnsafe(call.body, GUARD)
  const input = parseEvent(name, call.body, clock.now(), headerOf(call.c, 'idempotency-key'))
  const answer = await acceptEvents.accept(caller.environment, caller.secretId, input, call.correlationId)
  onAccepted(1, answer.duplicate ? 'repeated' : 'new')
  return answer
}

async function trackBatch(
  http: Http,
  { acceptEvents, clock, onAccepted, takeTrack }: Tracking & Limit,
  call: TrackCall,
  caller: KeyCaller,
): Promise<object> {
  const { events: _, ...envelope } = call.body
  refuseUnsafe(envelope)
  // Only a body that is larger than one event may be can contain an event that is too large.
  const isLarge = !(Number(headerOf(call.c, 'content-length')) <= LIMITS.eventBytes)
  const each = isLarge ? mapInSlices : mapAtOnce
  const items = await each(requireEvents(call.body), guardItem)
  await takeTrack(caller.environment, chargeOf(items), call.headers)
  const now = clock.now()
  const parsed = await each(items, (item) => parseItem(item, now, isLarge))
  const inputs = parsed.filter((entry): entry is TrackInput => !(entry instanceof ApiError))
  const accepted = await acceptEvents.acceptBatch(caller.environment, caller.secretId, inputs, call.correlationId)
  const countOf = (repeated: boolean) =>
    accepted.filter((outcome) => !(outcome instanceof ApiError) && outcome.duplicate === repeated).length
  onAccepted(countOf(false), 'new')
  onAccepted(countOf(true), 'repeated')
  let at = 0
  const results = parsed.map((entry) => {
    const outcome = entry instanceof ApiError ? entry : accepted[at++]
    return outcome instanceof ApiError ? toItemError(http, outcome, call.correlationId) : outcome
  })
  return { results }
}

const mapAtOnce = <Item, Result>(items: Item[], to: (item: Item) => Result): Result[] => items.map((item) => to(item))

/** Maps the items with other work in between. */
async function mapInSlices<Item, Result>(items: Item[], to: (item: Item) => Result): Promise<Result[]> {
  const endSlice = createTimeSlices()
  const results: Result[] = []
  for (const item of items) {
    results.push(to(item))
    await endSlice()
  }
  return results
}

function parseEvent(name: string, fields: JsonObject, now: number, keyHeader?: string): TrackInput {
  const event = check(eventFieldsSchema, fields, 'request/invalid-body')
  const idempotencyKey = mergeKeys(event.idempotencyKey, keyHeader)
  if (event.occurredAt !== undefined && event.occurredAt > now + LIMITS.futureEventMs) {
    throw invalid('occurredAt', 'More than one hour ahead.')
  }
  return toInput(event, name, idempotencyKey, rawOf(fields))
}

function mergeKeys(inBody: string | undefined, header: string | undefined): string | undefined {
  if (header === undefined) return inBody
  const inHeader = readKey(header)
  if (!isIdempotencyKey(inHeader)) throw invalid('Idempotency-Key', `1 to ${LIMITS.idempotencyKeyChars} characters.`)
  if (inBody !== undefined && inBody !== inHeader) {
    throw invalid('idempotencyKey', 'The header Idempotency-Key has another value.')
  }
  return inHeader
}

/** Decodes the header from UTF-8, because a repeat may have the same key in its body. Node reads headers as Latin-1. */
function readKey(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}

function toInput(
  event: EventFields,
  name: string,
  idempotencyKey: string | undefined,
  raw: TrackInput['raw'],
): TrackInput {
  const { userId, userIds, topic, properties, occurredAt, user } = event
  return { name, userId, userIds, topic, properties, occurredAt, idempotencyKey, user, raw }
}

/** The fields that are stored by themselves, and the key, which is never stored. */
const STORED: ReadonlySet<string> = new Set(Object.keys(trackBodySchema.shape).filter((field) => field !== 'user'))

/** @returns The other fields of a checked event as they came; undefined when there are none. */
function rawOf(fields: JsonObject): TrackInput['raw'] {
  let raw: JsonObject | undefined
  for (const field of Object.keys(fields)) {
    if (STORED.has(field)) continue
    raw ??= {}
    raw[field] = fields[field] as Json
  }
  if (raw !== undefined) keepDigits(fields, raw)
  return raw
}

function requireEvents(body: JsonObject): unknown[] {
  const { events } = body
  if (!Array.isArray(events) || events.length === 0 || events.length > LIMITS.batchEvents) {
    throw invalid('events', `A list of 1 to ${LIMITS.batchEvents} events.`)
  }
  const recipients = events.reduce<number>((sum, event) => sum + countRecipients(event), 0)
  if (recipients > LIMITS.recipients)
    throw invalid('events', `More than ${LIMITS.recipients} recipients in one request.`)
  return events
}

// Counts a topic as one recipient, because its size is not known here and jobs fan out its event.
function countRecipients(event: unknown): number {
  const list = typeof event === 'object' && event !== null && 'userIds' in event ? event.userIds : undefined
  return Array.isArray(list) ? Math.max(1, list.length) : 1
}

/** Computes the cost. A repeat of an idempotency key costs the same, because it needs the same commit. */
function chargeOf(events: unknown[]): TrackCharge {
  const topics = events.flatMap((event) => findTopic(event) ?? [])
  return { recipients: events.reduce<number>((sum, event) => sum + countRecipients(event), -topics.length), topics }
}

function findTopic(event: unknown): string | undefined {
  if (typeof event !== 'object' || event === null || 'userId' in event || 'userIds' in event) return undefined
  return 'topic' in event && typeof event.topic === 'string' ? event.topic : undefined
}

/**
 * Checks the content of one item of a batch; `JSON.stringify` would overflow the stack on deep nesting.
 * @returns The item, or its error, so that one invalid character does not refuse the other events.
 */
function guardItem(item: unknown): unknown {
  if (item instanceof ApiError) return item
  if (!isRecord(item)) return invalid('', 'This must be an object.')
  const nameFault = findEventNameFault(item.name)
  if (nameFault !== undefined) return new ApiError('event/invalid-name', { ...nameFault })
  const fault = guardJson(item, GUARD)
  return fault === undefined ? item : new ApiError('request/invalid-body', { details: [fault] })
}

function parseItem(item: unknown, now: number, isLarge: boolean): TrackInput | ApiError {
  if (item instanceof ApiError) return item
  const event = item as JsonObject
  try {
    if (isLarge && Buffer.byteLength(writeExactJson(event)) > LIMITS.eventBytes) {
      throw new ApiError('request/payload-too-large')
    }
    return parseEvent(event.name as string, event, now)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Reports the error of an item. @returns Its body without the correlation id, which is already in the answer. */
function toItemError(http: Http, error: ApiError, correlationId: string): object {
  http.onRefused(error.code)
  if (error.code === 'other/unknown') http.onDefect(error.cause ?? error, correlationId)
  const { correlationId: _, ...rest } = toErrorBody(error, correlationId)
  return rest
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('request/invalid-body', { details: [{ path, message }] })
}
