// Describes the tables of messages, of their state and of their delivery events.

import type { MessageContent } from '../../../contract/api.ts'
import {
  type Channel,
  type MessageStatus,
  REGISTERED_EVENT_TYPES,
  type RegisteredEventType,
} from '../../../contract/delivery.ts'
import type { InboxState } from '../../domain/message.ts'
import type { NewMessage } from '../../domain/plan.ts'
import type { Unpack } from '../codec/record-codec.ts'
import type { Param } from '../sql/sql.ts'
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

type Planned = Omit<NewMessage, 'userId'>

const lasting = {
  id: integer(),
  runId: integer(),
  eventId: integer(),
  campaignId: integer(),
  version: integer(),
  branch: orNull(text()),
  stepId: text(),
  correlationId: text(),
  snapshot: jsonText<MessageContent>(),
  createdAt: integer(),
} satisfies Partial<ColumnsOf<Planned>>

/** Has what never changes. */
export const MESSAGE = plannedTable('message', lasting, { environmentId: integer(), userNo: integer() })

const first = {
  id: integer('message_id'),
  channel: textOf<Channel>(),
  status: textOf<MessageStatus>(),
  statusReason: orNull(text()),
  category: orNull(text()),
  entity: orNull(text()),
  collapseKey: orNull(text()),
  expiresAt: orNull(integer()),
  isTest: boolean(),
} satisfies ColumnsOf<Omit<Planned, Exclude<keyof typeof lasting, 'id'>>>

const state = {
  unopened: boolean(),
  readAt: orNull(integer()),
  openedAt: orNull(integer()),
  clickedAt: orNull(integer()),
  archivedAt: orNull(integer()),
  snoozedUntil: orNull(integer()),
  removedAt: orNull(integer()),
} satisfies ColumnsOf<InboxState>

/** Has one row for each message: what changes. */
export const INBOX_ITEM = plannedTable('inbox_item', first, {
  environmentId: integer(),
  userNo: integer(),
  /** 0 when the message was never in an inbox. */
  seq: integer(),
  /** One of `SECTION`. */
  section: integer(),
  deliveredAt: orNull(integer()),
  /** When its snooze or its lifetime ends, whichever is first; null where neither changes the inbox. */
  dueAt: orNull(integer()),
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

/** Has at most one row for a message and event type: what was reported. The delivery is `deliveredAt` of the item. */
export const DELIVERY_EVENT = table('delivery_event', {
  environmentId: integer(),
  eventType: textOf<RegisteredEventType>(),
  messageId: integer(),
  occurredAt: integer(),
  recordedAt: integer(),
  implied: boolean(),
  automated: boolean(),
  source: text(),
  link: orNull(text()),
})

/** The columns of a delivery event's primary key. */
export const EVENT_KEY = { environment_id: 'int', event_type: 'text', message_id: 'int' } as const
/**
 * @returns The keys of all events of a message. Named as a whole, they are found by the whole key also before
 *   PostgreSQL has statistics.
 */
export function eventKeysOf([environmentId, id]: readonly [environmentId: number, id: number]): Param[][] {
  return REGISTERED_EVENT_TYPES.map((type) => [environmentId, type, id])
}

/** The item of `message m`. */
export const ITEM_OF_MESSAGE = 'i.environment_id = m.environment_id AND i.message_id = m.id'
/** The message of `inbox_item i`. */
export const MESSAGE_OF_ITEM = 'm.environment_id = i.environment_id AND m.id = i.message_id'
