// Matches an event's recipients against the live campaigns on its name and runs what matches.

import type { RunStart, UserScope } from '../../campaign/compiled.ts'
import type { Begun, Evaluator, Later } from '../../campaign/evaluator.ts'
import { userScopeOf } from '../../campaign/run-state.ts'
import type { SendPolicy } from '../../campaign/send-policy.ts'
import { boundInputs, countInputChars, formatOperands } from '../../campaign/trace.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Gate, NewMessage, NewRun } from '../../domain/plan.ts'
import type { NewWait } from '../../domain/run/run-wait.ts'
import type { Consideration, TraceInputs } from '../../domain/tracked-event.ts'
import type { UserProfile } from '../../domain/user.ts'
import { BusyError } from '../../lib/api-error.ts'
import type { LiveEntry } from './live-campaigns.ts'

export interface RunsStart {
  environment: Environment
  entries: readonly LiveEntry[]
  eventId: number
  name: string
  properties: Record<string, unknown>
  /** ISO 8601. */
  occurredAt: string
  correlationId: string
}

export interface StartedRuns {
  runs: NewRun[]
  messages: NewMessage[]
  gates: Gate[]
  waits: NewWait[]
  /** One per campaign and outcome, with the first reason. */
  considered: Consideration[]
}

export interface Recipient {
  userId: string
  profile: UserProfile
  policy: SendPolicy
}

/** A recipient of an event that was not read page by page, with the place where a job would begin. */
export interface Placed extends Recipient {
  /** Index in the list of the event, or position in the topic. */
  place: number
  /** `after` of the job that begins with this recipient. */
  after: number
}

/** Processor time that evaluations in sandboxes may still take, for an event or for all events of a request. */
export interface EvaluationBudget {
  leftMs: number
}

/** Where an event continues by a job: indexes of the recipients and entries. */
export interface Rest {
  recipient: number
  entry: number
  /** When the job may run: later than now while too much work of the environment waits (ms from now). */
  afterMs: number
}

/** `rest` is null when all runs were begun. */
export type Started = { started: StartedRuns; rest: Rest | null }

export type StartRuns = (
  start: RunsStart,
  recipients: Recipient[],
  budget: EvaluationBudget,
  into?: StartedRuns,
) => Later<Started>

/** Of an event's evaluations, and of those of a whole request. */
export const EVALUATION_MS = 300
/** Messages of an event that are made before its answer, in characters. */
const MAX_EVENT_CHARS = 2 * 1024 * 1024
/** Runs of sandboxes that are begun together. */
const BEGUN_TOGETHER = 8

export function noRuns(): StartedRuns {
  return { runs: [], messages: [], gates: [], waits: [], considered: [] }
}

/** True when the recipients' profiles must be read before `startRuns`. */
export function readProfiles(entries: readonly LiveEntry[]): boolean {
  return entries.some((entry) => entry.compiled?.readsProfile === true)
}

/**
 * Adds to `into` the runs of these recipients, until the budget is used up. Without a campaign that needs a sandbox, the
 * result is there at once. `evaluationMs`: time of one event; only tests change it.
 */
export function createStartRuns(begin: Evaluator['begin'], evaluationMs = EVALUATION_MS): StartRuns {
  return function startRuns(start, recipients, budget, into = noRuns()) {
    const pairs = createPairs(start, recipients)
    const endsAt = performance.now() + evaluationMs
    let chars = 0
    let counted = into.messages.length
    const isOver = () => {
      for (; counted < into.messages.length; counted++) chars += into.messages[counted]?.snapshot.length ?? 0
      return budget.leftMs <= 0 || performance.now() > endsAt || chars > MAX_EVENT_CHARS
    }
    const startFrom = (first: number): Later<Started> => {
      for (let place = first; place < pairs.count; place++) {
        if (isOver()) return endAt(place)
        const begun = pairs.begin(begin, place, into)
        if (begun instanceof Promise) return startTogether(place, begun)
      }
      return endAt(pairs.count)
    }
    const startTogether = async (first: number, begun: Promise<Begun | null>): Promise<Started> => {
      const all: Later<Begun | null>[] = [begun]
      while (all.length < BEGUN_TOGETHER && first + all.length < pairs.count) {
        all.push(pairs.begin(begin, first + all.length))
      }
      const results = await Promise.allSettled(all)
      for (const [index, result] of results.entries()) {
        if (result.status === 'fulfilled') {
          budget.leftMs -= result.value?.tookMs ?? 0
          pairs.record(first + index, result.value, into)
        } else if (result.reason instanceof BusyError) return endAt(first + index, result.reason.retryAfterMs)
        else throw result.reason
      }
      return startFrom(first + all.length)
    }
    const endAt = (place: number, afterMs = 0): Started => ({
      started: into,
      rest: place < pairs.count ? { ...pairs.placeOf(place), afterMs } : null,
    })
    return startFrom(0)
  }
}

/** The pairs of recipients and campaigns, in the order in which their runs begin. */
function createPairs(start: RunsStart, recipients: readonly Recipient[]) {
  const { entries } = start
  const users = recipients.map(({ userId, profile }) => userScopeOf(userId, profile))
  const placeOf = (place: number) => ({
    recipient: Math.floor(place / entries.length),
    entry: place % entries.length,
  })

  function startOf(place: number): { entry: LiveEntry; run: RunStart | null } {
    const { recipient, entry: at } = placeOf(place)
    const entry = entries[at] as LiveEntry
    if (entry.compiled === null) return { entry, run: null }
    const user = users[recipient] as UserScope
    const { policy } = recipients[recipient] as Recipient
    const { name, properties, occurredAt, environment, eventId, correlationId } = start
    const event = { name, userId: user.id, properties, occurredAt }
    const run = { environment, campaign: entry.compiled, eventId, event, user, policy, correlationId, isTest: false }
    return { entry, run }
  }

  function record(place: number, begun: Begun | null, into: StartedRuns): void {
    const { entry, run } = startOf(place)
    if (begun === null || run === null) considerIdle(into, entry)
    else addBegun(into, entry, run, begun)
  }

  return {
    count: users.length * entries.length,
    placeOf,
    record,
    /** Begins the run of a pair; null for a campaign that begins none. With `into`, a result that is there is recorded. */
    begin(begin: Evaluator['begin'], place: number, into?: StartedRuns): Later<Begun | null> {
      const { entry, run } = startOf(place)
      if (run === null) {
        if (into !== undefined) considerIdle(into, entry)
        return null
      }
      const begun = begin(run)
      if (into !== undefined && !(begun instanceof Promise)) addBegun(into, entry, run, begun)
      return begun
    },
  }
}

function addBegun(into: StartedRuns, entry: LiveEntry, { campaign, event, user }: RunStart, begun: Begun): void {
  const { where } = campaign
  const { verdict, result } = begun
  const read = where && (() => formatOperands([where], { event, user, enriched: {} }))
  if (verdict?.holds === false) {
    consider(into, entry, verdict.outcome === 'error' ? 'condition-error' : 'condition-false', verdict.reason, read)
    return
  }
  if (result === null) throw new Error('campaign matched without a run')
  const { run, messages, gates, wait } = result
  into.runs.push(run)
  into.messages.push(...messages)
  if (gates.length > 0) into.gates.push(...gates)
  if (wait !== null) into.waits.push(wait)
  if (run.state === 'failed') consider(into, entry, 'failed', run.stateReason, read)
  else consider(into, entry, 'run', null, read)
}

/** Records the campaigns that cannot begin runs, when jobs begin the runs of the others. */
export function noRunsOf(entries: readonly LiveEntry[]): StartedRuns {
  const into = noRuns()
  for (const entry of entries) if (entry.compiled === null) considerIdle(into, entry)
  return into
}

function considerIdle(into: StartedRuns, entry: LiveEntry): void {
  if (entry.fault === null) consider(into, entry, 'paused', 'the campaign is paused')
  else consider(into, entry, 'failed', entry.fault)
}

function consider(
  into: StartedRuns,
  { campaign }: LiveEntry,
  outcome: Consideration['outcome'],
  reason: string | null,
  read?: (() => TraceInputs) | null,
): void {
  if (into.considered.some((one) => one.campaignId === campaign.id && one.outcome === outcome)) return
  const one: Consideration = { campaignId: campaign.id, campaignKey: campaign.key, outcome, reason }
  if (read) one.inputs = boundInputs(read(), countInputChars(into.considered)).inputs
  into.considered.push(one)
}
