// Converts a tracked event to its wire shape, for the answers about an event and about a message.

import type { RawEventAnswer } from '../../../contract/schemas.ts'
import type { RawEvent } from '../../domain/delivery/delivery-record.ts'
import { listKnown } from '../../domain/tracked-event.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'

export function toRawEventAnswer(event: RawEvent): RawEventAnswer {
  const { name, userId, topic, properties, source } = event
  return {
    eventId: formatId('event', event.id),
    name,
    userId,
    userIds: listKnown(event.userIds),
    topic,
    properties,
    source,
    occurredAt: toIso(event.occurredAt),
    receivedAt: toIso(event.receivedAt),
  }
}
