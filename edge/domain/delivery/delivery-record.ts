// Defines the delivery record: status and engagement of one message, and the reads of the history.

import type { MessageContent } from '../../../contract/api.ts'
import type { Channel, DeliveryEventType, Engagement, MessageStatus } from '../../../contract/delivery.ts'
import type { MailAttempt } from '../mail/mail-attempt.ts'
import type { EventSource, TrackedEvent } from '../tracked-event.ts'

/** One message for its customer. Instants are epoch milliseconds; null means "did not happen" or "not known". */
export interface DeliveryRecord {
  id: number
  correlationId: string
  eventId: number
  runId: number
  userId: string
  userName: string | null
  campaignId: number
  campaignKey: string
  campaignName: string
  /** The beginning of the message's title or of the mail's subject; null for a message without content. */
  title: string | null
  version: number
  branch: string | null
  stepId: string
  channel: Channel
  status: MessageStatus
  statusReason: string | null
  /** The last error of the provider or the renderer; null when there was none. */
  lastError: string | null
  /** Of a message that was to be sent as mail; null for others. */
  mail: MailRecord | null
  createdAt: number
  /** When the funnel counted it as delivered: the inbox's write, or the mail provider's acceptance. */
  acceptedAt: number | null
  readAt: number | null
  openedAt: number | null
  clickedAt: number | null
  expiresAt: number | null
  isTest: boolean
}

/** How a mail went to its provider. */
export interface MailRecord {
  provider: string | null
  providerMessageId: string | null
  /** Hand-overs to a provider. */
  attempts: number
  /** When the provider reported that it was delivered; null where it has not. */
  deliveredAt: number | null
}

/** One entry of a message's timeline: a delivery event, each type at most once. */
export interface TimelineEntry {
  eventType: DeliveryEventType
  /** Epoch milliseconds. */
  at: number
  /** Implied by a later delivery event; nobody reported it. */
  implied: boolean
  /** Caused by a machine (a mail scanner, a link checker), so it is not counted. */
  automated: boolean
  source: string
}

/** The event behind a message, as the customer sent it. */
export type RawEvent = Pick<
  TrackedEvent,
  'id' | 'name' | 'userId' | 'userIds' | 'topic' | 'properties' | 'raw' | 'occurredAt' | 'receivedAt'
> & { source: EventSource }

export interface DeliveryDetail {
  record: DeliveryRecord
  /** As rendered when the message was created. */
  snapshot: MessageContent
  /** Null when retention has removed it. */
  event: RawEvent | null
  /** Oldest first; at the same instant in funnel order. */
  timeline: TimelineEntry[]
  /** Of a mail, oldest first. */
  attemptLog: MailAttempt[]
  /** When the mail is looked at again, by itself; null when nothing is left to do, and while it is being sent. */
  nextAttemptAt: number | null
}

/** Filters of a search; absent fields match everything, unknown values match nothing. */
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
  /** Why it was not sent, or not yet. */
  statusReason?: string | undefined
  engagement?: Engagement | undefined
  /** By creation, both ends inclusive (epoch milliseconds). */
  from?: number | undefined
  to?: number | undefined
}

export interface DeliveryStep {
  records: DeliveryRecord[]
  /** Where the next step begins (`before`); null at the end. */
  next: number | null
}

export interface DeliveryHistory {
  /**
   * Reads one bounded step of the records, newest first: at most `limit` with ids below `before`. A step checks a
   * limited number of messages, so it may find fewer or none and not be the last.
   */
  step(environmentId: number, filter: DeliveryFilter, before: number | null, limit: number): Promise<DeliveryStep>
  find(environmentId: number, messageId: number): Promise<DeliveryDetail | undefined>
}

/** Returns the recipient's last step in the funnel. Events of machines do not count. */
export function engagementOf(record: Pick<DeliveryRecord, 'readAt' | 'openedAt' | 'clickedAt'>): Engagement {
  if (record.clickedAt !== null) return 'clicked'
  if (record.openedAt !== null) return 'opened'
  return record.readAt === null ? 'none' : 'read'
}
