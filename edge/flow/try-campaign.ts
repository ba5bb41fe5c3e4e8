// Tries a campaign's draft before it is published: preview, dry-run, test (contract section 6). All go through the code that sends.

import type { MessageContent } from '../../contract/api.ts'
import type { Campaign, Campaigns } from '../domain/campaign.ts'
import type { Environment } from '../domain/environment.ts'
import { TemplateError } from '../domain/expression/template.ts'
import type { NewTrackedEvent } from '../domain/plan.ts'
import { inputsOf, type TraceInputs } from '../domain/run/trace-inputs.ts'
import type { CompiledEmailStep, CompiledInboxStep, CompiledStep } from '../domain/steps/compiled.ts'
import { type CompiledCampaign, compileCampaign } from '../domain/steps/compiled-campaign.ts'
import { findStep } from '../domain/steps/walk.ts'
import type { TraceStep } from '../domain/tracked-event.ts'
import { EMPTY_PROFILE, type Users } from '../domain/user.ts'
import { ApiError } from '../lib/api-error.ts'
import { type Clock, toIso } from '../lib/clock.ts'
import { formatId, type IdSource } from '../lib/id.ts'
import { getCampaign } from './campaigns/read-campaigns.ts'
import { createEmailSnapshot } from './create-message.ts'
import { type EventScope, scopeOf, type UserScope } from './run/course.ts'
import type { RunThrough } from './run/run-through.ts'
import type { CommitPlan } from './tracking/commit-plan.ts'
import type { SendPolicies } from './tracking/send-policies.ts'

/** An event as a preview gives it; what is absent is the trigger's name, nothing, and now. */
export interface TriedEvent {
  name?: string | undefined
  userId?: string | undefined
  properties?: Record<string, unknown> | undefined
  /** Epoch milliseconds. */
  occurredAt?: number | undefined
}

export interface TriedUser {
  id?: string | undefined
  email?: string | null | undefined
  name?: string | null | undefined
  locale?: string | null | undefined
  timeZone?: string | null | undefined
  attributes?: Record<string, unknown> | undefined
}

export type TriedStep = Pick<TraceStep, 'stepId' | 'type' | 'outcome' | 'reason'> & { inputs: TraceInputs }

export interface TryCampaign {
  /** What a step would say. Throws `request/invalid-body` for an unknown step, `campaign/invalid-definition` when it does not render. */
  preview(
    environment: Environment,
    campaignId: string,
    input: { stepId: string; event?: TriedEvent; user?: TriedUser; enriched?: object },
  ): Promise<MessageContent>
  /** Whether the event would begin a run, and the steps that it would take. Writes nothing. */
  dryRun(
    environment: Environment,
    campaignId: string,
    input: { event?: TriedEvent; user?: TriedUser },
  ): Promise<{ matched: boolean; reason: string | null; steps: TriedStep[] }>
  /** Really sends, marked as a test, whatever the trigger says. `secretId`: the key that asks, checked at the commit. */
  test(
    environment: Environment,
    secretId: number | null,
    campaignId: string,
    input: { userId: string; event?: TriedEvent },
    correlationId: string,
  ): Promise<{ messageIds: string[] }>
}

export interface TryCampaignDeps {
  campaigns: Pick<Campaigns, 'find'>
  users: Pick<Users, 'find'>
  sendPolicies: Pick<SendPolicies, 'find' | 'findForTest'>
  runThrough: RunThrough
  commitPlan: CommitPlan
  clock: Clock
  ids: { event: IdSource }
}

/** Whom a preview without a user speaks to. */
const PREVIEW_USER = 'preview'

export function createTryCampaign(deps: TryCampaignDeps): TryCampaign {
  const compileDraft = async (environmentId: number, campaignId: string): Promise<CompiledCampaign> =>
    compile(await getCampaign(deps.campaigns, environmentId, campaignId))
  return {
    preview: async (environment, campaignId, input) =>
      preview(deps, environment, await compileDraft(environment.id, campaignId), input),
    dryRun: async (environment, campaignId, input) =>
      dryRun(deps, environment, await compileDraft(environment.id, campaignId), input),
    test: async (environment, secretId, campaignId, input, correlationId) =>
      test(deps, { environment, secretId, correlationId }, await compileDraft(environment.id, campaignId), input),
  }
}

function preview(
  { clock }: TryCampaignDeps,
  environment: Environment,
  campaign: CompiledCampaign,
  { stepId, event, user, enriched }: Parameters<TryCampaign['preview']>[2],
): MessageContent {
  const step = findMessageStep(campaign.steps, stepId)
  if (step === undefined) {
    throw new ApiError('request/invalid-body', {
      details: [{ path: 'stepId', message: 'The draft has no step of this id that makes a message.' }],
    })
  }
  const userScope = toUserScope(user, event)
  const eventScope = toEventScope(clock, campaign, userScope.id, event)
  const scope = scopeOf({ environment, campaign, event: eventScope, user: userScope, ...(enriched && { enriched }) })
  const { name, category } = campaign.definition
  try {
    return step.type === 'email'
      ? createEmailSnapshot(step, scope, { category, fallbackTitle: name })
      : step.content.render(scope, userScope.locale, name)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new ApiError('campaign/invalid-definition', { details: [{ path: stepId, message: error.message }] })
  }
}

async function dryRun(
  deps: TryCampaignDeps,
  environment: Environment,
  campaign: CompiledCampaign,
  input: Parameters<TryCampaign['dryRun']>[2],
): ReturnType<TryCampaign['dryRun']> {
  const user = toUserScope(input.user, input.event)
  const event = toEventScope(deps.clock, campaign, user.id, input.event)
  const mismatch = findMismatch(campaign, event, user)
  if (mismatch !== null) return { matched: false, reason: mismatch, steps: [] }
  const { run, trace } = await deps.runThrough({
    environment,
    campaign,
    eventId: 0,
    event,
    user,
    policy: await deps.sendPolicies.find(environment.id, user.id, user),
    correlationId: '',
    isTest: true,
  })
  const steps = trace.map((step) => {
    const { stepId, type, outcome, reason } = step
    return { stepId, type, outcome, reason, inputs: inputsOf(step) }
  })
  return { matched: true, reason: run.stateReason, steps }
}

async function test(
  deps: TryCampaignDeps,
  origin: { environment: Environment; secretId: number | null; correlationId: string },
  campaign: CompiledCampaign,
  { userId, event: tried }: Parameters<TryCampaign['test']>[3],
): Promise<{ messageIds: string[] }> {
  const { environment, secretId, correlationId } = origin
  const profile = (await deps.users.find(environment.id, userId)) ?? EMPTY_PROFILE
  const user = toUserScope({ ...profile, id: userId }, undefined)
  const now = deps.clock.now()
  const event = toEventScope(deps.clock, campaign, userId, tried)
  const eventId = deps.ids.event.next()
  const { run, messages } = await deps.runThrough({
    environment,
    campaign,
    eventId,
    event,
    user,
    policy: await deps.sendPolicies.findForTest(environment.id, userId, profile),
    correlationId,
    isTest: true,
  })
  const row: NewTrackedEvent = {
    id: eventId,
    environmentId: environment.id,
    correlationId,
    name: event.name,
    userId,
    userIds: null,
    topic: null,
    properties: JSON.stringify(event.properties),
    source: 'test',
    occurredAt: tried?.occurredAt ?? now,
    receivedAt: now,
    outcome: 'matched',
    considered: null,
  }
  const rows = {
    event: row,
    idempotency: null,
    profile: null,
    runs: [run],
    messages,
    jobs: [],
    waits: [],
    completes: null,
    continues: null,
  }
  const outcome = await deps.commitPlan({ kind: 'track', environmentId: environment.id, secretId, now, ...rows })
  if (outcome.result === 'revoked') throw new ApiError('auth/invalid-authorization')
  return { messageIds: messages.map((message) => formatId('message', message.id)) }
}

/** The draft as the version that publishing it would make. */
function compile(campaign: Campaign): CompiledCampaign {
  return compileCampaign({ campaign, version: (campaign.currentVersion ?? 0) + 1, definition: campaign.draft })
}

function findMessageStep(steps: CompiledStep[], stepId: string): CompiledInboxStep | CompiledEmailStep | undefined {
  const step = findStep(steps, stepId)
  return step?.type === 'inbox' || step?.type === 'email' ? step : undefined
}

function findMismatch(campaign: CompiledCampaign, event: EventScope, user: UserScope): string | null {
  const wanted = campaign.definition.trigger.event
  if (event.name !== wanted) return `the trigger is on ${wanted}, not on ${event.name}`
  const verdict = campaign.where?.evaluate({ event, user, enriched: {} })
  return verdict?.holds === false ? verdict.reason : null
}

function toUserScope(user: TriedUser | undefined, event: TriedEvent | undefined): UserScope {
  const given = { ...EMPTY_PROFILE, ...user }
  return {
    id: user?.id ?? event?.userId ?? PREVIEW_USER,
    email: given.email ?? null,
    name: given.name ?? null,
    locale: given.locale ?? null,
    timeZone: given.timeZone ?? null,
    attributes: given.attributes ?? {},
  }
}

function toEventScope(
  clock: Clock,
  campaign: CompiledCampaign,
  userId: string,
  event: TriedEvent | undefined,
): EventScope {
  return {
    name: event?.name ?? campaign.definition.trigger.event,
    userId,
    properties: event?.properties ?? {},
    occurredAt: toIso(event?.occurredAt ?? clock.now()),
  }
}
