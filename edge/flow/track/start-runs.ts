// Matches an event's recipients against the live campaigns on its name and runs what matches.

import type { UserScope } from '../../campaign/compiled.ts'
import type { RunCampaign } from '../../campaign/run.ts'
import { userScopeOf } from '../../campaign/run-state.ts'
import type { SendPolicy } from '../../campaign/send-policy.ts'
import { boundInputs, countInputChars, formatOperands } from '../../campaign/trace.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Gate, NewMessage, NewRun } from '../../domain/plan.ts'
import type { NewWait } from '../../domain/run/run-wait.ts'
import type { Consideration, TraceInputs } from '../../domain/tracked-event.ts'
import type { UserProfile } from '../../domain/user.ts'
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

export type StartRuns = (start: RunsStart, recipients: Recipient[], into?: StartedRuns) => StartedRuns

export function noRuns(): StartedRuns {
  return { runs: [], messages: [], gates: [], waits: [], considered: [] }
}

/** True when the recipients' profiles must be read before `startRuns`. */
export function readProfiles(entries: readonly LiveEntry[]): boolean {
  return entries.some((entry) => entry.compiled?.readsProfile === true)
}

/** Adds to `into` the runs of these recipients. */
export function createStartRuns(runCampaign: RunCampaign): StartRuns {
  return function startRuns(start, recipients, into = noRuns()) {
    if (start.entries.length === 0) return into
    for (const { userId, profile, policy } of recipients) {
      const user = userScopeOf(userId, profile)
      for (const entry of start.entries) startRun(runCampaign, start, entry, { user, policy }, into)
    }
    return into
  }
}

function startRun(
  runCampaign: RunCampaign,
  start: RunsStart,
  entry: LiveEntry,
  { user, policy }: { user: UserScope; policy: SendPolicy },
  into: StartedRuns,
): void {
  const { compiled } = entry
  if (compiled === null) {
    considerIdle(into, entry)
    return
  }
  const { name, properties, occurredAt, environment, eventId, correlationId } = start
  const event = { name, userId: user.id, properties, occurredAt }
  const { where } = compiled
  const scope = { event, user, enriched: {} }
  const verdict = where?.evaluate(scope)
  const read = where && (() => formatOperands([where], scope))
  if (verdict?.holds === false) {
    consider(into, entry, verdict.outcome === 'error' ? 'condition-error' : 'condition-false', verdict.reason, read)
    return
  }
  const { run, messages, gates, wait } = runCampaign({
    environment,
    campaign: compiled,
    eventId,
    event,
    user,
    policy,
    correlationId,
    isTest: false,
  })
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
