// Reads tracked events and runs for their customer.

import { LIMITS } from '../../../contract/limits.ts'
import type { RunAnswer, RunSummaryAnswer } from '../../../contract/resources/run.ts'
import type { TrackedEventAnswer, TrackedEventsQuery } from '../../../contract/resources/tracked-event.ts'
import { inputsOf } from '../../campaign/trace.ts'
import type { Core } from '../../domain/core.ts'
import type { Named, NameOf } from '../../domain/names.ts'
import type { Run, RunSummary, TrackedEvent } from '../../domain/tracked-event.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import { formatId, parseId } from '../../lib/id.ts'
import { toRawEventAnswer } from './raw-event.ts'

export interface ReadEvents {
  /** Newest first. A page of large events has fewer than `limit`. */
  list(
    environmentId: number,
    query: TrackedEventsQuery,
  ): Promise<{ data: TrackedEventAnswer[]; nextCursor: string | null }>
  /** @throws `event/not-found` */
  get(environmentId: number, eventId: string): Promise<TrackedEventAnswer>
  /** Lists all runs of an event, newest first. @throws `event/not-found` */
  listRuns(
    environmentId: number,
    eventId: string,
    query: { cursor?: string | undefined; limit: number },
  ): Promise<{ data: RunSummaryAnswer[]; nextCursor: string | null }>
  /** @throws `run/not-found` */
  getRun(environmentId: number, runId: string): Promise<RunAnswer>
}

const SUMMARY = LIMITS.pageDefault
const eventsOf = (environmentId: number) => ({ list: 'events', of: environmentId })
const runsOf = (eventId: number) => ({ list: 'runs', of: eventId })

export function createReadEvents({ events, names }: Pick<Core, 'events' | 'names'>): ReadEvents {
  async function getEvent(environmentId: number, eventId: string): Promise<TrackedEvent> {
    const id = parseId('event', eventId)
    const event = id === undefined ? undefined : await events.find(environmentId, id)
    if (event === undefined) throw new ApiError('event/not-found')
    return event
  }

  async function withSummaries(environmentId: number, page: TrackedEvent[]): Promise<TrackedEventAnswer[]> {
    const ids = page.map((event) => event.id)
    const [summaries, nameOf] = await Promise.all([
      events.summarize(environmentId, ids, SUMMARY),
      names.find(page.flatMap(namedOf)),
    ])
    return page.map((event) => {
      const { runs, messageIds } = summaries.get(event.id) ?? { runs: [], messageIds: [] }
      return toEventAnswer(event, runs, messageIds, nameOf)
    })
  }

  return {
    async list(environmentId, { cursor, limit, ...filter }) {
      const before = parseCursor(eventsOf(environmentId), cursor)
      const page = await events.list(environmentId, filter, before, limit)
      const data = await withSummaries(environmentId, page.events)
      return { data, nextCursor: page.next === null ? null : encodeCursor(eventsOf(environmentId), page.next) }
    },
    async get(environmentId, eventId) {
      const [answer] = await withSummaries(environmentId, [await getEvent(environmentId, eventId)])
      if (answer === undefined) throw new ApiError('event/not-found')
      return answer
    },
    async listRuns(environmentId, eventId, { cursor, limit }) {
      const event = await getEvent(environmentId, eventId)
      const page = await events.listRuns(event.id, parseCursor(runsOf(event.id), cursor), limit + 1)
      const last = page.length > limit ? page[limit - 1] : undefined
      const nextCursor = last === undefined ? null : encodeCursor(runsOf(event.id), last.id)
      return { data: page.slice(0, limit).map(toRunSummary), nextCursor }
    },
    async getRun(environmentId, runId) {
      const id = parseId('run', runId)
      const run = id === undefined ? undefined : await events.findRun(environmentId, id)
      if (run === undefined) throw new ApiError('run/not-found')
      return toRunAnswer(run)
    },
  }
}

const userOf = ({ environmentId, userId }: TrackedEvent): Named[] =>
  userId === null ? [] : [{ kind: 'user', scope: environmentId, id: userId }]

const campaignOf = (scope: number, id: number): Named => ({ kind: 'campaign', scope, id })

function namedOf(event: TrackedEvent): Named[] {
  return [...userOf(event), ...event.considered.map((one) => campaignOf(event.environmentId, one.campaignId))]
}

function toRunSummary(run: RunSummary): RunSummaryAnswer {
  const { campaignKey, campaignName, version, branch, userId, userName, state, stateReason } = run
  const ids = { runId: formatId('run', run.id), campaignId: formatId('campaign', run.campaignId) }
  return { ...ids, campaignKey, campaignName, version, branch, userId, userName, state, stateReason }
}

function toRunAnswer(run: Run): RunAnswer {
  return {
    ...toRunSummary(run),
    eventId: formatId('event', run.eventId),
    isTest: run.isTest,
    correlationId: run.correlationId,
    startedAt: toIso(run.startedAt),
    endedAt: toIso(run.endedAt),
    steps: run.steps.map((step) => ({ ...step, at: toIso(step.at), inputs: inputsOf(step) })),
    messageIds: run.messageIds.map((id) => formatId('message', id)),
  }
}

function toEventAnswer(
  event: TrackedEvent,
  runs: RunSummary[],
  messageIds: number[],
  nameOf: NameOf,
): TrackedEventAnswer {
  const [user] = userOf(event)
  // A copy would parse the properties.
  return Object.assign(toRawEventAnswer(event), {
    userName: user === undefined ? null : nameOf(user),
    correlationId: event.correlationId,
    outcome: event.outcome,
    considered: event.considered.map((one) => ({
      ...one,
      campaignId: formatId('campaign', one.campaignId),
      campaignName: nameOf(campaignOf(event.environmentId, one.campaignId)),
    })),
    runs: runs.map(toRunSummary),
    messageIds: messageIds.map((id) => formatId('message', id)),
  })
}
