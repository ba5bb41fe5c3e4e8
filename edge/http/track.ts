// POST /v1/events/track and /v1/events/track/batch: the hot path's way in (contract section 3, "Order of checks").

import { isUtf8 } from 'node:buffer'
import { LIMITS } from '../../contract/limits.ts'
import { requireSameKey } from '../auth/tracking-key.ts'
import type { JsonObject } from '../domain/json.ts'
import { parseEventName } from '../domain/tracking/event-name.ts'
import type { AcceptEvents, TrackInput } from '../flow/accept-events.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import { guardJson } from '../lib/json-guard.ts'
import { toErrorBody } from './answer.ts'
import { refuseUnsafe } from './body.ts'
import { headerOf } from './context.ts'
import type { Http, KeyCaller } from './http.ts'
import type { Admission } from './limits/admission.ts'
import type { RateLimits, TrackCharge } from './limits/rate-limits.ts'
import { addRoute, type Call, check } from './route.ts'
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

export interface TrackDeps {
  acceptEvents: AcceptEvents
  /** 403 for an unknown key, 401 for a disabled environment. */
  resolveKey(value: string): Promise<KeyCaller>
  /** The environment's share; throws `request/rate-limited`. */
  takeTrack: RateLimits['takeTrack']
  /** Room for events under way; throws `service/unavailable`. */
  hold: Admission['hold']
  /** Batches take turns. */
  turn: Admission['turn']
  clock: Clock
  /** For the metrics: how many events of this request were written, or repeat one that was. */
  onAccepted(count: number, outcome: 'new' | 'repeated'): void
}

type TrackCall = Call<'bearer', JsonObject, undefined>

// The level at which an event's name stands, counted from the event (json-guard).
const NAME_LEVEL = 1

export function addTrackRoutes(http: Http, deps: TrackDeps): void {
  const common = {
    method: 'post',
    tag: 'Tracking',
    caller: 'bearer',
    bodyGuard: 'by-handler',
    isShort: true,
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
    (call) => withRoom(deps, call, 1, (caller) => track(deps, call, caller)),
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
        description: 'Each event is on disk, or its fault is told, in order.',
      },
      errors: ['request/rate-limited'],
      maxBytes: LIMITS.batchBytes,
    },
    (call) => withRoom(deps, call, countItems(call.body), (caller) => trackBatch(http, deps, call, caller)),
  )
}

/** The checks of the key in their order, then room for the events until they are answered. */
async function withRoom(
  deps: TrackDeps,
  call: TrackCall,
  events: number,
  work: (caller: KeyCaller) => Promise<object>,
): Promise<object> {
  const caller = await resolveCaller(deps, call)
  const release = deps.hold(caller.environment.id, events, headerOf(call.c, 'authorization'))
  try {
    const turn = deps.turn(caller.environment.id, events)
    if (turn !== undefined) await turn
    return await work(caller)
  } finally {
    release()
  }
}

function countItems({ events }: JsonObject): number {
  return Array.isArray(events) ? Math.min(events.length, LIMITS.batchEvents) : 1
}

async function track(deps: TrackDeps, call: TrackCall, caller: KeyCaller): Promise<object> {
  await deps.takeTrack(caller.environment, chargeOf([call.body]), call.headers)
  refuseUnsafe(call.body, { nameLevel: NAME_LEVEL })
  const input = parseEvent(call.body, deps.clock.now(), headerOf(call.c, 'idempotency-key'))
  const answer = await deps.acceptEvents.accept(caller.environment, caller.secretId, input, call.correlationId)
  deps.onAccepted(1, answer.duplicate ? 'repeated' : 'new')
  return answer
}

async function trackBatch(http: Http, deps: TrackDeps, call: TrackCall, caller: KeyCaller): Promise<object> {
  const { events: _, ...envelope } = call.body
  refuseUnsafe(envelope)
  const items = requireEvents(call.body).map(guardItem)
  await deps.takeTrack(caller.environment, chargeOf(items), call.headers)
  const now = deps.clock.now()
  // Only a body beyond the limit of one event can hold an event beyond it.
  const isLong = !(Number(headerOf(call.c, 'content-length')) <= LIMITS.eventBytes)
  const parsed = items.map((item) => parseItem(item, now, isLong))
  const inputs = parsed.filter((entry): entry is TrackInput => !(entry instanceof ApiError))
  const accepted = await deps.acceptEvents.acceptBatch(caller.environment, caller.secretId, inputs, call.correlationId)
  const countOf = (repeated: boolean) =>
    accepted.filter((outcome) => !(outcome instanceof ApiError) && outcome.duplicate === repeated).length
  deps.onAccepted(countOf(false), 'new')
  deps.onAccepted(countOf(true), 'repeated')
  let at = 0
  const results = parsed.map((entry) => {
    const outcome = entry instanceof ApiError ? entry : accepted[at++]
    return outcome instanceof ApiError ? toItemError(http, outcome, call.correlationId) : outcome
  })
  return { results }
}

/** The form of the header was checked before the body was read. */
async function resolveCaller(deps: TrackDeps, call: TrackCall): Promise<KeyCaller> {
  requireSameKey(call.credential, call.body.sdkSecretKey)
  return deps.resolveKey(call.credential)
}

function parseEvent(fields: unknown, now: number, keyHeader?: string): TrackInput {
  const event = check(eventFieldsSchema, fields, 'request/invalid-body')
  const idempotencyKey = mergeKeys(event.idempotencyKey, keyHeader)
  if (event.occurredAt !== undefined && event.occurredAt > now + LIMITS.futureEventMs) {
    throw invalid('occurredAt', 'More than one hour ahead.')
  }
  return toInput(event, parseEventName(event.name), idempotencyKey)
}

function mergeKeys(inBody: string | undefined, header: string | undefined): string | undefined {
  if (header === undefined) return inBody
  const inHeader = readKey(header)
  if (!isIdempotencyKey(inHeader)) throw invalid('Idempotency-Key', `1 to ${LIMITS.idempotencyKeyChars} characters.`)
  if (inBody !== undefined && inBody !== inHeader) {
    throw invalid('idempotencyKey', 'The header Idempotency-Key says otherwise.')
  }
  return inHeader
}

/** Node reads a header byte by byte. Where the bytes are UTF-8 they are the key that a body would have; a repeat may come either way. */
function readKey(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}

function toInput(event: EventFields, name: string, idempotencyKey: string | undefined): TrackInput {
  const { userId, userIds, topic, properties, occurredAt, user } = event
  return { name, userId, userIds, topic, properties, occurredAt, idempotencyKey, user }
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

// A topic counts as one: how many it has is not known here, and its event is fanned out by jobs.
function countRecipients(event: unknown): number {
  const list = typeof event === 'object' && event !== null && 'userIds' in event ? event.userIds : undefined
  return Array.isArray(list) ? Math.max(1, list.length) : 1
}

/** A repeat of an idempotency key is charged like any other: it costs the same commit. */
function chargeOf(events: unknown[]): TrackCharge {
  const topics = events.flatMap((event) => findTopic(event) ?? [])
  return { recipients: events.reduce<number>((sum, event) => sum + countRecipients(event), -topics.length), topics }
}

function findTopic(event: unknown): string | undefined {
  if (typeof event !== 'object' || event === null || 'userId' in event || 'userIds' in event) return undefined
  return 'topic' in event && typeof event.topic === 'string' ? event.topic : undefined
}

/**
 * The item, or its fault: one cut emoji must not sink the events beside it, and what is taken alone is taken here. Before its
 * size is asked: whoever writes JSON again cannot go as deep as this.
 */
function guardItem(item: unknown): unknown {
  const fault = typeof item === 'object' && item !== null ? guardJson(item, { nameLevel: NAME_LEVEL }) : undefined
  return fault === undefined ? item : new ApiError('request/invalid-body', { details: [fault] })
}

function parseItem(item: unknown, now: number, isLong: boolean): TrackInput | ApiError {
  if (item instanceof ApiError) return item
  try {
    if (isLong && Buffer.byteLength(JSON.stringify(item)) > LIMITS.eventBytes) {
      throw new ApiError('request/payload-too-large')
    }
    return parseEvent(item, now)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** An item's fault without what the whole answer says already; a defect goes to the log here, as no one else sees it. */
function toItemError(http: Http, error: ApiError, correlationId: string): object {
  http.onRefused(error.code)
  if (error.code === 'other/unknown') http.onDefect(error.cause ?? error, correlationId)
  const { correlationId: _, ...rest } = toErrorBody(error, correlationId)
  return rest
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('request/invalid-body', { details: [{ path, message }] })
}
