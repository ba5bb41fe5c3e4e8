// Accepts tracked events: recipients, matching, plan, commit. 202 only after the commit; the hot path waits for nothing else.

import { LIMITS } from '../../../contract/limits.ts'
import type { Later } from '../../campaign/evaluator.ts'
import type { CommitPlan } from '../../domain/commit-plan.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import { evaluateFor } from '../../domain/in-hand.ts'
import type { TrackOutcome, TrackPlan } from '../../domain/plan.ts'
import { closedError } from '../../domain/tenant/closed.ts'
import { EMPTY_PROFILE, mergeProfile, type UserProfile, withDefaults } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { doubtEvent } from '../doubts/event-doubts.ts'
import type { ActiveTenants } from './active-tenants.ts'
import { createTurns } from './batch-turns.ts'
import { BEFORE_PLACE } from './fan-out.ts'
import type { LiveCampaigns, LiveEntry, LiveSet } from './live-campaigns.ts'
import { type Audience, isMany, type PlanEvent, type TrackInput, type TrackOrigin } from './plan-event.ts'
import type { SendPolicies } from './send-policies.ts'
import { EVALUATION_MS, type EvaluationBudget, type Placed, readProfiles } from './start-runs.ts'

export interface TrackAnswer {
  eventId: string
  /** Of the first request, when this is a repeat. */
  correlationId: string
  duplicate: boolean
  /** ISO 8601. */
  receivedAt: string
}

/** Where a batch comes from, when not from the API. */
export type EventsFrom = Pick<TrackOrigin, 'source' | 'repeats' | 'onWritten' | 'audit' | 'ofUser' | 'mark'>

export interface AcceptEvents {
  /**
   * Throws `request/conflict`, `request/payload-too-large` (profile beyond its limit), `auth/invalid-authorization` (key
   * retired before the commit), `service/unavailable`.
   */
  accept(
    environment: Environment,
    secretId: number | null,
    input: TrackInput,
    correlationId: string,
  ): Promise<TrackAnswer>
  /** Results are in the order of the inputs; a refused event has its ApiError. Throws when none of them could be written. */
  acceptBatch(
    environment: Environment,
    secretId: number | null,
    inputs: TrackInput[],
    correlationId: string,
    from?: EventsFrom,
  ): Promise<({ eventId: string; duplicate: boolean } | ApiError)[]>
}

type Taken = Pick<Core, 'users' | 'topics' | 'inHand' | 'commitPlan' | 'recordDoubt' | 'learnEvent'> & {
  live: Pick<LiveCampaigns, 'find' | 'load'>
  sendPolicies: Pick<SendPolicies, 'assign'>
  activeTenants: Pick<ActiveTenants, 'record'>
  planEvent: PlanEvent
}

export function createAcceptEvents(deps: Taken): AcceptEvents {
  return {
    async accept(environment, secretId, input, correlationId) {
      deps.activeTenants.record(environment.id)
      const origin: TrackOrigin = { environment, secretId, correlationId, source: 'api' }
      const live = deps.live.find(environment.id) ?? (await deps.live.load(environment.id))
      const entries = entriesOf(live, input)
      const recipients = findRecipients(input) ?? (await readTopic(deps, environment.id, input))
      const acceptWith = async (profiles: Profiles | undefined) => {
        const audience = audienceOf(input, recipients, profiles, live)
        if (entries.length > 0 && audience !== 'many') {
          const asked = deps.sendPolicies.assign(environment.id, live, audience)
          // Without preferences in the environment there is nothing to wait for.
          if (asked !== undefined) await asked
        }
        const planned = deps.planEvent(origin, input, { entries, awaited: live.awaited }, audience, newBudget())
        const plan = planned instanceof Promise ? await planned : planned
        const outcome = await deps.commitPlan(plan)
        doubtEvent(deps.recordDoubt, live, { origin, input, outcome })
        if (outcome.result === 'written') deps.learnEvent(environment.id, input, plan.now)
        return toAnswer(plan, outcome)
      }
      if (!needsProfiles(entries, recipients)) return acceptWith(undefined)
      const userIds = recipients.map(({ userId }) => userId)
      return deps.users.holding(async (users) => acceptWith(await users.findMany(environment.id, userIds)))
    },

    async acceptBatch(environment, secretId, inputs, correlationId, from = { source: 'api' }) {
      deps.activeTenants.record(environment.id)
      const origin: TrackOrigin = { environment, secretId, correlationId, ...from }
      const live = deps.live.find(environment.id) ?? (await deps.live.load(environment.id))
      const recipients = await Promise.all(
        inputs.map((input) => findRecipients(input) ?? readTopic(deps, environment.id, input)),
      )
      const wanted = listWanted(live, inputs, recipients)
      const acceptWith = async (profiles: Profiles | undefined) => {
        const audiences = inputs.map((input, index) => audienceOf(input, recipients[index] ?? [], profiles, live))
        await assignBatchPolicies(deps, environment.id, live, inputs, audiences)
        const settled: Promise<TrackAnswer | Error>[] = []
        const turns = createTurns(settled)
        const commitInOrder = createCommitOrder(deps.commitPlan)
        const judge = (input: TrackInput) => (outcome: TrackOutcome, at: number) => {
          doubtEvent(deps.recordDoubt, live, { origin, input, outcome })
          if (outcome.result === 'written') deps.learnEvent(environment.id, input, at)
        }
        const budget = newBudget()
        for (const [index, input] of inputs.entries()) {
          await turns.pass()
          const of = { entries: entriesOf(live, input), awaited: live.awaited }
          const plan = () => deps.planEvent(origin, input, of, audiences[index] ?? [], budget)
          const planned = evaluateFor(deps.inHand, from.mark, plan)
          turns.count(planned)
          settled.push(commitInOrder(planned, judge(input)).catch(toError))
        }
        return toResults(await Promise.all(settled))
      }
      if (wanted.length === 0) return acceptWith(undefined)
      return deps.users.holding(async (users) => acceptWith(await users.findMany(environment.id, wanted)))
    },
  }
}

const newBudget = (): EvaluationBudget => ({ leftMs: EVALUATION_MS })

/** `at`: when the event was received (epoch ms). */
type OnOutcome = (outcome: TrackOutcome, at: number) => void

/** Commits plans in the order of the calls, also when some of them come later from a sandbox. */
function createCommitOrder(commitPlan: CommitPlan) {
  let before: Promise<unknown> | undefined
  const commit = (plan: TrackPlan, onOutcome: OnOutcome) =>
    commitPlan(plan).then((outcome) => {
      onOutcome(outcome, plan.now)
      return toAnswer(plan, outcome)
    })
  return (planned: Later<TrackPlan>, onOutcome: OnOutcome): Promise<TrackAnswer> => {
    if (before === undefined && !(planned instanceof Promise)) return commit(planned, onOutcome)
    const ready = Promise.all([planned, before])
    before = ready.catch(() => {})
    return ready.then(([plan]) => commit(plan, onOutcome))
  }
}

function entriesOf(live: LiveSet, input: TrackInput): readonly LiveEntry[] {
  return live.byEvent.get(input.name) ?? []
}

/** Profiles of recipients, and those that were left for jobs. */
interface Profiles {
  users: Map<string, UserProfile>
  left: ReadonlySet<string>
}

type Recipients = Pick<Placed, 'userId' | 'place' | 'after'>[]

/** @returns Each recipient once; undefined for a topic, whose subscribers must be read. */
function findRecipients(input: TrackInput): Recipients | undefined {
  if (input.userId !== undefined) return [{ userId: input.userId, place: 0, after: 0 }]
  if (input.userIds === undefined) return undefined
  const places = new Map<string, number>()
  for (const [place, userId] of input.userIds.entries()) if (!places.has(userId)) places.set(userId, place)
  return [...places].map(([userId, place]) => ({ userId, place, after: place }))
}

/** @returns The subscribers, at most one more than one plan can serve. */
async function readTopic(deps: Taken, environmentId: number, input: TrackInput): Promise<Recipients> {
  if (input.topic === undefined) return []
  const page = await deps.topics.listSubscribers(environmentId, input.topic, 0, LIMITS.inlineRecipients + 1)
  return page.map(({ userId, place }) => ({ userId, place, after: place + BEFORE_PLACE }))
}

function needsProfiles(entries: readonly LiveEntry[], to: Recipients): boolean {
  return entries.length > 0 && to.length > 0 && !isMany(to.length, entries.length) && readProfiles(entries)
}

/** @returns The ids of all profiles that the campaigns of a batch need. */
function listWanted(live: LiveSet, inputs: TrackInput[], recipients: Recipients[]): string[] {
  return inputs.flatMap((input, index) => {
    const to = recipients[index] ?? []
    return needsProfiles(entriesOf(live, input), to) ? to.map(({ userId }) => userId) : []
  })
}

/** Reads the policies of a whole batch in one query, if the environment has any. */
async function assignBatchPolicies(
  deps: Taken,
  environmentId: number,
  live: LiveSet,
  inputs: TrackInput[],
  audiences: Audience[],
): Promise<void> {
  if (!live.hasSendRules) return
  const recipients = audiences.flatMap((audience, index) => {
    const input = inputs[index]
    return audience === 'many' || input === undefined || entriesOf(live, input).length === 0 ? [] : audience
  })
  await deps.sendPolicies.assign(environmentId, live, recipients)
}

/** Applies the event's profile change to `profiles` first, for its own campaigns and for later events of the batch. */
function audienceOf(input: TrackInput, recipients: Recipients, read: Profiles | undefined, live: LiveSet): Audience {
  if (isMany(recipients.length, entriesOf(live, input).length)) return 'many'
  // A job reads the profiles that would be too much at once.
  const isLeft = ({ userId }: Recipients[number]) => read?.left.has(userId) === true
  if (readProfiles(entriesOf(live, input)) && recipients.some(isLeft)) return 'many'
  const profiles = read?.users
  if (profiles !== undefined && input.userId !== undefined && input.user !== undefined) {
    profiles.set(input.userId, mergeProfile(profiles.get(input.userId) ?? EMPTY_PROFILE, input.user))
  }
  const { policyOfAll: policy, defaults } = live
  const profileOf = (userId: string) => withDefaults(profiles?.get(userId) ?? EMPTY_PROFILE, defaults)
  return recipients.map(({ userId, place, after }) => ({ userId, place, after, profile: profileOf(userId), policy }))
}

function toAnswer(plan: TrackPlan, outcome: TrackOutcome): TrackAnswer {
  switch (outcome.result) {
    case 'written': {
      if (plan.event === null) throw new Error('accepted event has no row')
      const { id, correlationId, receivedAt } = plan.event
      return { eventId: formatId('event', id), correlationId, duplicate: false, receivedAt: toIso(receivedAt) }
    }
    case 'duplicate':
      return {
        eventId: formatId('event', outcome.eventId),
        correlationId: outcome.correlationId,
        duplicate: true,
        receivedAt: toIso(outcome.receivedAt),
      }
    case 'conflict':
      throw new ApiError('request/conflict', { message: 'This idempotency key was used with another body.' })
    case 'profile-too-large':
      throw new ApiError('request/payload-too-large', {
        message: `The attributes of the profile would have more than ${LIMITS.attributesBytes} bytes.`,
      })
    case 'revoked':
      throw new ApiError('auth/invalid-authorization')
    case 'closed':
      throw closedError({ id: plan.environmentId })
    case 'user-gone':
      throw new ApiError('request/conflict', { reason: 'user-gone', message: 'There is no such user any more.' })
    case 'lease-lost':
    case 'not-waiting':
    case 'halted':
      throw new Error('accepted event has the outcome of a continuation')
  }
}

/** Errors of single events: the other events of their batch have their own results. */
const EVENT_FAULTS: ReadonlySet<string> = new Set(['request/conflict', 'request/payload-too-large'])

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('commit failed: unknown error', { cause: error })
}

/** The request fails as a whole only when no event was written. A defect is reported as `other/unknown`. */
function toResults(settled: (TrackAnswer | Error)[]): ({ eventId: string; duplicate: boolean } | ApiError)[] {
  const [first] = settled
  const isRefused = (one: TrackAnswer | Error) =>
    one instanceof Error && !(one instanceof ApiError && EVENT_FAULTS.has(one.code))
  if (first instanceof Error && settled.every(isRefused)) throw first
  return settled.map((one) => {
    if (!(one instanceof Error)) return { eventId: one.eventId, duplicate: one.duplicate }
    return one instanceof ApiError ? one : new ApiError('other/unknown', {}, { cause: one })
  })
}
