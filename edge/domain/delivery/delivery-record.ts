// The delivery record: what became of one message, in status and engagement, and how the history is read (contract section 7).

import type { MessageContent } from '../../../contract/api.ts'
import type { Channel, DeliveryEventType, Engagement, MessageStatus } from '../../../contract/delivery.ts'
import type { EventSource, TrackedEvent } from '../tracked-event.ts'

/** One message as its customer sees it. Instants are epoch milliseconds; null is "did not happen" or "not known". */
export interface DeliveryRecord {
  id: number
  correlationId: string
  eventId: number
  runId: number
  userId: string
  campaignId: number
  campaignKey: string
  version: number
  branch: string | null
  stepId: string
  channel: Channel
  status: MessageStatus
  statusReason: string | null
  /** What the provider or the renderer said last; null unless it failed. */
  lastError: string | null
  createdAt: number
  /** When it counted as delivered in the funnel: the inbox's write, or the mail provider's acceptance. */
  acceptedAt: number | null
  readAt: number | null
  openedAt: number | null
  clickedAt: number | null
  expiresAt: number | null
  isTest: boolean
}

/** One entry of a message's timeline: a delivery event, each type at most once. */
export interface TimelineEntry {
  eventType: DeliveryEventType
  /** Epoch milliseconds. */
  at: number
  /** Followed from a later step; nobody reported it. */
  implied: boolean
  /** A machine did it (a mail scanner, a link checker): it counts nowhere. */
  automated: boolean
  source: string
}

/** What set a message going, as the customer sent it. */
export type RawEvent = Pick<
  TrackedEvent,
  'id' | 'name' | 'userId' | 'userIds' | 'topic' | 'properties' | 'occurredAt' | 'receivedAt'
> & { source: EventSource }

export interface DeliveryDetail {
  record: DeliveryRecord
  /** As rendered when the message was created. */
  snapshot: MessageContent
  /** Null when retention has taken it. */
  event: RawEvent | null
  /** Oldest first; at the same instant in funnel order. */
  timeline: TimelineEntry[]
}

/** Which records are wanted; absent fields want all. An id or a word that nothing has finds nothing. */
export interface DeliveryFilter {
  messageId?: number | undefined
  eventId?: number | undefined
  correlationId?: string | undefined
  userId?: string | undefined
  campaignId?: number | undefined
  /** Null: sent before any branch. */
  branch?: string | null | undefined
  channel?: Channel | undefined
  status?: MessageStatus | undefined
  engagement?: Engagement | undefined
  /** By creation, both ends included (epoch milliseconds). */
  from?: number | undefined
  to?: number | undefined
}

export interface DeliveryStep {
  records: DeliveryRecord[]
  /** Where the next step begins (`before`); null when nothing is left. */
  next: number | null
}

export interface DeliveryHistory {
  /**
   * One bounded step through the records, newest first: at most `limit` of them with ids below `before`. A step may
   * find fewer, or none, and still not be the last: it looks at a bounded number of messages, so that it never keeps others waiting.
   */
  step(environmentId: number, filter: DeliveryFilter, before: number | null, limit: number): Promise<DeliveryStep>
  find(environmentId: number, messageId: number): Promise<DeliveryDetail | undefined>
}

/** The furthest that the recipient went. Machines do not count. */
export function engagementOf(record: Pick<DeliveryRecord, 'readAt' | 'openedAt' | 'clickedAt'>): Engagement {
  if (record.clickedAt !== null) return 'clicked'
  if (record.openedAt !== null) return 'opened'
  return record.readAt === null ? 'none' : 'read'
}
