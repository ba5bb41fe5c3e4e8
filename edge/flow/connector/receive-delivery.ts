// Takes deliveries of platforms: verifies them, and tracks their items as events, each once.

import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { LARGE_BODIES } from '../../../contract/limits.ts'
import type { DeliveryOutcome } from '../../../contract/tenant.ts'
import type { Connector, ConnectorCall, DeliveredItem, ReadDelivery } from '../../domain/connector/connector.ts'
import { chooseHeaders } from '../../domain/connector/kept-headers.ts'
import type { FoundSource, Source, SourceDelivery } from '../../domain/connector/source.ts'
import type { Core } from '../../domain/core.ts'
import { refuseClosed } from '../../domain/tenant/closed.ts'
import { describeForeignKey } from '../../domain/tenant/region.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { MapItems } from './map-items.ts'
import type { RecordDeliveries } from './record-deliveries.ts'
import { oneLine, type TrackItems } from './track-items.ts'

export type DeliveryAnswer = { status: 'paused' } | { status: 'accepted'; accepted: number }

export interface ReceiveDelivery {
  /** @throws ApiError `source/not-found`, also for the address of another platform; `environment/closed`. */
  find(provider: string, sourceId: string): Promise<FoundSource>
  /** True when deliveries are dropped. */
  isPaused(target: FoundSource): boolean
  /** Counts and keeps what a pause drops. A call without a right signature leaves no trace. */
  drop(target: FoundSource, call: ConnectorCall): Promise<void>
  /**
   * @throws ApiError `webhook/invalid-signature`; for a verified call that cannot be taken `request/invalid-body` or
   * `request/payload-too-large`, whose reason is recorded.
   */
  receive(target: FoundSource, call: ConnectorCall, correlationId: string): Promise<DeliveryAnswer>
}

const SOURCE_ID = /^src_[0-9a-z]{11}_([a-z][a-z0-9-]{0,15})_[0-9a-f]{32}$/

export function createReceiveDelivery(
  deps: Pick<Core, 'connectors' | 'log' | 'regions'> & {
    findSource(publicId: string): Promise<FoundSource | undefined>
    mapItems: MapItems
    trackItems: TrackItems
    records: Pick<RecordDeliveries, 'record' | 'keepBody'>
  },
): ReceiveDelivery {
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
    if (call.body.length > LARGE_BODIES.deliveryBytes) {
      const message = `The body is larger than ${LARGE_BODIES.deliveryBytes} bytes.`
      throw new ApiError('request/payload-too-large', { message })
    }
    return connector.read(call, source)
  }

  /** Records a verified call of which no item was tracked, with its body. */
  function recordWhole(
    { source, environment }: FoundSource,
    { body, headers: sent, now }: ConnectorCall,
    outcome: DeliveryOutcome,
    reason: string,
  ): void {
    const deliveryId = `sha256:${hash([body]).digest('hex')}`
    const delivery = { at: now, deliveryId, type: null, outcome, eventId: null, reason: oneLine(reason) }
    records.record(source, [delivery])
    const text = textOf(body)
    if (text === undefined) return
    const items = [{ deliveryId, userId: null, outcome }]
    const headers = chooseHeaders(sent, source.settings)
    const of = { sourceId: source.id, environmentId: environment.id, bodyId: bodyIdOf(body) }
    records.keepBody({ ...of, at: now, body: text, headers, items })
  }

  async function recordDropped(target: FoundSource, items: DeliveredItem[], call: ConnectorCall, reason: string) {
    const { source, environment } = target
    const events = await deps.mapItems(environment.id, items, source.mappings)
    const outcome = 'dropped' as const
    const dropped = { at: call.now, outcome, eventId: null, reason }
    records.record(
      source,
      events.map(({ deliveryId, type }): SourceDelivery => {
        return { ...dropped, deliveryId: oneLine(deliveryId), type: oneLine(type) }
      }),
    )
    const own = events.map(({ deliveryId, userId }) => ({ deliveryId: oneLine(deliveryId), userId, outcome }))
    const kept = { sourceId: source.id, environmentId: environment.id, at: call.now, ...toKept(call, source, items) }
    records.keepBody({ ...kept, items: own })
  }

  function refuse(source: Source, reason: string, at: number): never {
    const nothing = { deliveryId: null, type: null, eventId: null }
    records.record(source, [{ at, ...nothing, outcome: 'refused', reason: oneLine(reason) }])
    throw new ApiError('webhook/invalid-signature', { message: reason })
  }

  return {
    async find(provider, sourceId) {
      const [, named] = SOURCE_ID.exec(sourceId) ?? []
      const found = named === undefined ? undefined : await deps.findSource(sourceId)
      if (found?.source.provider !== provider) {
        const message = describeForeignKey('source', named, deps.regions)
        throw new ApiError('source/not-found', message === undefined ? {} : { message })
      }
      refuseClosed(found.environment)
      return found
    },

    isPaused: ({ source, environment }) => source.isPaused || environment.disabledAt !== null,

    async drop(target, call) {
      const { source, secrets } = target
      const connector = deps.connectors[source.provider]
      if (!secrets.some(({ value }) => connector.verify(call, value, source).ok)) return
      const reason = source.isPaused ? 'The source is paused.' : 'The environment is disabled.'
      try {
        await recordDropped(target, read(target, connector, call).items, call, reason)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        recordWhole(target, call, 'dropped', `${reason} ${error.message}`)
      }
    },

    async receive(target, call, correlationId) {
      const connector = deps.connectors[target.source.provider]
      const secretId = verify(target, connector, call, correlationId)
      let delivery: ReadDelivery
      try {
        delivery = read(target, connector, call)
      } catch (error) {
        if (error instanceof ApiError) recordWhole(target, call, 'refused', error.message)
        throw error
      }
      const { now } = call
      const given = {
        ...delivery,
        secretId,
        correlationId,
        now,
        body: toKept(call, target.source, delivery.items),
        repeatKeyOf: idOf,
      }
      try {
        const { accepted } = await deps.trackItems(target, given)
        return { status: 'accepted', accepted }
      } catch (error) {
        // The value was retired between the verification and the commit.
        if (error instanceof ApiError && error.code === 'auth/invalid-authorization') {
          return refuse(target.source, 'The secret has just ended.', now)
        }
        throw error
      }
    },
  }
}

const idOf = ({ deliveryId }: { deliveryId: string }) => deliveryId

/** Ids and types may come in headers: an equal body with other items is another one. */
const toKept = ({ body, headers }: ConnectorCall, { settings }: Source, items: DeliveredItem[]) => {
  const bodyId = bodyIdOf(body, ...items.flatMap(({ deliveryId, type }) => ['\0', deliveryId, '\0', type]))
  return { bodyId, body: body.toString(), headers: chooseHeaders(headers, settings) }
}

function hash(parts: (Buffer | string)[]) {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum
}

/** Short, because it is a key of several indexes. */
const bodyIdOf = (...parts: (Buffer | string)[]): string => hash(parts).digest('base64url')

/** @returns The text of a body that can be kept; undefined for a larger one, and for bytes that no text has. */
function textOf(body: Buffer): string | undefined {
  if (body.length > LARGE_BODIES.deliveryBytes || !isUtf8(body) || body.includes(0)) return undefined
  return body.toString()
}
