// Chooses the index for a filter of the delivery history: one term selects the index, the others are checked per
// message. The engine's planner, once it has statistics, would scan the ids of all environments.

import { ENGAGEMENTS } from '../../../../contract/delivery.ts'
import type { DeliveryFilter } from '../../../domain/delivery/delivery-record.ts'
import { idFloorAt } from '../../../lib/id.ts'
import { ENGAGEMENT_LEVEL } from '../../migrations/0002-delivery-history.ts'
import type { Param, Sql } from '../sql.ts'

export interface Walk {
  /** Returns `id` and `fits` (0 or 1), newest first; its last parameter is the limit. */
  text: string
  params: Param[]
  /** Whether every message it returns fits the filter. */
  isExact: boolean
}

interface Term {
  text: string
  params: Param[]
}

/** Builds the scan over messages below `before`; ids run at most `leadMs` ahead of their rows. */
export function planIndexScan(
  sql: Pick<Sql, 'usingIndex'>,
  environmentId: number,
  filter: DeliveryFilter,
  before: number | null,
  leadMs = 0,
): Walk {
  const [first, ...others] = leadingTerms(environmentId, filter)
  const lead = first?.lead ?? ofEnvironment(environmentId)
  const using = lead.index === null ? '' : sql.usingIndex(lead.index)
  const asked = [...others.map((other) => other.asked), ...plainTerms(filter)]
  const fits = asked.length === 0 ? '1' : `CASE WHEN ${asked.map((term) => term.text).join(' AND ')} THEN 1 ELSE 0 END`
  const { above, below } = idBounds(filter, before, leadMs)
  return {
    text: `SELECT id, ${fits} AS fits FROM message ${using} WHERE ${lead.text} AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?`,
    params: [...asked.flatMap((term) => term.params), ...lead.params, above, below],
    isExact: asked.length === 0,
  }
}

/** Ids are made after the `createdAt` of their messages, so id bounds limit the index range. */
function idBounds(
  { from, to }: DeliveryFilter,
  before: number | null,
  leadMs: number,
): { above: number; below: number } {
  const end = before ?? Number.MAX_SAFE_INTEGER
  return {
    above: from === undefined ? 0 : idFloorAt(from),
    below: to === undefined ? end : Math.min(end, idFloorAt(to + leadMs)),
  }
}

/** A term with an index: as the leading term, and as a check when another term leads. */
interface LeadingTerm {
  lead: Lead
  asked: Term
}

interface Lead extends Term {
  /** Null: the table's own key. */
  index: string | null
}

/** Returns the terms that have an index, the most selective first. */
function leadingTerms(environmentId: number, filter: DeliveryFilter): LeadingTerm[] {
  const terms: LeadingTerm[] = []
  const add = (index: string | null, what: string, param: Param | undefined, also = '') => {
    if (param === undefined) return
    const asked = { text: `${what} = ?`, params: [param] }
    const lead = { index, text: `environment_id = ? AND ${asked.text}${also}`, params: [environmentId, param] }
    terms.push({ asked, lead })
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
  return terms
}

function ofEnvironment(environmentId: number): Lead {
  return { index: 'message_of_environment', text: 'environment_id = ?', params: [environmentId] }
}

/**
 * Finds a user's messages by the inbox index, whose entries contain the ids: sorting them costs less than another
 * index.
 */
function userTerm(environmentId: number, userId: string): LeadingTerm {
  const text = 'user_no = (SELECT user_no FROM app_user WHERE app_user.environment_id = ? AND app_user.user_id = ?)'
  const asked = { text, params: [environmentId, userId] }
  return { asked, lead: { ...asked, index: 'message_of_inbox' } }
}

/** Returns the terms without a useful index: common values, and times. */
function plainTerms(filter: DeliveryFilter): Term[] {
  const terms: Term[] = []
  const add = (text: string, params: Param[]) => void terms.push({ text, params })
  if (filter.status === 'delivered') add(`status = 'delivered'`, [])
  if (filter.branch === null) add('branch IS NULL', [])
  if (filter.engagement === 'none') add('read_at IS NULL', [])
  if (filter.channel !== undefined) add('channel = ?', [filter.channel])
  if (filter.from !== undefined) add('created_at >= ?', [filter.from])
  if (filter.to !== undefined) add('created_at <= ?', [filter.to])
  return terms
}
