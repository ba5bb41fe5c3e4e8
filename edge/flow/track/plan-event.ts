// Builds the plan of a checked event: its row, its runs and jobs, its idempotency key. Synchronous.

import type { JsonObject } from '../../../contract/json.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Later } from '../../campaign/evaluator.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import type { WorkMark } from '../../domain/in-hand.ts'
import type { NewTrackedEvent, TrackPlan } from '../../domain/plan.ts'
import type { EventOutcome, EventSource } from '../../domain/tracked-event.ts'
import type { ProfileChange } from '../../domain/user.ts'
import { hashByValue } from '../../lib/canonical-json.ts'
import { toIso } from '../../lib/clock.ts'
import type { IdSource } from '../../lib/id.ts'
import { FAN_OUT, type FanOutPayload } from './fan-out.ts'
import type { LiveEntry, LiveSet } from './live-campaigns.ts'
import { type EvaluationBudget, noRunsOf, type Placed, type Rest, type Started, type StartRuns } from './start-runs.ts'

/** An event whose fields and name were checked; exactly one of `userId`, `userIds` and `topic`. */
export interface TrackInput {
  name: string
  userId?: string | undefined
  userIds?: string[] | undefined
  topic?: string | undefined
  properties?: Record<string, unknown> | undefined
  /** Epoch milliseconds; the time of receipt when absent. */
  occurredAt?: number | undefined
  idempotencyKey?: string | undefined
  /** A merge into the profile of `userId`. */
  user?: ProfileChange | undefined
  /** What was sent and no other field has: `user` as it came, and unknown fields. */
  raw?: JsonObject | undefined
}

export interface TrackOrigin {
  environment: Environment
  /** The key that authenticated it, or the value of a source's secret; null for events of the service itself. */
  secretId: number | null
  correlationId: string
  source: EventSource
  /**
   * Of events of connectors, and of those that are run again: where and how long their keys are known. A repeat is one
   * whatever its body is, since platforms send an event again with other times; or the one with that hash.
   */
  repeats?: { space: number; keptMs: number; bodyHash?: string }
  /** Written with each event. */
  audit?: AuditEntry
  /** Of an event that is run again: nothing is written when its user was erased meanwhile. */
  ofUser?: TrackPlan['ofUser']
  /** The job that does it: it is marked while its events are evaluated. */
  mark?: WorkMark
  /** Of events of connectors: called with each one that was written and was not there before. */
  onWritten?(input: TrackInput, found: { isHeard: boolean; isNewUser: boolean }): void
}

/** The recipients with their profiles; `many`: more than one plan can serve. */
export type Audience = Placed[] | 'many'

type Taken = Pick<Core, 'clock'> & {
  startRuns: StartRuns
  ids: { event: IdSource; job: IdSource }
  /** How long an idempotency key is kept. */
  idempotencyKeptMs: number
}

/** The plan is there at once unless a campaign needs a sandbox. `budget` is that of the request. */
export type PlanEvent = (
  origin: TrackOrigin,
  input: TrackInput,
  live: Pick<LiveSet, 'awaited'> & { entries: readonly LiveEntry[] },
  audience: Audience,
  budget: EvaluationBudget,
) => Later<TrackPlan>

export function createPlanEvent(deps: Taken): PlanEvent {
  return function planEvent(origin, input, { entries, awaited }, audience, budget) {
    const now = deps.clock.now()
    const { environment, correlationId } = origin
    const eventId = deps.ids.event.next()
    const properties = input.properties ?? {}
    const occurredAt = input.occurredAt ?? now
    const start = {
      environment,
      entries,
      eventId,
      name: input.name,
      properties,
      occurredAt: toIso(occurredAt),
      correlationId,
    }
    const complete = ({ started, rest }: Started): TrackPlan => {
      const event: NewTrackedEvent = {
        id: eventId,
        environmentId: environment.id,
        correlationId,
        name: input.name,
        userId: input.userId ?? null,
        userIds: input.userIds === undefined ? null : JSON.stringify(input.userIds),
        topic: input.topic ?? null,
        properties: JSON.stringify(properties),
        source: origin.source,
        occurredAt,
        receivedAt: now,
        outcome: rest === null ? outcomeOf(audience, started.runs.length) : 'fanned-out',
        considered: started.considered.length === 0 ? null : JSON.stringify(started.considered),
        raw: rawOf(input),
      }
      const begun = audience === 'many' || rest === null ? audience : audience.slice(0, countBegun(rest))
      return {
        kind: 'track',
        environmentId: environment.id,
        secretId: origin.secretId,
        now,
        event,
        idempotency: idempotencyOf(origin, input, now, deps.idempotencyKeptMs),
        profile: profileOf(input),
        runs: started.runs,
        messages: started.messages,
        gates: started.gates,
        jobs: fanOutJobs(deps, event, { entries, isAwaited: awaited.has(event.name), audience, rest }),
        waits: started.waits,
        ...awaitedEventOf(event, awaited, begun),
        completes: null,
        continues: null,
        ...(origin.audit !== undefined && { audit: origin.audit }),
        ...(origin.ofUser !== undefined && { ofUser: origin.ofUser }),
      }
    }
    if (audience === 'many') return complete({ started: noRunsOf(entries), rest: null })
    const started = deps.startRuns(start, audience, budget)
    return started instanceof Promise ? started.then(complete) : complete(started)
  }
}

/** Recipients who have begun: the job serves the others, and the rest of the last one's campaigns. */
function countBegun({ recipient, entry }: Rest): number {
  return entry === 0 ? recipient : recipient + 1
}

/** True when an event has more recipients, or they have more campaigns, than are served within its own plan. */
export function isMany(recipients: number, campaigns: number): boolean {
  return recipients > LIMITS.inlineRecipients || recipients * campaigns > LIMITS.inlineRuns
}

function outcomeOf(audience: Audience, runs: number): EventOutcome {
  if (audience === 'many') return 'fanned-out'
  if (audience.length === 0) return 'no-user'
  return runs > 0 ? 'matched' : 'unmatched'
}

/** Hashes the input by value, without the idempotency key; `sdkSecretKey` and unknown fields are not part of it. Null without a key. */
function idempotencyOf(
  { repeats }: TrackOrigin,
  input: TrackInput,
  now: number,
  keptMs: number,
): TrackPlan['idempotency'] {
  const { idempotencyKey: key } = input
  if (key === undefined) return null
  if (repeats !== undefined) {
    const { space, keptMs, bodyHash = '' } = repeats
    return { key, bodyHash, expiresAt: now + keptMs, space }
  }
  return {
    key,
    bodyHash: hashByValue({ ...input, idempotencyKey: undefined, raw: undefined }),
    expiresAt: now + keptMs,
  }
}

/** A key that a customer put beside its place: viewers of the dashboard read what is kept. */
const OWN_SECRET = /\bnc_(sdk|auth)_[A-Za-z0-9_-]+/g

/** @returns What is kept besides, as JSON text, without our keys. */
function rawOf({ idempotencyKey, user, raw }: TrackInput): string | null {
  if (idempotencyKey === undefined && user === undefined && raw === undefined) return null
  return JSON.stringify({ user, idempotencyKey, ...raw }).replace(OWN_SECRET, 'nc_$1_[removed]')
}

function profileOf({ userId, user }: TrackInput): TrackPlan['profile'] {
  return userId === undefined || user === undefined ? null : { userId, change: user }
}

interface FannedOut {
  entries: readonly LiveEntry[]
  isAwaited: boolean
  audience: Audience
  rest: Rest | null
}

/** Creates the first job; each chunk writes the next one. All chunks use the versions of this moment. */
function fanOutJobs(
  deps: Taken,
  event: NewTrackedEvent,
  { entries, isAwaited, audience, rest }: FannedOut,
): TrackPlan['jobs'] {
  if (audience !== 'many' && rest === null) return []
  const campaigns = entries.flatMap((entry) =>
    entry.compiled === null ? [] : [{ campaignId: entry.campaign.id, version: entry.version }],
  )
  if (campaigns.length === 0 && !isAwaited) return []
  const payload: FanOutPayload = { eventId: event.id, campaigns, ...fromRest(entries, audience, rest) }
  const at = event.receivedAt
  return [
    {
      id: deps.ids.job.next(),
      environmentId: event.environmentId,
      kind: FAN_OUT,
      payload: JSON.stringify(payload),
      runAt: at + (rest?.afterMs ?? 0),
      createdAt: at,
    },
  ]
}

/** Where the job begins. */
function fromRest(
  entries: readonly LiveEntry[],
  audience: Audience,
  rest: Rest | null,
): Pick<FanOutPayload, 'after' | 'partly'> {
  const recipient = audience === 'many' || rest === null ? undefined : audience[rest.recipient]
  if (rest === null || recipient === undefined) return { after: 0 }
  const { place, after } = recipient
  if (rest.entry === 0) return { after }
  return { after, partly: { place, campaigns: entries.slice(0, rest.entry).filter(({ compiled }) => compiled).length } }
}

/** @returns The part of the plan that resumes waiting runs of these users; for many users, jobs do that. */
function awaitedEventOf(
  event: NewTrackedEvent,
  awaited: ReadonlySet<string>,
  audience: Audience,
): Pick<TrackPlan, 'awaitedEvent'> {
  if (audience === 'many' || audience.length === 0 || !awaited.has(event.name)) return {}
  return { awaitedEvent: { eventId: event.id, name: event.name, userIds: audience.map(({ userId }) => userId) } }
}
