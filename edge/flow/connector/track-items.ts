// Tracks items of deliveries as events by the mappings of their source, and records what became of each.

import type { DeliveredItem, MappedEvent } from '../../domain/connector/connector.ts'
import type { BodyItem, DeliveryBody } from '../../domain/connector/delivery-body.ts'
import { type FoundSource, REPEATS_KNOWN_MS, type SourceDelivery } from '../../domain/connector/source.ts'
import type { Core } from '../../domain/core.ts'
import type { WorkMark } from '../../domain/in-hand.ts'
import { ApiError } from '../../lib/api-error.ts'
import { groupBy } from '../../lib/group-by.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { parseId } from '../../lib/id.ts'
import { doubtItem } from '../doubts/item-doubts.ts'
import type { AcceptEvents } from '../track/accept-events.ts'
import type { TrackInput } from '../track/plan-event.ts'
import type { MapItems } from './map-items.ts'
import type { RecordDeliveries } from './record-deliveries.ts'

export interface ItemsToTrack {
  items: DeliveredItem[]
  /** Items that the signature does not cover, and that were left out. */
  unsigned: number
  /** The value of the source's secret that vouches for them; null for a run that a person or a key asks for. */
  secretId: number | null
  /** Whether it is a run: an item that gives no new event leaves the list of deliveries as it is. */
  isRun?: boolean
  correlationId: string
  /** Of the job that does it. */
  mark?: WorkMark | undefined
  /** Epoch ms. */
  now: number
  /** What makes an item a repeat of another. */
  repeatKeyOf(item: Pick<MappedEvent, 'deliveryId'>): string
  /** The body as it came; absent when it is kept already. */
  body?: Pick<DeliveryBody, 'bodyId' | 'body' | 'headers'> | undefined
}

export interface TrackedItems {
  /** How many events are new. */
  accepted: number
  /** What became of each item. */
  deliveries: SourceDelivery[]
}

/**
 * @throws ApiError of the first event that could not be stored, or `auth/invalid-authorization` when the value of the secret
 * was retired meanwhile.
 */
export type TrackItems = (
  target: Pick<FoundSource, 'source' | 'environment'>,
  given: ItemsToTrack,
) => Promise<TrackedItems>

const MAX_REASON_CHARS = 300

export function createTrackItems(
  deps: Pick<Core, 'recordDoubt'> & {
    mapItems: MapItems
    acceptBatch: AcceptEvents['acceptBatch']
    /** Reserves capacity for events in progress, by source. @throws ApiError `service/unavailable`. */
    reserveEvents(key: number, events: number, authorization: string | undefined): () => void
    /** Waits until the source's events may be planned. */
    waitTurn(key: number, events: number): Promise<void> | undefined
    records: Pick<RecordDeliveries, 'record' | 'keepBody'>
    /** Adds users, which it creates as well as the topic. */
    joinTopic(environmentId: number, topic: string, userIds: string[], now: number): Promise<void>
    onAccepted(count: number, outcome: 'new' | 'repeated'): void
  },
): TrackItems {
  /** An event whose profile grows too large is tracked without it. */
  async function track(
    target: Parameters<TrackItems>[0],
    { secretId, correlationId, mark, repeatKeyOf }: ItemsToTrack,
    events: MappedEvent[],
  ) {
    const { source, environment } = target
    const origin = {
      source: `connector:${source.provider}` as const,
      // Ids of environments are positive: keys of sources never meet those of calls.
      repeats: { space: -source.id, keptMs: REPEATS_KNOWN_MS },
      ...(mark !== undefined && { mark }),
    }
    const accept = (some: MappedEvent[]) => {
      const pairs = new Map(some.map((event) => [toInput(event, repeatKeyOf(event)), event]))
      return deps.acceptBatch(environment, secretId, [...pairs.keys()], correlationId, {
        ...origin,
        onWritten(input, found) {
          const event = pairs.get(input)
          if (event !== undefined) doubtItem(deps.recordDoubt, target, event, found)
        },
      })
    }
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

  /** Before the events are stored: what fails here the platform sends again. A user who is in a topic stays. */
  async function joinTopics(environmentId: number, events: MappedEvent[], now: number): Promise<void> {
    const joins = events.filter(({ joinTopic, userId }) => joinTopic !== null && userId !== null)
    for (const [topic, joining] of groupBy(joins, ({ joinTopic }) => joinTopic ?? '')) {
      const users = new Set(joining.map(({ userId }) => userId ?? ''))
      await deps.joinTopic(environmentId, topic, [...users], now)
    }
  }

  return async function trackItems(target, given) {
    const { source, environment } = target
    const { items, unsigned, now, body, isRun, mark } = given
    const key = -source.id
    const release = deps.reserveEvents(key, items.length, undefined)
    try {
      await deps.waitTurn(key, items.length)
      const mapped = await deps.mapItems(environment.id, items, source.mappings, mark)
      const events = mapped.filter(({ dropped }) => dropped === null)
      await joinTopics(environment.id, events, now)
      const results = events.length === 0 ? [] : await track(target, given, events)
      const tracked = events.map((event, index) => toDelivery(event, results[index], now))
      const left = mapped.filter(({ dropped }) => dropped !== null)
      const deliveries = [...tracked, ...left.map((event) => toDropped(event, now))]
      if (body !== undefined && deliveries.some(({ outcome }) => outcome !== 'duplicate')) {
        const own = deliveries.map((delivery, index) => toBodyItem(delivery, [...events, ...left][index]))
        deps.records.keepBody({ sourceId: source.id, environmentId: environment.id, at: now, ...body, items: own })
      }
      if (unsigned > 0) deliveries.push(unsignedOf(unsigned, now))
      const shown = isRun === true ? deliveries.filter(({ outcome }) => outcome !== 'duplicate') : deliveries
      if (shown.length > 0) deps.records.record(source, shown)
      const failed = results.find((result) => result instanceof ApiError)
      if (failed instanceof ApiError) throw failed
      const repeated = deliveries.filter(({ outcome }) => outcome === 'duplicate').length
      const accepted = events.length - repeated
      deps.onAccepted(accepted, 'new')
      deps.onAccepted(repeated, 'repeated')
      return { accepted, deliveries }
    } finally {
      release()
    }
  }
}

function toInput({ name, userId, properties, occurredAt, profile }: MappedEvent, repeatKey: string): TrackInput {
  return {
    name,
    userId: userId ?? undefined,
    properties,
    occurredAt,
    // One length, whatever the platform's ids are.
    idempotencyKey: sha256Hex(repeatKey),
    user: profile ?? undefined,
  }
}

type Result = { eventId: string; duplicate: boolean } | ApiError | undefined

const isTooLarge = (result: Result) => result instanceof ApiError && result.code === 'request/payload-too-large'

function toDelivery({ deliveryId, type, reason }: MappedEvent, result: Result, at: number): SourceDelivery {
  const item = { at, deliveryId: oneLine(deliveryId), type: oneLine(type) }
  if (result === undefined || result instanceof ApiError) {
    return { ...item, outcome: 'refused', eventId: null, reason: oneLine(result?.message ?? 'It was not stored.') }
  }
  const outcome = result.duplicate ? 'duplicate' : reason === null ? 'accepted' : 'unreadable'
  return { ...item, outcome, eventId: parseId('event', result.eventId) ?? null, reason: reason && oneLine(reason) }
}

function toDropped({ deliveryId, type, dropped }: MappedEvent, at: number): SourceDelivery {
  const item = { at, deliveryId: oneLine(deliveryId), type: oneLine(type), eventId: null }
  return { ...item, outcome: 'dropped', reason: oneLine(dropped ?? '') }
}

function toBodyItem({ deliveryId, outcome }: SourceDelivery, event: MappedEvent | undefined): BodyItem {
  return { deliveryId: deliveryId ?? '', outcome, userId: event?.userId ?? null }
}

function unsignedOf(count: number, at: number): SourceDelivery {
  const reason = `${count} items of a batch were left out: the signature covers the first alone.`
  return { at, deliveryId: null, type: null, outcome: 'refused', eventId: null, reason }
}

/** Texts of platforms are shown, not relied on: one line, without what PostgreSQL cannot store. */
export function oneLine(text: string): string {
  return text.slice(0, MAX_REASON_CHARS).replace(/[\p{Cc}\p{Cs}]/gu, ' ')
}
