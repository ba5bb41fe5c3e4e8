// Converts a tracked event to its wire shape, for the answers about an event and about a message.

import type { RawEventAnswer } from '../../../contract/resources/tracked-event.ts'
import type { RawEvent } from '../../domain/delivery/delivery-record.ts'
import { listKnown } from '../../domain/tracked-event.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { passJson } from '../../lib/lazy-json.ts'

export function toRawEventAnswer(event: RawEvent): RawEventAnswer {
  const { name, userId, topic, source } = event
  const to = { eventId: formatId('event', event.id), name, userId, userIds: listKnown(event.userIds), topic }
  return Object.assign(passJson<typeof to, 'properties', RawEvent['properties']>(to, 'properties', event), {
    raw: event.raw ?? {},
    source,
    occurredAt: toIso(event.occurredAt),
    receivedAt: toIso(event.receivedAt),
  })
}
