// Counts the steps of a campaign over history, traces and waits, as `GET /v1/campaigns/:id/stats/flow` must answer them.

import type { FlowStatsAnswer } from '../../../contract/resources/flow-stats.ts'
import type { DeliveryRecord } from '../../domain/delivery/delivery-record.ts'
import type { Stores } from '../../domain/stores.ts'
import type { Run, TraceStep } from '../../domain/tracked-event.ts'

const PAGE = 200
const HOUR_MS = 3_600_000
const UNSENT = ['skipped', 'failed', 'cancelled', 'bounced']

/** All runs and messages of an environment. */
export interface Lives {
  runs: Run[]
  records: DeliveryRecord[]
  /** The waiting step by run. */
  waiting: Map<number, string>
}

type ReadStores = Pick<Stores, 'events' | 'deliveries' | 'waits' | 'users'>

/** Reads them; the environment has at most `PAGE` runs of an event. */
export async function readLives(stores: ReadStores, environmentId: number): Promise<Lives> {
  const lives: Lives = { runs: [], records: [], waiting: new Map() }
  for (let before: number | null | undefined; before !== null; ) {
    const page = await stores.events.list(environmentId, {}, before ?? null, PAGE)
    for (const { id } of page.events) {
      for (const summary of await stores.events.listRuns(id, null, PAGE)) {
        const run = await stores.events.findRun(environmentId, summary.id)
        if (run !== undefined) lives.runs.push(run)
      }
    }
    before = page.next
  }
  for (let before: number | null | undefined; before !== null; ) {
    const page = await stores.deliveries.step(environmentId, {}, before ?? null, PAGE)
    lives.records.push(...page.records)
    before = page.next
  }
  const waiters = new Map(lives.runs.map((run) => [`${run.campaignId} ${run.userId}`, run]))
  for (const { campaignId, userId } of waiters.values()) {
    const waits = await stores.waits.listOfUser(environmentId, campaignId, userId, 0, PAGE)
    for (const wait of waits) lives.waiting.set(wait.runId, wait.stepId)
  }
  return lives
}

/** Counts what the answer has, in place of its own numbers. */
export function countFlow(lives: Lives, campaignId: number, answer: FlowStatsAnswer): FlowStatsAnswer {
  const since = Date.parse(answer.since)
  const isIn = (at: number | null) => at !== null && Math.floor(at / HOUR_MS) >= since / HOUR_MS
  const isOf = (one: Run | DeliveryRecord) =>
    !one.isTest && one.campaignId === campaignId && one.version === answer.version
  const runs = lives.runs.filter(isOf)
  const records = lives.records.filter(isOf)
  const begun = runs.filter(({ startedAt }) => isIn(startedAt))
  const countState = (state: Run['state']) => begun.filter((run) => run.state === state).length
  const entries = runs.flatMap(lastEntries).filter(({ at }) => isIn(at))
  const waits = runs.flatMap(({ id }) => lives.waiting.get(id) ?? [])
  return {
    ...answer,
    runs: {
      started: begun.length,
      waiting: waits.length,
      completed: countState('completed'),
      exited: countState('exited'),
      failed: countState('failed'),
      cancelled: countState('cancelled'),
    },
    steps: answer.steps.map((step): FlowStatsAnswer['steps'][number] => {
      const ofStep = entries.filter(({ stepId }) => stepId === step.stepId)
      const sent = records.filter(({ stepId }) => stepId === step.stepId)
      const taken = ofStep.filter(({ isUnreached, outcome }) => isUnreached !== true && outcome === 'taken')
      const accepted = sent.filter(({ acceptedAt }) => isIn(acceptedAt))
      const countWith = (field: 'readAt' | 'openedAt' | 'clickedAt') =>
        accepted.filter((record) => record[field] !== null).length
      return {
        stepId: step.stepId,
        type: step.type,
        reached: ofStep.filter(({ isUnreached }) => isUnreached !== true).length,
        waiting: waits.filter((stepId) => stepId === step.stepId).length,
        outcomes: countBy(ofStep.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'waiting')),
        reasons:
          step.funnel === null
            ? countBy(ofStep.flatMap((entry) => (isHeld(entry) ? reasonOf(entry) : [])))
            : countBy(sent.filter(({ createdAt }) => isIn(createdAt)).flatMap(unsentReason)),
        ways: Object.fromEntries(
          Object.keys(step.ways).map((way) => [
            way,
            step.type === 'branch'
              ? taken.filter(({ reason }) => reason?.split(':')[0] === way).length
              : ofStep.filter(({ outcome }) => outcome === way).length,
          ]),
        ),
        funnel: step.funnel && {
          delivery: accepted.length,
          read: countWith('readAt'),
          opened: countWith('openedAt'),
          clicked: countWith('clickedAt'),
        },
      }
    }),
  }
}

/** A run that was run again has several entries of a step. */
function lastEntries({ steps }: Run): TraceStep[] {
  return [...new Map(steps.map((step) => [step.stepId, step])).values()].filter(({ stepId }) => stepId !== '')
}

const isHeld = ({ outcome }: TraceStep) => outcome === 'skipped' || outcome === 'failed'

/** The code in the words of the trace. */
function reasonOf({ reason }: TraceStep): string {
  const text = reason?.replace(/^(cancelled|failed): /, '') ?? ''
  return text.replace(/(?<=^[a-z-]+)[ :].*$/s, '')
}

function unsentReason({ status, statusReason }: DeliveryRecord): string[] {
  return UNSENT.includes(status) ? [statusReason ?? status] : []
}

function countBy(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
