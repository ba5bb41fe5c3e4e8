// Reads all rows that a walk left in the store, without ids and times, which differ between equal walks.

import type { DeliveryRecord } from '../../domain/delivery/delivery-record.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Stores } from '../../domain/stores.ts'
import type { Run } from '../../domain/tracked-event.ts'
import { userOf, type Walker } from './walker.ts'

const BIG = 200

/** Reads the rows of one walker. @throws when its user does not exist */
export async function readOutcome(stores: Stores, { id }: Environment, walker: Walker) {
  const userId = userOf(walker)
  const events = (await stores.events.list(id, { userId }, null, BIG)).events
  const eventNames = new Map(events.map((event) => [event.id, `${event.name} ${event.properties.n}`]))
  const summaries = await stores.events.summarize(id, [...eventNames.keys()], BIG)
  const runs: Run[] = []
  for (const { id: eventId } of events) {
    for (const summary of summaries.get(eventId)?.runs ?? []) {
      const run = await stores.events.findRun(id, summary.id)
      if (run !== undefined) runs.push(run)
    }
  }
  const keys = runs.map((run) => ({ environmentId: id, runId: run.id }))
  const gathered = await stores.digests.listEvents(keys)
  const arrivals = await stores.arrivals.find(keys)
  const user = await stores.users.find(id, userId)
  if (user === undefined) throw new Error('The walker has no user.')
  const { seq, unread, unopened } = await stores.inboxes.head(user)
  const position = {
    environmentId: id,
    userNo: user.userNo,
    filter: 'all',
    category: null,
    before: null,
    limit: BIG,
  } as const
  const { messages } = await stores.inboxes.page({ ...position, now: walker.at })
  const { changes } = await stores.inboxes.changes(user, 0, null)
  const { records } = await stores.deliveries.step(id, { userId }, null, BIG)
  const campaignId = runs[0]?.campaignId ?? 0
  return {
    events: [...eventNames.values()].sort(),
    runs: runs.map((run) => ofRun(run, eventNames)).sort(compareByText),
    gathered: [...gathered.values()]
      .map((list) => list.map((event) => JSON.parse(event.properties).n))
      .sort(compareByText),
    records: (await Promise.all(records.map((record) => ofRecord(stores, id, record, eventNames)))).sort(compareByText),
    inbox: { seq, unread, unopened, titles: messages.map((message) => message.content.title).sort() },
    log: changes.map((change) => change.op).sort(),
    waiting: (await stores.waits.listOfUser(id, campaignId, userId, 0, BIG)).length,
    arrivals: arrivals.size,
  }
}

export type Outcome = Awaited<ReturnType<typeof readOutcome>>

function ofRun({ eventId, state, stateReason, branch, steps }: Run, eventNames: Map<number, string>) {
  const trace = steps.map(({ stepId, type, outcome, reason }) => [stepId, type, outcome, withoutIds(reason)].join(' '))
  return { by: eventNames.get(eventId), state, stateReason, branch, trace }
}

async function ofRecord(
  stores: Stores,
  environmentId: number,
  record: DeliveryRecord,
  eventNames: Map<number, string>,
) {
  const { stepId, channel, status, statusReason, branch, eventId } = record
  const detail = await stores.deliveries.find(environmentId, record.id)
  const timeline = detail?.timeline.map(({ eventType, implied }) => `${eventType}${implied ? ' implied' : ''}`)
  const title = detail?.snapshot.title
  return { by: eventNames.get(eventId), stepId, channel, status, statusReason, branch, title, timeline }
}

function withoutIds(reason: string | null): string {
  return (reason ?? '').replace(/evt_\w+/g, 'evt').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'at')
}

function compareByText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}
