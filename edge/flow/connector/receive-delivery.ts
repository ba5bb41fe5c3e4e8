// Takes deliveries of platforms: verifies them, and tracks their items as events, each once.

import { createHash } from 'node:crypto'
import { LIMITS } from '../../../contract/limits.ts'
import type {
  Connector,
  ConnectorCall,
  Connectors,
  DeliveredItem,
  MappedEvent,
  ReadDelivery,
} from '../../domain/connector/connector.ts'
import {
  type DeliveryOutcome,
  type FoundSource,
  REPEATS_KNOWN_MS,
  type Source,
  type SourceDelivery,
} from '../../domain/connector/source.ts'
import { ApiError } from '../../lib/api-error.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { parseId } from '../../lib/id.ts'
import type { Log } from '../../lib/log.ts'
import type { AcceptEvents } from '../track/accept-events.ts'
import type { TrackInput } from '../track/plan-event.ts'
import type { MapItems } from './map-items.ts'
import type { RecordDeliveries } from './record-deliveries.ts'

export type DeliveryAnswer = { status: 'paused' } | { status: 'accepted'; accepted: number }

export interface ReceiveDelivery {
  /** @throws ApiError `source/not-found`, also for the address of another platform. */
  find(provider: string, sourceId: string): Promise<FoundSource>
  /** True when deliveries are dropped. */
  isPaused(target: FoundSource): boolean
  /** Counts what a pause drops. A call without a right signature leaves no trace. */
  drop(target: FoundSource, call: ConnectorCall): void
  /**
   * @throws ApiError `webhook/invalid-signature`; for a verified call that cannot be taken `request/invalid-body` or
   * `request/payload-too-large`, whose reason is recorded.
   */
  receive(target: FoundSource, call: ConnectorCall, correlationId: string): Promise<DeliveryAnswer>
}

export interface ReceiveDeliveryDeps {
  findSource(publicId: string): Promise<FoundSource | undefined>
  connectors: Connectors
  mapItems: MapItems
  acceptBatch: AcceptEvents['acceptBatch']
  /** Reserves capacity for events in progress, by source. @throws ApiError `service/unavailable`. */
  reserveEvents(key: number, events: number, authorization: string | undefined): () => void
  /** Waits until the source's events may be planned. */
  waitTurn(key: number, events: number): Promise<void> | undefined
  records: Pick<RecordDeliveries, 'record'>
  log: Pick<Log, 'warn'>
  onAccepted(count: number, outcome: 'new' | 'repeated'): void
}

const SOURCE_ID = /^src_[0-9a-f]{32}$/
const MAX_REASON_CHARS = 300

export function createReceiveDelivery(deps: ReceiveDeliveryDeps): ReceiveDelivery {
  const { records, log } = deps

  /** @returns The value that verifies the call. @throws ApiError `webhook/invalid-signature`. */
  function verify(
    { source, secrets }: FoundSource,
    connector: Connector,
    call: ConnectorCall,
    correlationId: string,
  ): number {
    let reason = 'The source has no secret.'
    for (const { id, value } of secrets) {
      // One by one: the value that vouches for the events is recorded, and must be live when they are stored.
      const verdict = connector.verify(call, value, source)
      if (verdict.ok) {
        if (verdict.warning !== undefined) {
          const { environmentId } = source
          log.warn('delivery signed by a former scheme', { reason: verdict.warning, correlationId, environmentId })
        }
        return id
      }
      reason = verdict.reason
    }
    return refuse(source, reason, call.now)
  }

  /** @throws ApiError for a verified call that cannot be taken */
  function read({ source }: FoundSource, connector: Connector, call: ConnectorCall): ReadDelivery {
    if (call.body.length > LIMITS.deliveryBytes) {
      const message = `The body is larger than ${LIMITS.deliveryBytes} bytes.`
      throw new ApiError('request/payload-too-large', { message })
    }
    return connector.read(call, source)
  }

  function readOrRecord(target: FoundSource, connector: Connector, call: ConnectorCall): ReadDelivery {
    try {
      return read(target, connector, call)
    } catch (error) {
      if (error instanceof ApiError) records.record(target.source.id, [signedOf(call, 'refused', error.message)])
      throw error
    }
  }

  function refuse(source: Source, reason: string, at: number): never {
    const nothing = { deliveryId: null, type: null, eventId: null }
    records.record(source.id, [{ at, ...nothing, outcome: 'refused', reason: cut(reason) }])
    throw new ApiError('webhook/invalid-signature', { message: reason })
  }

  /** Tracks the events; one whose profile grows too large is tracked without it. */
  async function track(target: FoundSource, secretId: number, events: MappedEvent[], correlationId: string) {
    const { source, environment } = target
    const origin = {
      source: `connector:${source.provider}` as const,
      // Ids of environments are positive: keys of sources never meet those of calls.
      repeats: { space: -source.id, keptMs: REPEATS_KNOWN_MS },
    }
    const accept = (some: MappedEvent[]) =>
      deps.acceptBatch(environment, secretId, some.map(toInput), correlationId, origin)
    const results = await accept(events)
    const large = events.flatMap((event, index) => {
      if (!isTooLarge(results[index])) return []
      const without = { ...event, profile: null, reason: 'The profile would be too large.' }
      return [{ index, event: without }]
    })
    if (large.length > 0) {
      const again = await accept(large.map(({ event }) => event))
      for (const [at, { index, event }] of large.entries()) {
        events[index] = event
        results[index] = again[at] as (typeof again)[number]
      }
    }
    return results
  }

  return {
    async find(provider, sourceId) {
      const found = SOURCE_ID.test(sourceId) ? await deps.findSource(sourceId) : undefined
      if (found?.source.provider !== provider) throw new ApiError('source/not-found')
      return found
    },

    isPaused: ({ source, environment }) => source.isPaused || environment.disabledAt !== null,

    drop(target, call) {
      const { source, secrets } = target
      const connector = deps.connectors[source.provider]
      if (!secrets.some(({ value }) => connector.verify(call, value, source).ok)) return
      const reason = source.isPaused ? 'The source is paused.' : 'The environment is disabled.'
      records.record(
        source.id,
        droppedOf(() => read(target, connector, call).items, call, reason),
      )
    },

    async receive(target, call, correlationId) {
      const { source } = target
      const connector = deps.connectors[source.provider]
      const secretId = verify(target, connector, call, correlationId)
      const { items, unsigned } = readOrRecord(target, connector, call)
      const key = -source.id
      const release = deps.reserveEvents(key, items.length, undefined)
      try {
        await deps.waitTurn(key, items.length)
        const events = await deps.mapItems(target.environment.id, items, source.mappings)
        const results = events.length === 0 ? [] : await track(target, secretId, events, correlationId)
        const deliveries = events.map((event, index) => toDelivery(event, results[index], call.now))
        if (unsigned > 0) deliveries.push(unsignedOf(unsigned, call.now))
        if (deliveries.length > 0) records.record(source.id, deliveries)
        const failed = results.find((result) => result instanceof ApiError)
        if (failed instanceof ApiError) throw failed
        const repeated = deliveries.filter(({ outcome }) => outcome === 'duplicate').length
        const accepted = events.length - repeated
        deps.onAccepted(accepted, 'new')
        deps.onAccepted(repeated, 'repeated')
        return { status: 'accepted', accepted }
      } catch (error) {
        // The value was retired between the verification and the commit.
        if (error instanceof ApiError && error.code === 'auth/invalid-authorization') {
          return refuse(source, 'The secret has just ended.', call.now)
        }
        throw error
      } finally {
        release()
      }
    },
  }
}

function toInput({ deliveryId, name, userId, properties, occurredAt, profile }: MappedEvent): TrackInput {
  return {
    name,
    userId: userId ?? undefined,
    properties,
    occurredAt,
    // One length, whatever the platform's ids are.
    idempotencyKey: sha256Hex(deliveryId),
    user: profile ?? undefined,
  }
}

type Result = { eventId: string; duplicate: boolean } | ApiError | undefined

const isTooLarge = (result: Result) => result instanceof ApiError && result.code === 'request/payload-too-large'

function toDelivery({ deliveryId, type, reason }: MappedEvent, result: Result, at: number): SourceDelivery {
  const item = { at, deliveryId: cut(deliveryId), type: cut(type) }
  if (result === undefined || result instanceof ApiError) {
    return { ...item, outcome: 'refused', eventId: null, reason: cut(result?.message ?? 'It was not stored.') }
  }
  const outcome = result.duplicate ? 'duplicate' : reason === null ? 'accepted' : 'unreadable'
  return { ...item, outcome, eventId: parseId('event', result.eventId) ?? null, reason: reason && cut(reason) }
}

/** A body that no item was read of has its hash as id. */
function signedOf({ body, now }: ConnectorCall, outcome: DeliveryOutcome, reason: string): SourceDelivery {
  return { at: now, deliveryId: bodyIdOf(body), type: null, outcome, eventId: null, reason: cut(reason) }
}

function droppedOf(read: () => DeliveredItem[], call: ConnectorCall, reason: string): SourceDelivery[] {
  try {
    const dropped = { at: call.now, outcome: 'dropped' as const, eventId: null, reason }
    return read().map(({ deliveryId, type }) => ({ ...dropped, deliveryId: cut(deliveryId), type: cut(type) }))
  } catch (error) {
    if (error instanceof ApiError) return [signedOf(call, 'dropped', `${reason} ${error.message}`)]
    throw error
  }
}

const bodyIdOf = (body: Buffer) => `sha256:${createHash('sha256').update(body).digest('hex')}`

function unsignedOf(count: number, at: number): SourceDelivery {
  const reason = `${count} items of a batch were left out: the signature covers the first alone.`
  return { at, deliveryId: null, type: null, outcome: 'refused', eventId: null, reason }
}

/** Texts of platforms are shown, not relied on: one line, without what PostgreSQL cannot store. */
function cut(text: string): string {
  return text.slice(0, MAX_REASON_CHARS).replace(/[\p{Cc}\p{Cs}]/gu, ' ')
}
