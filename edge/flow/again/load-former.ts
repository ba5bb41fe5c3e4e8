// Loads a former run with its event, and prepares its start in the version of now or of then.

import type { AgainVersion } from '../../../contract/again.ts'
import type { Again, CompiledCampaign, RunStart } from '../../campaign/compiled.ts'
import { stepsUpTo } from '../../campaign/run-again.ts'
import { userScopeOf } from '../../campaign/run-state.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import type { TrackPlan } from '../../domain/plan.ts'
import type { Run, TraceStep, TrackedEvent } from '../../domain/tracked-event.ts'
import { EMPTY_PROFILE, type HoldingUsers, withDefaults } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { parseId } from '../../lib/id.ts'
import type { PinnedVersions } from '../resume/pinned-versions.ts'
import type { LiveCampaigns } from '../track/live-campaigns.ts'
import type { SendPolicies } from '../track/send-policies.ts'

export type LoadsFormer = Pick<Core, 'events' | 'users' | 'inboxes' | 'digests'> & {
  live: Pick<LiveCampaigns, 'load'>
  pinned: PinnedVersions
  sendPolicies: Pick<SendPolicies, 'find' | 'findForTest'>
}

export interface Former {
  run: Run
  event: TrackedEvent
  /** In the version that is to run. */
  campaign: CompiledCampaign
}

/** @throws `request/conflict` with the reason why nothing can run again */
export function refuse(reason: string, message: string): never {
  throw new ApiError('request/conflict', { reason, message })
}

/** @throws `request/conflict` when the event is kept no more, or the campaign is not live */
export async function loadFormer(
  { events, live, pinned }: LoadsFormer,
  environmentId: number,
  run: Run,
  version: AgainVersion,
): Promise<Former> {
  const event = await events.find(environmentId, run.eventId)
  if (event === undefined) refuse('event-gone', 'The event of this run is kept no more.')
  const entry = (await live.load(environmentId)).byId.get(run.campaignId)
  if (entry === undefined) refuse('not-live', 'The campaign is not live: publish it, and try again.')
  if (entry.compiled === null) refuse('not-live', `The campaign starts no runs: ${entry.fault ?? 'it is paused'}.`)
  const campaign = version === 'now' ? entry.compiled : await pinned.find(entry.campaign, run.version)
  if (campaign === undefined) refuse('version-gone', 'This version of the campaign is there no more.')
  return { run, event, campaign }
}

/** Where the new run begins: with its first step (null), or with this one. */
export interface Begins {
  stepId: string | null
  isOnly: boolean
  reason: string
}

/** @throws `request/conflict` when the version has no such step, or what the step needs is kept no more */
export async function findAgain(
  deps: LoadsFormer,
  { run, campaign }: Former,
  { stepId, isOnly, reason }: Begins,
): Promise<Again> {
  if (stepId === null) return { steps: [], branches: [], reason }
  const before = traceBefore(run.steps, stepId)
  const steps = stepsUpTo(campaign.steps, stepId, new Set(before.flatMap(enrichedBy)))
  if (steps === undefined) {
    refuse('step-gone', `Version ${campaign.version} has no step "${stepId}": use the version of then.`)
  }
  const taken = before.filter(({ type, outcome }) => type === 'branch' && outcome === 'taken').length
  const branches = (run.branch ?? '').split('/').slice(0, taken)
  const [awaited, events] = [await findAwaited(deps, run, before), await findDigested(deps, run, before)]
  return {
    ...{ steps, branches, reason },
    ...(isOnly && { isOnly }),
    ...(awaited !== undefined && { awaited }),
    ...(events !== undefined && { events }),
  }
}

/** The trace of what ran before the step, or all where the run has no such step. */
function traceBefore(trace: TraceStep[], stepId: string): TraceStep[] {
  const at = trace.findIndex((step) => step.stepId === stepId)
  return at < 0 ? trace : trace.slice(0, at)
}

const enrichedBy = ({ type, outcome, stepId }: TraceStep) => (type === 'enrich' && outcome === 'done' ? [stepId] : [])

async function findAwaited({ events }: LoadsFormer, run: Run, before: TraceStep[]): Promise<Again['awaited']> {
  const came = before.findLast(({ type, outcome }) => type === 'waitFor' && outcome === 'taken')
  if (came === undefined) return undefined
  const arrived = Array.isArray(came.inputs?.arrived) ? came.inputs.arrived : []
  const held = arrived.findLast(
    (one) => typeof one === 'object' && one !== null && 'holds' in one && one.holds === true,
  )
  const eventId = typeof held === 'object' && held !== null && 'eventId' in held ? String(held.eventId) : ''
  const event = await events.find(run.environmentId, parseId('event', eventId) ?? 0)
  if (event === undefined) refuse('event-gone', 'The event that this run waited for is kept no more.')
  const { name, properties, occurredAt } = event
  return { name, userId: run.userId, properties, occurredAt: toIso(occurredAt) }
}

async function findDigested({ digests }: LoadsFormer, run: Run, before: TraceStep[]): Promise<string | undefined> {
  if (run.isTest || !before.some(({ type, outcome }) => type === 'digest' && outcome === 'done')) return undefined
  const gathered = (await digests.listEvents([{ environmentId: run.environmentId, runId: run.id }])).get(run.id) ?? []
  if (gathered.length === 0) refuse('event-gone', 'The events that this run gathered are kept no more.')
  const scopes = gathered.map(
    ({ name, properties, occurredAt }) =>
      `{"name":${JSON.stringify(name)},"userId":${JSON.stringify(run.userId)},"properties":${properties},"occurredAt":"${toIso(occurredAt)}"}`,
  )
  return `[${scopes.join(',')}]`
}

export interface StartsAgain {
  again: Again
  /** The recipient; of a test, somebody else than of the former run. */
  userId: string
  eventId: number
  isTest: boolean
  correlationId: string
}

/** @throws `request/conflict` when the user is there no more; a test needs no user */
export async function toStart(
  deps: Pick<LoadsFormer, 'live' | 'sendPolicies' | 'inboxes'> & { users: Pick<HoldingUsers, 'find'> },
  environment: Environment,
  { run, event, campaign }: Former,
  { again, userId, eventId, isTest, correlationId }: StartsAgain,
): Promise<{ start: RunStart } & Pick<TrackPlan, 'ofUser'>> {
  const stored = await deps.users.find(environment.id, userId)
  if (stored === undefined && !isTest) refuse('user-gone', 'There is no such user any more.')
  const profile = withDefaults(stored ?? EMPTY_PROFILE, (await deps.live.load(environment.id)).defaults)
  const { sendPolicies } = deps
  const policy = await (isTest ? sendPolicies.findForTest : sendPolicies.find)(environment.id, userId, profile)
  const { name, properties, occurredAt } = event
  const seenSteps =
    campaign.needsSeenSteps && !isTest ? (await deps.inboxes.findSeenSteps([run.id])).get(run.id) : undefined
  const start: RunStart = {
    environment,
    campaign,
    eventId,
    event: { name, userId, properties, occurredAt: toIso(occurredAt) },
    user: userScopeOf(userId, profile),
    policy,
    correlationId,
    isTest,
    again,
    ...(seenSteps !== undefined && { seenSteps }),
  }
  const ofUser = stored === undefined ? {} : { ofUser: { userId, userNo: stored.userNo } }
  return { start, ...ofUser }
}
