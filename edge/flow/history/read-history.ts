// Reads the delivery history for a customer: pages, one message with all details, and the export.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  AttemptAnswer,
  DeliveriesFilter,
  DeliveriesQuery,
  DeliveryDetailAnswer,
  DeliveryRecordAnswer,
} from '../../../contract/resources/delivery.ts'
import type { Campaigns } from '../../domain/campaign.ts'
import type { Core } from '../../domain/core.ts'
import {
  type DeliveryDetail,
  type DeliveryFilter,
  type DeliveryHistory,
  type DeliveryRecord,
  type DeliveryStep,
  engagementOf,
} from '../../domain/delivery/delivery-record.ts'
import { sinceOf } from '../../domain/delivery/window.ts'
import { OWN_SENDER } from '../../domain/mail/mail.ts'
import type { MailAttempt } from '../../domain/mail/mail-attempt.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import { formatId, parseId } from '../../lib/id.ts'
import { hideAllQueries } from '../../lib/untracked-links.ts'
import { hideQueries } from '../mail/hide-queries.ts'
import { toRawEventAnswer } from './raw-event.ts'

export interface ReadHistory {
  /**
   * Lists newest first. Where few messages match, pages before the last one may have fewer records than `limit`, or none.
   * An unknown or foreign id finds nothing.
   * @throws `request/invalid-query` for a bad cursor
   */
  list(
    environmentId: number,
    query: DeliveriesQuery,
  ): Promise<{ data: DeliveryRecordAnswer[]; nextCursor: string | null }>
  /** @throws `message/not-found` */
  get(environmentId: number, messageId: string): Promise<DeliveryDetailAnswer>
  /** Reads all matching records in portions, newest first: each when it is requested, and none after `return()`. */
  exportAll(environmentId: number, query: DeliveriesFilter): AsyncGenerator<DeliveryRecordAnswer[], void, undefined>
}

const listOf = (environmentId: number) => ({ list: 'deliveries', of: environmentId })
/** Each looks at 5,000 messages at most: a page takes tens of milliseconds, or a second from a cold disk, however few match. */
const PAGE_STEPS = 8
/** One portion takes a few milliseconds and is about 100 KB of text. */
const EXPORT_ROWS = 250

export function createReadHistory({
  deliveries,
  campaigns,
  clock,
}: Pick<Core, 'deliveries' | 'clock'> & {
  campaigns: Pick<Campaigns, 'findByKey'>
}): ReadHistory {
  const inTurn = createTurns()

  const findFilter = (environmentId: number, query: DeliveriesFilter) =>
    findDeliveryFilter(campaigns, environmentId, query, clock.now())

  return {
    async list(environmentId, { cursor, limit, ...query }) {
      const before = parseCursor(listOf(environmentId), cursor)
      const filter = await findFilter(environmentId, query)
      if (filter === undefined) return { data: [], nextCursor: null }
      const { records, next } = await readPage(deliveries, environmentId, filter, before, limit)
      const nextCursor = next === null ? null : encodeCursor(listOf(environmentId), next)
      return { data: records.map(toAnswer), nextCursor }
    },
    async get(environmentId, messageId) {
      const id = parseId('message', messageId)
      const detail = id === undefined ? undefined : await deliveries.find(environmentId, id)
      if (detail === undefined) throw new ApiError('message/not-found')
      return toDetailAnswer(detail)
    },
    async *exportAll(environmentId, query) {
      const filter = await findFilter(environmentId, query)
      if (filter === undefined) return
      let before: number | null = null
      do {
        const place: number | null = before
        const step: DeliveryStep = await inTurn(() => deliveries.step(environmentId, filter, place, EXPORT_ROWS))
        if (step.records.length > 0) yield step.records.map(toAnswer)
        before = step.next
      } while (before !== null)
    },
  }
}

/** Reads up to `limit` records in at most `PAGE_STEPS` steps: a page of a rare combination may have fewer, and a next one. */
async function readPage(
  deliveries: DeliveryHistory,
  environmentId: number,
  filter: DeliveryFilter,
  before: number | null,
  limit: number,
): Promise<DeliveryStep> {
  const records: DeliveryRecord[] = []
  let next = before
  for (let steps = 0; steps < PAGE_STEPS; steps += 1) {
    // One more than requested shows whether there is a next page.
    const step = await deliveries.step(environmentId, filter, next, limit + 1)
    records.push(...step.records)
    if (records.length > limit) return { records: records.slice(0, limit), next: records[limit - 1]?.id ?? null }
    next = step.next
    if (next === null) break
    await nextTurn()
  }
  return { records, next }
}

/** Runs one step of all exports per turn of the event loop, so that tracking waits for at most one. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(() => nextTurn()).then(work)
    last = done.catch(() => undefined)
    return done
  }
}

/** @returns The filter of the store; undefined for an id of another form, which matches nothing */
export async function findDeliveryFilter(
  campaigns: Pick<Campaigns, 'findByKey'>,
  environmentId: number,
  query: DeliveriesFilter,
  now: number,
): Promise<DeliveryFilter | undefined> {
  const { campaignId } = query
  const isKey = campaignId !== undefined && parseId('campaign', campaignId) === undefined
  const named = isKey ? await campaigns.findByKey(environmentId, campaignId) : undefined
  return toFilter(named === undefined ? query : { ...query, campaignId: formatId('campaign', named.id) }, now)
}

/** @returns undefined for an id of another form, which matches nothing */
function toFilter(query: DeliveriesFilter, now: number): DeliveryFilter | undefined {
  const { messageId, eventId, campaignId, branch, window, from, ...same } = query
  const ids = {
    messageId: messageId === undefined ? undefined : parseId('message', messageId),
    eventId: eventId === undefined ? undefined : parseId('event', eventId),
    campaignId: campaignId === undefined ? undefined : parseId('campaign', campaignId),
  }
  const given = { messageId, eventId, campaignId }
  for (const name of ['messageId', 'eventId', 'campaignId'] as const) {
    if (given[name] !== undefined && ids[name] === undefined) return undefined
  }
  const starts = [from, window === undefined ? undefined : (sinceOf(window, now) ?? undefined)]
  const known = starts.filter((start) => start !== undefined)
  return {
    ...same,
    ...ids,
    branch: branch === '' ? null : branch,
    from: known.length === 0 ? undefined : Math.max(...known),
  }
}

/** In links of mails, queries may be secrets: only the whole content says of which links. */
const titleOf = ({ channel, title }: DeliveryRecord): string | null =>
  channel === 'inbox' || title === null ? title : hideAllQueries(title)

function toAnswer(record: DeliveryRecord): DeliveryRecordAnswer {
  const { mail } = record
  // The inbox sends and delivers in one write; of a mail only its provider knows when it arrived.
  const deliveredAt = record.channel === 'inbox' ? record.acceptedAt : (mail?.deliveredAt ?? null)
  return {
    messageId: formatId('message', record.id),
    correlationId: record.correlationId,
    eventId: formatId('event', record.eventId),
    runId: formatId('run', record.runId),
    userId: record.userId,
    campaignId: formatId('campaign', record.campaignId),
    campaignKey: record.campaignKey,
    version: record.version,
    branch: record.branch,
    stepId: record.stepId,
    channel: record.channel,
    status: record.status,
    statusReason: record.statusReason,
    engagement: engagementOf(record),
    provider: mail?.provider ?? null,
    providerMessageId: mail?.providerMessageId ?? null,
    attempts: mail?.attempts ?? (record.acceptedAt === null ? 0 : 1),
    lastError: record.lastError,
    createdAt: toIso(record.createdAt),
    scheduledAt: mail === null ? null : toIso(record.createdAt),
    sentAt: toIso(record.acceptedAt),
    deliveredAt: toIso(deliveredAt),
    readAt: toIso(record.readAt),
    openedAt: toIso(record.openedAt),
    clickedAt: toIso(record.clickedAt),
    expiresAt: toIso(record.expiresAt),
    isTest: record.isTest,
    campaignName: record.campaignName,
    userName: record.userName,
    title: titleOf(record),
  }
}

function toDetailAnswer(detail: DeliveryDetail): DeliveryDetailAnswer {
  const { record, snapshot, event, timeline, attemptLog, nextAttemptAt } = detail
  const content = hideQueries(snapshot)
  return {
    ...toAnswer(record),
    title: content.title || null,
    snapshot: content,
    event: event && toRawEventAnswer(event),
    timeline: timeline.map((entry) => ({ ...entry, at: toIso(entry.at) })),
    attemptLog: attemptLog.map(toAttemptAnswer),
    nextAttemptAt: toIso(nextAttemptAt),
  }
}

/** Null for the server's own sender, and for an attempt before anybody was asked. */
function toAttemptAnswer({ at, integrationId, provider, outcome, answer }: MailAttempt): AttemptAnswer {
  const integration =
    integrationId === null || integrationId === OWN_SENDER ? null : formatId('mailIntegration', integrationId)
  return { at: toIso(at), integration, provider, outcome, answer }
}
