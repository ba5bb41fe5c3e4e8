// The delivery history as it is read: bounded steps newest first, and one message with all that is known of it (contract section 7).

import type { MessageContent } from '../../../../contract/api.ts'
import {
  type Channel,
  DELIVERY_EVENT_TYPES,
  type DeliveryEventType,
  type MessageStatus,
} from '../../../../contract/delivery.ts'
import type {
  DeliveryDetail,
  DeliveryHistory,
  DeliveryRecord,
  RawEvent,
  TimelineEntry,
} from '../../../domain/delivery/delivery-record.ts'
import type { Json } from '../../../domain/json.ts'
import type { EventSource, TraceStep } from '../../../domain/tracked-event.ts'
import { type Sql, withRows } from '../sql.ts'
import { readLead } from './id-lead.ts'
import { walkOf } from './walk.ts'

/** Messages that one step looks at, at most: a few milliseconds, whatever the filter finds. */
export const WALKED_MESSAGES = 2000

interface RecordRow {
  id: number
  correlation_id: string
  event_id: number
  run_id: number
  user_id: string
  campaign_id: number
  campaign_key: string
  version: number
  branch: string | null
  step_id: string
  channel: Channel
  status: MessageStatus
  status_reason: string | null
  is_test: number
  created_at: number
  delivered_at: number | null
  expires_at: number | null
  read_at: number | null
  opened_at: number | null
  clicked_at: number | null
  /** Of failed messages only. */
  trace: string | null
}
interface EventRow {
  id: number
  name: string
  user_id: string | null
  user_ids: string | null
  topic: string | null
  source: string
  occurred_at: number
  received_at: number
  properties: string
}
interface TimelineRow {
  event_type: DeliveryEventType
  occurred_at: number
  implied: number
  automated: number
  source: string
}

const RECORD_COLUMNS = `m.id, m.correlation_id, m.event_id, m.run_id, u.user_id, m.campaign_id, c.campaign_key, m.version, m.branch,
  m.step_id, m.channel, m.status, m.status_reason, m.is_test, m.created_at, m.delivered_at, m.expires_at, m.read_at, m.opened_at,
  m.clicked_at, r.trace`
// The join on users hides at once what is being erased.
const RECORD_JOINS = `JOIN app_user u ON u.user_no = m.user_no JOIN campaign c ON c.id = m.campaign_id
  LEFT JOIN run r ON m.status = 'failed' AND r.id = m.run_id`

const READ_RECORDS = withRows(
  { id: 'int' },
  `SELECT ${RECORD_COLUMNS} FROM given CROSS JOIN message m ${RECORD_JOINS} WHERE m.id = given.id`,
)

export function createDeliveryHistory(sql: Sql): DeliveryHistory {
  return {
    async step(environmentId, filter, before, limit) {
      const leadMs = filter.to === undefined ? 0 : await readLead(sql)
      const walk = walkOf(sql, environmentId, filter, before, leadMs)
      const most = walk.isExact ? limit : WALKED_MESSAGES
      const walked = await sql.all<{ id: number; fits: number }>(walk.text, [...walk.params, most])
      const fitting = walked.filter((row) => row.fits === 1)
      const ids = fitting.slice(0, limit).map((row) => row.id)
      const isCut = fitting.length > limit || walked.length === most
      const last = fitting.length >= limit ? ids.at(-1) : walked.at(-1)?.id
      return { records: await readRecords(sql, ids), next: isCut ? (last ?? null) : null }
    },
    find: (environmentId, messageId) => findDetail(sql, environmentId, messageId),
  }
}

async function readRecords(sql: Sql, ids: number[]): Promise<DeliveryRecord[]> {
  const rows = await sql.bulk<RecordRow>(
    READ_RECORDS,
    ids.map((id) => [id]),
  )
  return rows.map(toRecord).sort((one, other) => other.id - one.id)
}

async function findDetail(sql: Sql, environmentId: number, messageId: number): Promise<DeliveryDetail | undefined> {
  const row = await sql.one<RecordRow & { snapshot: string }>(
    `SELECT ${RECORD_COLUMNS}, m.snapshot FROM message m ${RECORD_JOINS} WHERE m.environment_id = ? AND m.id = ?`,
    [environmentId, messageId],
  )
  if (row === undefined) return undefined
  const event = await sql.one<EventRow>(
    `SELECT id, name, user_id, user_ids, topic, source, occurred_at, received_at, properties FROM tracked_event
      WHERE environment_id = ? AND id = ?`,
    [environmentId, row.event_id],
  )
  const timeline = await sql.all<TimelineRow>(
    'SELECT event_type, occurred_at, implied, automated, source FROM delivery_event WHERE message_id = ?',
    [messageId],
  )
  return {
    record: toRecord(row),
    snapshot: JSON.parse(row.snapshot) as MessageContent,
    event: event === undefined ? null : toRawEvent(event),
    timeline: timeline.map(toEntry).sort(byTime),
  }
}

function toRecord(row: RecordRow): DeliveryRecord {
  return {
    id: row.id,
    correlationId: row.correlation_id,
    eventId: row.event_id,
    runId: row.run_id,
    userId: row.user_id,
    campaignId: row.campaign_id,
    campaignKey: row.campaign_key,
    version: row.version,
    branch: row.branch,
    stepId: row.step_id,
    channel: row.channel,
    status: row.status,
    statusReason: row.status_reason,
    lastError: row.trace === null ? null : errorOf(row.trace, row.step_id),
    createdAt: row.created_at,
    acceptedAt: row.delivered_at,
    readAt: row.read_at,
    openedAt: row.opened_at,
    clickedAt: row.clicked_at,
    expiresAt: row.expires_at,
    isTest: row.is_test === 1,
  }
}

/** What the run's trace says of the message's own step, or, where that was never come to, of the step that ended the run. */
function errorOf(trace: string, stepId: string): string | null {
  const failed = (JSON.parse(trace) as TraceStep[]).filter((step) => step.outcome === 'failed')
  return (failed.findLast((step) => step.stepId === stepId) ?? failed.at(-1))?.reason ?? null
}

function toRawEvent(row: EventRow): RawEvent {
  return {
    id: row.id,
    name: row.name,
    userId: row.user_id,
    userIds: row.user_ids === null ? null : (JSON.parse(row.user_ids) as string[]),
    topic: row.topic,
    properties: JSON.parse(row.properties) as Record<string, Json>,
    source: row.source as EventSource,
    occurredAt: row.occurred_at,
    receivedAt: row.received_at,
  }
}

function toEntry(row: TimelineRow): TimelineEntry {
  return {
    eventType: row.event_type,
    at: row.occurred_at,
    implied: row.implied === 1,
    automated: row.automated === 1,
    source: row.source,
  }
}

function byTime(one: TimelineEntry, other: TimelineEntry): number {
  const place = (entry: TimelineEntry) => DELIVERY_EVENT_TYPES.indexOf(entry.eventType)
  return one.at - other.at || place(one) - place(other)
}
