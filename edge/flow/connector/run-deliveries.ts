// Reads the body of a delivery as it came, and runs deliveries again with the mappings that hold today.

import type { Connectors, DeliveredItem } from '../../domain/connector/connector.ts'
import type { DeliveryBodies, KeptBody } from '../../domain/connector/delivery-body.ts'
import type { Sources } from '../../domain/connector/source.ts'
import { DELIVERY_OUTCOMES, type DeliveryOutcome, type StoredSource } from '../../domain/connector/source.ts'
import type { Environment } from '../../domain/environment.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { oneLine, type TrackItems } from './track-items.ts'

export interface RunDeliveriesDeps {
  sources: Pick<Sources, 'find'>
  bodies: Pick<DeliveryBodies, 'find' | 'listPage'>
  connectors: Connectors
  trackItems: TrackItems
  clock: Clock
}

export interface RunQuery {
  /** Epoch ms, both inclusive. */
  from: number
  to: number
  outcome?: DeliveryOutcome | undefined
}

export type RunDeliveries = ReturnType<typeof createRunDeliveries>

/** Bodies of a page have up to 4 MiB each. */
const PAGE = 10
/** What no event came of: the platform's own next try is a repeat of the run. */
const UNTRACKED: readonly DeliveryOutcome[] = ['dropped', 'refused']
const [ACCEPTED] = DELIVERY_OUTCOMES

export function createRunDeliveries(deps: RunDeliveriesDeps) {
  async function getSource(environmentId: number, publicId: string): Promise<StoredSource> {
    const source = await deps.sources.find(environmentId, publicId)
    if (source === undefined) throw new ApiError('source/not-found')
    return source
  }

  async function run(environment: Environment, source: StoredSource, kept: KeptBody, correlationId: string) {
    const outcomes = new Map(kept.items.map(({ deliveryId, outcome }) => [deliveryId, outcome]))
    const items = readItems(deps, source, kept).filter(({ deliveryId }) => outcomes.has(oneLine(deliveryId)))
    if (items.length === 0) return 0
    // The same mappings run an item once, however often they are asked to.
    const mappings = sha256Hex(JSON.stringify(source.mappings))
    return deps.trackItems(
      { source, environment },
      {
        items,
        unsigned: 0,
        secretId: null,
        correlationId,
        now: deps.clock.now(),
        repeatKeyOf({ deliveryId }) {
          const outcome = outcomes.get(oneLine(deliveryId)) ?? ACCEPTED
          return UNTRACKED.includes(outcome) ? deliveryId : `run:${mappings}:${deliveryId}`
        },
      },
    )
  }

  return {
    /** @returns The body as it came; null when it is kept no more. @throws ApiError `source/not-found` */
    async bodyOf(environmentId: number, publicId: string, deliveryId: string): Promise<KeptBody | undefined> {
      const { id } = await getSource(environmentId, publicId)
      return deps.bodies.find(id, deliveryId)
    },

    /** @returns How many events are new. @throws ApiError `source/not-found`, `request/not-found` without a kept body */
    async one(environment: Environment, publicId: string, deliveryId: string, correlationId: string): Promise<number> {
      const source = await getSource(environment.id, publicId)
      const kept = await deps.bodies.find(source.id, deliveryId)
      if (kept === undefined) throw new ApiError('request/not-found', { message: 'This delivery is kept no more.' })
      return run(environment, source, kept, correlationId)
    },

    /** Runs oldest first, a few bodies at a time. @returns How many events are new. @throws ApiError `source/not-found` */
    async many(environment: Environment, publicId: string, query: RunQuery, correlationId: string): Promise<number> {
      const source = await getSource(environment.id, publicId)
      let accepted = 0
      let after: Pick<KeptBody, 'at' | 'bodyId'> | null = null
      for (;;) {
        const page: KeptBody[] = await deps.bodies.listPage(source.id, { ...query, after, limit: PAGE })
        for (const kept of page) accepted += await run(environment, source, kept, correlationId)
        after = page.at(-1) ?? null
        if (page.length < PAGE || after === null) return accepted
      }
    },
  }
}

/** @returns None of a body that cannot be read today either. */
function readItems(
  { connectors, clock }: RunDeliveriesDeps,
  source: StoredSource,
  { body, items }: KeptBody,
): DeliveredItem[] {
  // The id of a Standard Webhook is in a header, which is not kept.
  const [item] = items.length === 1 ? items : []
  const headers = item === undefined ? {} : { 'webhook-id': item.deliveryId }
  const call = { method: 'POST', url: '', headers, body: Buffer.from(body), now: clock.now() }
  try {
    return connectors[source.provider].read(call, source).items
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}
