// A tracked event as it came in, on the wire: beside a message, and as part of the event's own answer (contract sections 3 and 7).

import type { RawEvent } from '../domain/delivery/delivery-record.ts'
import { listKnown } from '../domain/tracked-event.ts'
import { toIso } from '../lib/clock.ts'
import { formatId } from '../lib/id.ts'

export interface RawEventAnswer {
  eventId: string
  name: string
  userId: string | null
  userIds: string[] | null
  topic: string | null
  properties: Record<string, unknown>
  source: string
  occurredAt: string
  receivedAt: string
}

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
