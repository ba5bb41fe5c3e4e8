// Reads one delivery of a source with its body as it came.

import type { KeptDeliveryAnswer, SourceDeliveryAnswer } from '../../../contract/resources/source-delivery.ts'
import type { KeptBody } from '../../domain/connector/delivery-body.ts'
import { DELIVERIES_KEPT_MS } from '../../domain/connector/source.ts'
import type { Core } from '../../domain/core.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { toDeliveryAnswer } from '../tenant/list-source-deliveries.ts'

/** Throws `source/not-found`, and `request/not-found` for a delivery that is not kept. */
export type ReadKeptDelivery = (
  environmentId: number,
  publicId: string,
  deliveryId: string,
) => Promise<KeptDeliveryAnswer>

export function createReadDelivery({
  sources,
  deliveryBodies,
  clock,
}: Pick<Core, 'sources' | 'deliveryBodies' | 'clock'>): ReadKeptDelivery {
  return async function readDelivery(environmentId, publicId, deliveryId) {
    const source = await sources.find(environmentId, publicId)
    if (source === undefined) throw new ApiError('source/not-found')
    const listed = await sources.listDeliveries(environmentId, source.id, clock.now() - DELIVERIES_KEPT_MS)
    const kept = await deliveryBodies.find(environmentId, source.id, deliveryId)
    const found = listed.find((one) => one.deliveryId === deliveryId)
    const delivery = found === undefined ? olderOf(kept) : toDeliveryAnswer(found)
    if (delivery === undefined) throw new ApiError('request/not-found', { message: 'There is no such delivery.' })
    return { ...delivery, body: kept?.body ?? null, headers: kept?.headers ?? null }
  }
}

/** A delivery that is no more among the last ones has its body alone. */
function olderOf(kept: KeptBody | undefined): SourceDeliveryAnswer | undefined {
  const [item] = kept?.items ?? []
  if (kept === undefined || item === undefined) return undefined
  const { deliveryId, outcome } = item
  return { at: toIso(kept.at), deliveryId, type: null, outcome, eventId: null, reason: null }
}
