// Describes the tables of messages and their delivery events.

import type { MessageContent } from '../../../contract/api.ts'
import type { Channel, DeliveryEventType, MessageStatus } from '../../../contract/delivery.ts'
import type { InboxState } from '../../domain/message.ts'
import type { NewMessage } from '../../domain/plan.ts'
import type { Unpack } from '../codec/record-codec.ts'
import {
  boolean,
  type ColumnsOf,
  integer,
  jsonText,
  namesOf,
  orNull,
  plannedTable,
  table,
  text,
  textOf,
} from './table.ts'

/** Columns that the plan fills. */
const planned = {
  id: integer(),
  runId: integer(),
  eventId: integer(),
  campaignId: integer(),
  version: integer(),
  branch: orNull(text()),
  stepId: text(),
  channel: textOf<Channel>(),
  status: textOf<MessageStatus>(),
  statusReason: orNull(text()),
  correlationId: text(),
  category: orNull(text()),
  entity: orNull(text()),
  collapseKey: orNull(text()),
  snapshot: jsonText<MessageContent>(),
  createdAt: integer(),
  expiresAt: orNull(integer()),
  isTest: boolean(),
} satisfies ColumnsOf<Omit<NewMessage, 'userId'>>

/** Columns that the commit fills and that change later. */
const state = {
  unopened: boolean(),
  readAt: orNull(integer()),
  openedAt: orNull(integer()),
  clickedAt: orNull(integer()),
  archivedAt: orNull(integer()),
  snoozedUntil: orNull(integer()),
  removedAt: orNull(integer()),
} satisfies ColumnsOf<InboxState>

export const MESSAGE = plannedTable('message', planned, {
  environmentId: integer(),
  userNo: integer(),
  /** 0 when the message was never in an inbox. */
  seq: integer(),
  /** One of `SECTION`. */
  section: integer(),
  deliveredAt: orNull(integer()),
  ...state,
})

export const STATE_FIELDS = namesOf(state)

/**
 * Unpacks a planned row in the writer thread; `userId` is stored as `user_no`. A literal, because an object filled from
 * the names of the columns makes the whole way a third slower (docs/decisions/0002-sqlite-writer-thread.md).
 */
export const unpackMessage: Unpack<NewMessage> = (values, at) => ({
  id: values[at++],
  runId: values[at++],
  eventId: values[at++],
  campaignId: values[at++],
  version: values[at++],
  branch: values[at++],
  stepId: values[at++],
  userId: values[at++],
  channel: values[at++],
  status: values[at++],
  statusReason: values[at++],
  correlationId: values[at++],
  category: values[at++],
  entity: values[at++],
  collapseKey: values[at++],
  snapshot: values[at++],
  createdAt: values[at++],
  expiresAt: values[at++],
  isTest: values[at++],
})

/** Has at most one row for a message and event type. */
export const DELIVERY_EVENT = table('delivery_event', {
  messageId: integer(),
  eventType: textOf<DeliveryEventType>(),
  occurredAt: integer(),
  recordedAt: integer(),
  implied: boolean(),
  automated: boolean(),
  source: text(),
  link: orNull(text()),
})
