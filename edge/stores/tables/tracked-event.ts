// Describes the tables of tracked events, of their recipients and of their idempotency keys.

import type { Json } from '../../../contract/json.ts'
import type { NewTrackedEvent } from '../../domain/plan.ts'
import type { Consideration, EventOutcome, EventSource } from '../../domain/tracked-event.ts'
import type { Unpack } from '../codec/record-codec.ts'
import { type ColumnsOf, integer, jsonText, orNull, table, text, textOf } from './table.ts'

export const TRACKED_EVENT = table('tracked_event', {
  id: integer(),
  environmentId: integer(),
  correlationId: text(),
  name: text(),
  userId: orNull(text()),
  userIds: orNull(jsonText<string[]>()),
  topic: orNull(text()),
  properties: jsonText<Record<string, Json>>(),
  source: textOf<string, EventSource>(),
  occurredAt: integer(),
  receivedAt: integer(),
  outcome: textOf<EventOutcome>(),
  considered: orNull(jsonText<Consideration[]>()),
  raw: orNull(jsonText<Record<string, Json>>()),
} satisfies ColumnsOf<NewTrackedEvent>)

/** Unpacks a planned row in the writer thread. */
export const unpackEvent: Unpack<NewTrackedEvent> = (values, at) => ({
  id: values[at++],
  environmentId: values[at++],
  correlationId: values[at++],
  name: values[at++],
  userId: values[at++],
  userIds: values[at++],
  topic: values[at++],
  properties: values[at++],
  source: values[at++],
  occurredAt: values[at++],
  receivedAt: values[at++],
  outcome: values[at++],
  considered: values[at++],
  raw: values[at++],
})

export const EVENT_RECIPIENT = table('event_recipient', {
  environmentId: integer(),
  userId: text(),
  eventId: integer(),
})

export const IDEMPOTENCY = table('idempotency', {
  environmentId: integer(),
  idempotencyKey: text(),
  bodyHash: text(),
  eventId: integer(),
  correlationId: text(),
  receivedAt: integer(),
  expiresAt: integer(),
})
