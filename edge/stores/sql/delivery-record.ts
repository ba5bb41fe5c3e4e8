// Reads the delivery history: bounded steps, newest first, and one message with all details.

import { DELIVERY_EVENT_TYPES } from '../../../contract/delivery.ts'
import type {
  DeliveryDetail,
  DeliveryHistory,
  DeliveryRecord,
  MailRecord,
  TimelineEntry,
} from '../../domain/delivery/delivery-record.ts'
import type { TraceStep } from '../../domain/tracked-event.ts'
import { MAIL } from '../tables/mail.ts'
import { DELIVERY_EVENT, EVENT_KEY, eventKeysOf, INBOX_ITEM, ITEM_OF_MESSAGE, MESSAGE } from '../tables/message.ts'
import { RUN } from '../tables/run.ts'
import { type RawRow, type RowOf, view, viewBoth } from '../tables/table.ts'
import { TRACKED_EVENT } from '../tables/tracked-event.ts'
import { readIdLead } from './id-lead.ts'
import { planIndexScan, type Term } from './index-scan.ts'
import { TITLE_COLUMN, titleOf } from './message-title.ts'
import { type Sql, withRows } from './sql.ts'

/** The maximum of messages that one step looks at, in a few milliseconds. */
export const SCANNED_MESSAGES = 5000

const MESSAGE_VIEW = viewBoth(
  view(MESSAGE, 'm', [
    'id',
    'correlationId',
    'eventId',
    'runId',
    'campaignId',
    'version',
    'branch',
    'stepId',
    'createdAt',
  ]),
  view(
    INBOX_ITEM,
    'i',
    ['channel', 'status', 'statusReason', 'readAt', 'openedAt', 'clickedAt', 'expiresAt', 'isTest'],
    { acceptedAt: 'deliveredAt' },
  ),
)
/** All fields are null for messages that are not mails. */
const MAIL_VIEW = view(MAIL, 'x', ['provider', 'providerMessageId', 'attempts'], {
  mailError: 'lastError',
  mailDeliveredAt: 'deliveredAt',
})
type MailRow = RowOf<typeof MAIL_VIEW>
const ATTEMPTS_VIEW = view(MAIL, 'x', ['attemptLog', 'readyAt', 'claimableAt', 'pausedCampaign'])
const SNAPSHOT_VIEW = view(MESSAGE, 'm', ['snapshot'])
/** `trace` is null unless the message has failed. */
const RUN_VIEW = view(RUN, 'r', ['trace'])
const EVENT_VIEW = view(TRACKED_EVENT, '', [
  'id',
  'name',
  'userId',
  'userIds',
  'topic',
  'source',
  'occurredAt',
  'receivedAt',
  'properties',
  'raw',
])
const TIMELINE_VIEW = view(DELIVERY_EVENT, 'd', ['eventType', 'implied', 'automated', 'source'], { at: 'occurredAt' })

const NAMES = `u.user_id AS "userId", u.name AS "userName", c.campaign_key AS "campaignKey", c.name AS "campaignName"`
const RECORD_COLUMNS = `${MESSAGE_VIEW.columns}, ${NAMES}, ${TITLE_COLUMN}, ${MAIL_VIEW.columns}, ${RUN_VIEW.columns}`
// The join on users excludes users under erasure.
const RECORD_JOINS = `CROSS JOIN message m JOIN inbox_item i ON ${ITEM_OF_MESSAGE}
  JOIN app_user u ON u.environment_id = m.environment_id AND u.user_no = m.user_no
  JOIN campaign c ON c.environment_id = m.environment_id AND c.id = m.campaign_id
  LEFT JOIN mail x ON x.environment_id = m.environment_id AND x.message_id = m.id
  LEFT JOIN run r ON i.status = 'failed' AND r.environment_id = m.environment_id AND r.id = m.run_id
  WHERE m.environment_id = given.environment_id AND m.id = given.id`
const KEY = { environment_id: 'int', id: 'int' } as const
const READ_RECORDS = withRows(KEY, `SELECT ${RECORD_COLUMNS} FROM given ${RECORD_JOINS}`)
const READ_DETAIL = withRows(
  KEY,
  `SELECT ${RECORD_COLUMNS}, ${SNAPSHOT_VIEW.columns}, ${ATTEMPTS_VIEW.columns} FROM given ${RECORD_JOINS}`,
)

const READ_TIMELINE = withRows(
  EVENT_KEY,
  `SELECT ${TIMELINE_VIEW.columns} FROM given CROSS JOIN delivery_event d
    WHERE d.environment_id = given.environment_id AND d.event_type = given.event_type AND d.message_id = given.message_id`,
)

export function createDeliveryHistory(sql: Sql): DeliveryHistory {
  return {
    async step(environmentId, filter, before, limit) {
      const leadMs = filter.to === undefined ? 0 : await readIdLead(sql)
      const { fitting, end, lowest } = planIndexScan(sql, environmentId, filter, before, leadMs)
      const read = ({ text, params }: Term) => sql.all<{ id: number }>(text, params)
      const [last] = end === null ? [] : await read(end(SCANNED_MESSAGES - 1))
      const ids = (await read(fitting(last?.id ?? lowest, limit))).map((row) => row.id)
      return {
        records: await readRecords(sql, environmentId, ids),
        next: (ids.length === limit ? ids.at(-1) : last?.id) ?? null,
      }
    },
    find: (environmentId, messageId) => findDetail(sql, environmentId, messageId),
  }
}

async function readRecords(sql: Sql, environmentId: number, ids: number[]): Promise<DeliveryRecord[]> {
  const rows = await sql.bulk<RawRow>(
    READ_RECORDS,
    ids.map((id) => [environmentId, id]),
  )
  return rows.map(toRecord).sort((one, other) => other.id - one.id)
}

async function findDetail(sql: Sql, environmentId: number, messageId: number): Promise<DeliveryDetail | undefined> {
  const [row] = await sql.bulk<RawRow>(READ_DETAIL, [[environmentId, messageId]])
  if (row === undefined) return undefined
  const record = toRecord(row)
  const event = await sql.one<RawRow>(
    `SELECT ${EVENT_VIEW.columns} FROM tracked_event WHERE environment_id = ? AND id = ?`,
    [environmentId, record.eventId],
  )
  const reported = await sql.bulk<RawRow>(READ_TIMELINE, eventKeysOf([environmentId, messageId]))
  const sent = record.acceptedAt === null ? [] : [{ ...SENT, at: record.acceptedAt }]
  return {
    record,
    ...SNAPSHOT_VIEW.read(row),
    event: event === undefined ? null : EVENT_VIEW.read(event),
    timeline: [...sent, ...reported.map(TIMELINE_VIEW.read)].sort(byTime),
    attemptLog: record.mail === null ? [] : (ATTEMPTS_VIEW.read(row).attemptLog ?? []),
    nextAttemptAt: record.mail === null ? null : findNextAttempt(ATTEMPTS_VIEW.read(row)),
  }
}

/** The entry of the delivery itself, which no row repeats. */
const SENT = { eventType: 'send', implied: false, automated: false, source: 'service' } as const

/** A claimed mail is being sent; the time of a paused one is that at which it is too late. */
function findNextAttempt({ readyAt, claimableAt, pausedCampaign }: RowOf<typeof ATTEMPTS_VIEW>): number | null {
  return claimableAt === readyAt && pausedCampaign === null ? claimableAt : null
}

function toRecord(row: RawRow): DeliveryRecord {
  const message = MESSAGE_VIEW.read(row)
  const { trace } = RUN_VIEW.read(row) as { trace: TraceStep[] | null }
  const mail = row.attempts === null ? null : MAIL_VIEW.read(row)
  return {
    ...message,
    userId: row.userId as string,
    userName: row.userName as string | null,
    campaignKey: row.campaignKey as string,
    campaignName: row.campaignName as string,
    title: titleOf(row.contentBeginning as string),
    lastError: mail?.mailError ?? (trace === null ? null : errorOf(trace, message.stepId)),
    mail: mail && toMailRecord(mail),
  }
}

function toMailRecord({ provider, providerMessageId, attempts, mailDeliveredAt }: MailRow): MailRecord {
  return { provider, providerMessageId, attempts, deliveredAt: mailDeliveredAt }
}

/**
 * Returns the error of the message's own step in the run trace. When the run ended before that step, returns the error
 * of its last failed step. Returns null when no step failed.
 */
function errorOf(trace: TraceStep[], stepId: string): string | null {
  const failed = trace.filter((step) => step.outcome === 'failed')
  return (failed.findLast((step) => step.stepId === stepId) ?? failed.at(-1))?.reason ?? null
}

function byTime(one: TimelineEntry, other: TimelineEntry): number {
  const place = (entry: TimelineEntry) => DELIVERY_EVENT_TYPES.indexOf(entry.eventType)
  return one.at - other.at || place(one) - place(other)
}
