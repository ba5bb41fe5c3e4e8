// Chooses the index for a filter of the delivery history: one term selects it, the others are checked per message.
// The planner of the engine would scan the ids of all environments once it has statistics.

import { ENGAGEMENTS } from '../../../contract/delivery.ts'
import type { DeliveryFilter } from '../../domain/delivery/delivery-record.ts'
import { ENGAGEMENT_LEVEL } from '../migrations/baseline/messages.ts'
import { idBounds } from './id-lead.ts'
import type { Param, Sql } from './sql.ts'

export interface IndexScan {
  /** Returns `id` of the messages that fit, newest first; its last parameters are the lowest id to look at and the limit. */
  fitting: Term
  /** Returns `id` of the message after so many others, its last parameter; null where all messages of the index fit. */
  end: Term | null
  /** All ids to look at are at least this. */
  lowest: number
}

interface Term {
  text: string
  params: Param[]
}

/** Builds the scan over messages with ids below `before`. Ids are at most `leadMs` ahead of their rows' times. */
export function planIndexScan(
  sql: Pick<Sql, 'usingIndex'>,
  environmentId: number,
  filter: DeliveryFilter,
  before: number | null,
  leadMs = 0,
): IndexScan {
  const [first, ...others] = leadingTerms(environmentId, filter)
  const lead = first?.lead ?? ofEnvironment(environmentId)
  const using = lead.index === null ? '' : sql.usingIndex(lead.index)
  const checks = [...others.map((other) => other.check), ...unindexedTerms(filter)]
  const { above, below } = idBounds(filter, before, leadMs)
  const range = `SELECT id FROM message ${using} WHERE ${lead.text} AND id < ?`
  const params = [...lead.params, below]
  // One lower bound, because SQLite uses no second one in an index.
  const newestFirst = 'AND id >= ? ORDER BY id DESC LIMIT ?'
  if (checks.length === 0) return { fitting: { text: `${range} ${newestFirst}`, params }, end: null, lowest: above }
  // As a condition of its own, a check would make PostgreSQL choose another index.
  const fits = `CASE WHEN ${checks.map((term) => term.text).join(' AND ')} THEN 1 ELSE 0 END = 1`
  return {
    fitting: {
      text: `${range} AND ${fits} ${newestFirst}`,
      params: [...params, ...checks.flatMap((term) => term.params)],
    },
    end: { text: `${range} AND id >= ? ORDER BY id DESC LIMIT 1 OFFSET ?`, params: [...params, above] },
    lowest: above,
  }
}

/** A term with an index: as the leading term, and as a check when another term leads. */
interface LeadingTerm {
  lead: Lead
  check: Term
}

interface Lead extends Term {
  /** Null for the primary key. */
  index: string | null
}

/** Returns the terms that have an index, the most selective first. */
function leadingTerms(environmentId: number, filter: DeliveryFilter): LeadingTerm[] {
  const terms: LeadingTerm[] = []
  const add = (index: string | null, expression: string, param: Param | undefined, also = '') => {
    if (param === undefined) return
    const check = { text: `${expression} = ?`, params: [param] }
    const lead = { index, text: `environment_id = ? AND ${check.text}${also}`, params: [environmentId, param] }
    terms.push({ check, lead })
  }
  add(null, 'id', filter.messageId)
  add('message_of_event', 'event_id', filter.eventId)
  add('message_by_correlation', 'correlation_id', filter.correlationId)
  if (filter.userId !== undefined) terms.push(userTerm(environmentId, filter.userId))
  if (filter.status !== 'delivered') add('message_undelivered', 'status', filter.status, ` AND status <> 'delivered'`)
  if (filter.branch !== null) add('message_by_branch', 'branch', filter.branch, ' AND branch IS NOT NULL')
  add('message_of_campaign', 'campaign_id', filter.campaignId)
  if (filter.engagement !== undefined && filter.engagement !== 'none') {
    const level = ENGAGEMENTS.indexOf(filter.engagement)
    add('message_by_engagement', `(${ENGAGEMENT_LEVEL})`, level, ' AND read_at IS NOT NULL')
  }
  if (filter.channel !== 'inbox') add('message_by_channel', 'channel', filter.channel, ` AND channel <> 'inbox'`)
  return terms
}

function ofEnvironment(environmentId: number): Lead {
  return { index: 'message_of_environment', text: 'environment_id = ?', params: [environmentId] }
}

/**
 * Finds a user's messages by the index of the inbox, whose entries contain the ids. Sorting these costs less than
 * another index.
 */
function userTerm(environmentId: number, userId: string): LeadingTerm {
  const text = 'user_no = (SELECT user_no FROM app_user WHERE app_user.environment_id = ? AND app_user.user_id = ?)'
  const check = { text, params: [environmentId, userId] }
  return { check, lead: { ...check, index: 'message_of_inbox' } }
}

/** Returns the terms without a useful index: common values, and times. */
function unindexedTerms(filter: DeliveryFilter): Term[] {
  const terms: Term[] = []
  const add = (text: string, params: Param[]) => void terms.push({ text, params })
  if (filter.status === 'delivered') add(`status = 'delivered'`, [])
  if (filter.branch === null) add('branch IS NULL', [])
  if (filter.engagement === 'none') add('read_at IS NULL', [])
  if (filter.channel === 'inbox') add(`channel = 'inbox'`, [])
  if (filter.from !== undefined) add('created_at >= ?', [filter.from])
  if (filter.to !== undefined) add('created_at <= ?', [filter.to])
  return terms
}
