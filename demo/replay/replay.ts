// Runs the replay: publishes the campaigns, sends every payload, reads each trace, compares every user's counts.

import type { DemoFile } from '../backend/demo-file.ts'
import { createEdgeApi } from '../backend/edge-api.ts'
import { PEOPLE } from '../backend/people.ts'
import { GITHUB_CAMPAIGNS } from '../campaigns/github/index.ts'
import { compareUser, findUnreadable, type UserCounts } from './compare.ts'
import { createInboxReader } from './inbox.ts'
import { readGithubEvents } from './payloads.ts'
import { publishCampaigns } from './publish.ts'
import { type Sent, sendAll, type Trace, traceAll } from './send.ts'

export interface ReplayOptions {
  edgeUrl: string
  demo: DemoFile
  runId: string
  perSecond: number
  log(line: string): void
}

export interface ReplayOutcome {
  payloads: number
  accepted: number
  duplicates: number
  refusals: string[]
  /** Events by outcome: matched, unmatched, … */
  outcomes: Record<string, number>
  notifications: number
  /** GitHub's event types (`issues`, `push`) of which at least one payload became a message. */
  notifiedTypes: string[]
  unmatchedNames: string[]
  failures: string[]
  users: UserCounts[]
  unreadable: string[]
}

/** @throws EdgeRefusal when campaigns, traces or inboxes cannot be read or written */
export async function replay({ edgeUrl, demo, runId, perSecond, log }: ReplayOptions): Promise<ReplayOutcome> {
  const edge = createEdgeApi(edgeUrl, demo.environments.dev)
  const { created, changed } = await publishCampaigns(edge, GITHUB_CAMPAIGNS)
  log(`${GITHUB_CAMPAIGNS.length} campaigns are live (${created} new, ${changed} changed)`)
  const events = readGithubEvents()
  log(`Sending ${events.length} payloads, ${perSecond} a second`)
  const userIds = PEOPLE.map((person) => person.userId)
  const sent = await sendAll(edge, events, { runId, userIds, perSecond })
  const accepted = sent.filter((one) => one.eventId !== null)
  log('Asking what became of each')
  const traces = await traceAll(edge, accepted)
  const reader = createInboxReader(edgeUrl, demo)
  const inboxes = await Promise.all(userIds.map((userId) => reader.read(userId)))
  return {
    payloads: events.length,
    accepted: accepted.length,
    duplicates: accepted.filter((one) => one.isDuplicate).length,
    refusals: sent.flatMap((one) => (one.refusal === null ? [] : [`${one.event.place}: ${one.refusal}`])),
    ...summarise(accepted, traces),
    users: userIds.map((userId, index) =>
      compareUser(userId, accepted, traces, inboxes[index] as (typeof inboxes)[number]),
    ),
    unreadable: findUnreadable(inboxes),
  }
}

function summarise(sent: readonly Sent[], traces: readonly Trace[]) {
  const outcomes: Record<string, number> = {}
  for (const { outcome } of traces) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  const notified = sent.filter((_, index) => (traces[index]?.messageIds.length ?? 0) > 0)
  const unmatched = sent.filter((_, index) => traces[index]?.outcome === 'unmatched')
  return {
    outcomes,
    notifications: traces.reduce((sum, trace) => sum + trace.messageIds.length, 0),
    notifiedTypes: [...new Set(notified.map(({ event }) => event.type))].sort(),
    unmatchedNames: [...new Set(unmatched.map(({ event }) => event.name))].sort(),
    failures: traces.flatMap((trace) => trace.failures),
  }
}
