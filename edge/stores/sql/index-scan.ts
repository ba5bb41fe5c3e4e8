// Chooses the index for a filter of the delivery history: one term selects it, the others are checked per message.
// Left alone, the planner of an engine reads all messages of the environment instead, with statistics or without.

import { CHANNELS, ENGAGEMENTS, MESSAGE_STATUSES, type MessageStatus } from '../../../contract/delivery.ts'
import type { DeliveryFilter } from '../../domain/delivery/delivery-record.ts'
import { idBounds } from './id-lead.ts'
import type { Param, Sql } from './sql.ts'

export interface Term {
  text: string
  params: Param[]
}

/** The statements return `id` of messages, newest first. */
export interface IndexScan {
  /** The messages that fit, with at least this id. */
  fitting(lowest: number, limit: number): Term
  /** The message after so many others of the index; null where all of them fit. */
  end: ((others: number) => Term) | null
  /** All ids to look at are at least this. */
  lowest: number
}

/** The column with the id of the message. */
const ID_OF = { message: 'id', inbox_item: 'message_id', delivery_event: 'message_id' } as const

/** Selects messages by an index of `t`: those of each range come in the order of their ids. */
interface Lead {
  table: keyof typeof ID_OF
  /** Null where the key finds one message. */
  index: string | null
  ranges: Term[]
}

/** A condition on the columns of a table. */
interface Check extends Term {
  table: 'message' | 'inbox_item'
}

/** The level of a recipient, as its place among the engagements. */
const LEVEL =
  'CASE WHEN clicked_at IS NOT NULL THEN 3 WHEN opened_at IS NOT NULL THEN 2 WHEN read_at IS NOT NULL THEN 1 ELSE 0 END'

/** Builds the scan over messages with ids below `before`. Ids are at most `leadMs` ahead of their rows' times. */
export function planIndexScan(
  sql: Pick<Sql, 'usingIndex'>,
  environmentId: number,
  filter: DeliveryFilter,
  before: number | null,
  leadMs = 0,
): IndexScan {
  const { lead, checks } = chooseLead(environmentId, filter)
  const id = `t.${ID_OF[lead.table]}`
  const using = lead.index === null ? '' : sql.usingIndex(lead.index)
  const { above, below } = idBounds(filter, before, leadMs)
  const fits = fitOf(lead, checks)
  // One lower bound, because SQLite uses no second one in an index.
  const rangesOf = (lowest: number, also: Term, limit: number): Term[] =>
    lead.ranges.map(({ text, params }) => ({
      text: `SELECT ${id} AS id FROM ${lead.table} t ${using} WHERE ${text} AND ${id} < ? AND ${id} >= ?${also.text} ORDER BY ${id} DESC LIMIT ?`,
      params: [...params, below, lowest, ...also.params, limit],
    }))
  return {
    fitting: (lowest, limit) => newestOf(rangesOf(lowest, fits, limit), [limit, 0]),
    end: checks.length === 0 ? null : (others) => newestOf(rangesOf(above, NONE, others + 1), [1, others]),
    lowest: above,
  }
}

const NONE: Term = { text: '', params: [] }

/** Merges ranges, each of which has as many rows as can be needed. */
function newestOf(ranges: Term[], [limit, offset]: [limit: number, offset: number]): Term {
  const [only, ...others] = ranges
  if (only !== undefined && others.length === 0 && offset === 0) return only
  const all = ranges.map(({ text }, at) => `SELECT id FROM (${text}) AS range${at}`).join(' UNION ALL ')
  return {
    text: `SELECT id FROM (${all}) AS ranges ORDER BY id DESC LIMIT ? OFFSET ?`,
    params: [...ranges.flatMap(({ params }) => params), limit, offset],
  }
}

/** As conditions of their own, checks would make PostgreSQL choose another index. */
function fitOf({ table }: Lead, checks: Check[]): Term {
  const parts = (['message', 'inbox_item'] as const).flatMap((of): Term[] => {
    const own = checks.filter((check) => check.table === of)
    if (own.length === 0) return []
    const fits = `CASE WHEN ${own.map(({ text }) => text).join(' AND ')} THEN 1 ELSE 0 END`
    const params = own.flatMap((check) => check.params)
    if (of === table) return [{ text: ` AND ${fits} = 1`, params }]
    const key = `o.environment_id = t.environment_id AND o.${ID_OF[of]} = t.${ID_OF[table]}`
    return [{ text: ` AND (SELECT ${fits} FROM ${of} o WHERE ${key}) = 1`, params }]
  })
  return { text: parts.map(({ text }) => text).join(''), params: parts.flatMap(({ params }) => params) }
}

/** Takes the most selective term as the lead, and the others as checks. */
function chooseLead(environmentId: number, filter: DeliveryFilter): { lead: Lead; checks: Check[] } {
  const terms: { lead: Lead | null; checks: Check[] }[] = []
  const ofMessage = (index: string | null, column: string, param: Param | undefined, also = '') => {
    if (param === undefined) return
    const check: Check = { table: 'message', text: `${column} = ?`, params: [param] }
    const range = { text: `t.environment_id = ? AND t.${column} = ?${also}`, params: [environmentId, param] }
    terms.push({ lead: { table: 'message', index, ranges: [range] }, checks: [check] })
  }
  ofMessage(null, 'id', filter.messageId)
  ofMessage('message_of_event', 'event_id', filter.eventId)
  ofMessage('message_by_correlation', 'correlation_id', filter.correlationId)
  if (filter.userId !== undefined) terms.push(userTerm(environmentId, filter.userId))
  const status = statusTerm(environmentId, filter)
  const isFew = isUncommonStatus(filter.status, filter.statusReason)
  if (isFew) terms.push(status)
  if (filter.branch !== null) ofMessage('message_by_branch', 'branch', filter.branch, ' AND t.branch IS NOT NULL')
  ofMessage('message_of_campaign', 'campaign_id', filter.campaignId)
  if (filter.engagement !== undefined && filter.engagement !== 'none') {
    terms.push(engagementTerm(environmentId, filter.engagement))
  }
  if (!isFew) terms.push(status)
  const leading = terms.findIndex(({ lead }) => lead !== null)
  const others = terms.flatMap(({ checks }, at) => (at === leading ? [] : checks))
  const { lead, checks } = terms[leading] ?? { lead: null, checks: [] }
  // An engagement is checked also where it leads: events of one type belong to several levels.
  const stillChecked = lead?.table === 'delivery_event' ? checks : []
  return {
    lead: lead ?? {
      table: 'message',
      index: 'message_pkey',
      ranges: [{ text: 't.environment_id = ?', params: [environmentId] }],
    },
    checks: [...stillChecked, ...others, ...commonTerms(filter)],
  }
}

/** Finds a user's messages by the index of the inbox. Sorting these costs less than another index. */
function userTerm(environmentId: number, userId: string): { lead: Lead; checks: Check[] } {
  const text = 'user_no = (SELECT user_no FROM app_user WHERE app_user.environment_id = ? AND app_user.user_id = ?)'
  const params = [environmentId, userId]
  return {
    lead: { table: 'inbox_item', index: 'inbox_item_in_order', ranges: [{ text: `t.${text}`, params }] },
    checks: [{ table: 'message', text, params }],
  }
}

/** The status and the channel. Only what no inbox has received has an index: of each channel and status a range. */
function statusTerm(
  environmentId: number,
  { status, statusReason, channel }: DeliveryFilter,
): { lead: Lead | null; checks: Check[] } {
  const checks: Check[] = []
  if (status !== undefined) checks.push({ table: 'inbox_item', text: 'status = ?', params: [status] })
  if (channel !== undefined) checks.push({ table: 'inbox_item', text: 'channel = ?', params: [channel] })
  const isUncommon = isUncommonStatus(status, statusReason) || (channel !== undefined && channel !== 'inbox')
  const pairs = (channel === undefined ? CHANNELS : [channel])
    .flatMap((one) => (status === undefined ? MESSAGE_STATUSES : [status]).map((other) => [one, other] as const))
    .filter(([one, other]) => one !== 'inbox' || other !== 'delivered')
  if (!isUncommon || pairs.length === 0) return { lead: null, checks }
  const ranges = pairs.map(([one, other]) => ({
    text: `t.environment_id = ? AND t.channel = ? AND t.status = ? AND ${one === 'inbox' ? "t.status <> 'delivered'" : "t.channel <> 'inbox'"}`,
    params: [environmentId, one, other],
  }))
  return { lead: { table: 'inbox_item', index: 'inbox_item_by_status', ranges }, checks }
}

/** What an inbox has received has no reason. */
const isUncommonStatus = (status: MessageStatus | undefined, reason: string | undefined) =>
  (status !== undefined && status !== 'delivered') || reason !== undefined

function engagementTerm(
  environmentId: number,
  engagement: NonNullable<DeliveryFilter['engagement']>,
): { lead: Lead; checks: Check[] } {
  const range = { text: 't.environment_id = ? AND t.event_type = ?', params: [environmentId, engagement] }
  const level: Check = { table: 'inbox_item', text: `(${LEVEL}) = ?`, params: [ENGAGEMENTS.indexOf(engagement)] }
  return { lead: { table: 'delivery_event', index: null, ranges: [range] }, checks: [level] }
}

/** Returns the terms without a useful index: common values, and times. */
function commonTerms(filter: DeliveryFilter): Check[] {
  const terms: Check[] = []
  const add = (table: Check['table'], text: string, params: Param[] = []) => void terms.push({ table, text, params })
  if (filter.branch === null) add('message', 'branch IS NULL')
  if (filter.statusReason !== undefined) add('inbox_item', 'status_reason = ?', [filter.statusReason])
  if (filter.engagement === 'none') add('inbox_item', 'read_at IS NULL')
  if (filter.from !== undefined) add('message', 'created_at >= ?', [filter.from])
  if (filter.to !== undefined) add('message', 'created_at <= ?', [filter.to])
  return terms
}
