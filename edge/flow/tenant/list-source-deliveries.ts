// Lists the last deliveries of a source.

import type { Page } from '../../../contract/api.ts'
import type { SourceDeliveryAnswer } from '../../../contract/resources/source-delivery.ts'
import { DELIVERIES_KEPT_MS, type NumberedDelivery, type Sources } from '../../domain/connector/source.ts'
import { ApiError } from '../../lib/api-error.ts'
import { type Clock, toIso } from '../../lib/clock.ts'
import { cutPage, type PageQuery } from '../../lib/cut-page.ts'
import { formatId } from '../../lib/id.ts'

const deliveriesOf = (sourceId: number) => ({ list: 'source-deliveries', of: sourceId })

/** Lists the last 200 of 30 days, newest first. Throws `source/not-found`. */
export async function listSourceDeliveries(
  { sources, clock }: { sources: Pick<Sources, 'find' | 'listDeliveries'>; clock: Clock },
  environmentId: number,
  publicId: string,
  query: PageQuery,
): Promise<Page<SourceDeliveryAnswer>> {
  const source = await sources.find(environmentId, publicId)
  if (source === undefined) throw new ApiError('source/not-found')
  const all = await sources.listDeliveries(environmentId, source.id, clock.now() - DELIVERIES_KEPT_MS)
  const { data, nextCursor } = cutPage(deliveriesOf(source.id), all, query, ({ number }) => number)
  return { data: data.map(toDeliveryAnswer), nextCursor }
}

/** @returns A delivery on the wire. */
export function toDeliveryAnswer({ number: _, at, eventId, ...delivery }: NumberedDelivery): SourceDeliveryAnswer {
  return { at: toIso(at), ...delivery, eventId: eventId === null ? null : formatId('event', eventId) }
}
