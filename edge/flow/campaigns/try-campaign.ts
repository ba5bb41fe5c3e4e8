// Tries a campaign's draft before it is published: preview, dry run, test. All use the code that sends.

import type { MessageContent } from '../../../contract/api.ts'
import type { CampaignTestAnswer, SampleEvent, SampleUser } from '../../../contract/resources/campaign-trial.ts'
import type { CompiledCampaign, EventScope, RunStart, UserScope } from '../../campaign/compiled.ts'
import type { Evaluator } from '../../campaign/evaluator.ts'
import { scopeOf, userScopeOf } from '../../campaign/run-state.ts'
import { inputsOf } from '../../campaign/trace.ts'
import { findStep } from '../../campaign/walk.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import type { NewMessage, NewTrackedEvent } from '../../domain/plan.ts'
import { closedError } from '../../domain/tenant/closed.ts'
import type { TraceInputs, TraceStep } from '../../domain/tracked-event.ts'
import { EMPTY_PROFILE, type HoldingUsers, type UserDefaults, withDefaults } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { type Clock, toIso } from '../../lib/clock.ts'
import { formatId, type IdSource } from '../../lib/id.ts'
import { type Tried, tellDoubts } from '../doubts/tell-doubts.ts'
import type { LiveCampaigns } from '../track/live-campaigns.ts'
import type { SendPolicies } from '../track/send-policies.ts'
import { compileTried, type TriedDeps } from './compile-tried.ts'
import { requireKeyMayTest } from './publish-right.ts'
import { refusing } from './refusing.ts'
import { definitionOfMails, withoutCopies } from './tested-mails.ts'

/** The event of a preview; defaults are the trigger's name, no properties, and now. */
export type TriedStep = Pick<TraceStep, 'stepId' | 'type' | 'outcome' | 'reason'> & { inputs: TraceInputs }

/** All take the stored draft, or a `definition` in its place, which throws as saving it does. */
export interface TryCampaign {
  /**
   * Renders the message of a step; a user with an id has their stored profile, and given fields go before.
   * @throws `request/invalid-body` for an unknown step, and with the path of a step that does not render with this data
   */
  preview(
    environment: Environment,
    campaignId: string,
    input: { stepId: string; event?: SampleEvent; user?: SampleUser; enriched?: object; definition?: object },
  ): Promise<MessageContent & Tried>
  /** Returns whether the event would begin a run, and its steps. Writes nothing. */
  dryRun(
    environment: Environment,
    campaignId: string,
    input: { event?: SampleEvent; user?: SampleUser; definition?: object },
  ): Promise<{ matched: boolean; reason: string | null; steps: TriedStep[] } & Tried>
  /**
   * Sends messages marked as a test, ignoring the trigger. `secretId`: the caller's key, checked at the commit; `email`:
   * in place of the user's address. Throws `authorization/not-allowed` for a key where a second person approves drafts.
   */
  test(
    environment: Environment,
    secretId: number | null,
    campaignId: string,
    input: { userId: string; event?: SampleEvent; definition?: object; email?: string },
    correlationId: string,
  ): Promise<Omit<CampaignTestAnswer, 'mails'>>
}

type Taken = TriedDeps &
  Pick<Core, 'environments' | 'users' | 'commitPlan' | 'clock'> & {
    sendPolicies: Pick<SendPolicies, 'find' | 'findForTest'>
    /** Provides the defaults for users without own settings. */
    live: Pick<LiveCampaigns, 'load'>
    evaluator: Pick<Evaluator, 'dryRun' | 'preview'>
    ids: { event: IdSource }
  }

type TriesHolding = Omit<Taken, 'users'> & { users: HoldingUsers }

/** The user of a preview without one. */
const PREVIEW_USER = 'preview'

export function createTryCampaign(deps: Taken): TryCampaign {
  const holding = <T>(use: (deps: TriesHolding) => Promise<T>) => deps.users.holding((users) => use({ ...deps, users }))
  return {
    async preview(environment, campaignId, input) {
      const campaign = await compileTried(deps, environment.id, campaignId, input.definition)
      return holding((own) => preview(own, environment, campaign, input))
    },
    async dryRun(environment, campaignId, input) {
      const campaign = await compileTried(deps, environment.id, campaignId, input.definition)
      return holding((own) => dryRun(own, environment, campaign, input))
    },
    async test(environment, secretId, campaignId, input, correlationId) {
      if (secretId !== null) await requireTestRight(deps, environment.id)
      const campaign = await compileTried(deps, environment.id, campaignId, input.definition)
      return holding((own) => test(own, { environment, secretId, correlationId }, campaign, input))
    },
  }
}

/** Read anew: a key that is kept in memory may have a former setting. */
async function requireTestRight({ environments }: Taken, environmentId: number): Promise<void> {
  const environment = await environments.find(environmentId)
  if (environment === undefined) throw new ApiError('request/not-found')
  requireKeyMayTest(environment)
}

async function preview(
  deps: TriesHolding,
  environment: Environment,
  campaign: CompiledCampaign,
  { stepId, event, user, enriched }: Parameters<TryCampaign['preview']>[2],
): Promise<MessageContent & Tried> {
  if (findStep(campaign.steps, stepId)?.preview === undefined) {
    throw new ApiError('request/invalid-body', {
      details: [{ path: 'stepId', message: 'The draft has no step of this id that makes a message.' }],
    })
  }
  const { clock, evaluator } = deps
  const userScope = await findUserScope(deps, environment, user, event)
  const eventScope = toEventScope(clock, campaign, userScope.id, event)
  const scope = scopeOf({ environment, campaign, event: eventScope, user: userScope, ...(enriched && { enriched }) })
  const { name, category } = campaign.definition
  const defaults = { category, locale: userScope.locale, fallbackTitle: name }
  const path = findStepPath(campaign.definition.steps, stepId, 'steps') ?? 'steps'
  const { doubts, ...content } = await refusing(path, () =>
    evaluator.preview(environment.id, campaign, stepId, scope, defaults),
  )
  return { ...content, ...tellDoubts(doubts) }
}

/** Finds the path of a step of any depth, as the faults of a definition have it. */
function findStepPath(value: unknown, stepId: string, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if ('id' in value && 'type' in value && value.id === stepId) return path
  for (const [key, inner] of Object.entries(value)) {
    const found = findStepPath(inner, stepId, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

async function dryRun(
  deps: TriesHolding,
  environment: Environment,
  campaign: CompiledCampaign,
  input: Parameters<TryCampaign['dryRun']>[2],
): ReturnType<TryCampaign['dryRun']> {
  const user = await findUserScope(deps, environment, input.user, input.event)
  const event = toEventScope(deps.clock, campaign, user.id, input.event)
  const wanted = campaign.definition.trigger.event
  if (event.name !== wanted) {
    return { matched: false, reason: `the trigger is on ${wanted}, not on ${event.name}`, steps: [] }
  }
  const start: RunStart = {
    environment,
    campaign,
    eventId: 0,
    event,
    user,
    policy: await deps.sendPolicies.find(environment.id, user.id, { ...user, externalIds: {} }),
    correlationId: '',
    isTest: true,
  }
  const result = await refusing('steps', () => deps.evaluator.dryRun(start, { ignoresTrigger: false }))
  const told = tellDoubts(result.doubts)
  if ('mismatch' in result) return { matched: false, reason: result.mismatch, steps: [], ...told }
  const { run, trace } = result
  const steps = trace.map((step) => {
    const { stepId, type, outcome, reason } = step
    return { stepId, type, outcome, reason, inputs: inputsOf(step) }
  })
  return { matched: true, reason: run.stateReason, steps, ...told }
}

const sentAt = (message: NewMessage, now: number): NewMessage => ({
  ...message,
  createdAt: now,
  expiresAt: message.expiresAt === null ? null : message.expiresAt - (message.createdAt - now),
})

/** @returns the event of a test, whose run is `start` */
function testRow(
  { eventId, environment, correlationId, event, user }: RunStart,
  rest: Pick<NewTrackedEvent, 'occurredAt' | 'receivedAt' | 'raw'>,
): NewTrackedEvent {
  return {
    id: eventId,
    environmentId: environment.id,
    correlationId,
    name: event.name,
    userId: user.id,
    userIds: null,
    topic: null,
    properties: JSON.stringify(event.properties),
    source: 'test',
    outcome: 'matched',
    considered: null,
    ...rest,
  }
}

async function test(
  deps: TriesHolding,
  origin: { environment: Environment; secretId: number | null; correlationId: string },
  campaign: CompiledCampaign,
  { userId, event: tried, definition, email }: Parameters<TryCampaign['test']>[3],
): Promise<Omit<CampaignTestAnswer, 'mails'>> {
  const { environment, secretId, correlationId } = origin
  const stored = (await deps.users.find(environment.id, userId)) ?? EMPTY_PROFILE
  const profile = email === undefined ? stored : { ...stored, email }
  const user = toUserScope(await defaultsOf(deps.live, environment), { ...profile, id: userId }, undefined)
  const now = deps.clock.now()
  const event = toEventScope(deps.clock, campaign, userId, tried)
  const eventId = deps.ids.event.next()
  const start: RunStart = {
    environment,
    campaign,
    eventId,
    event,
    user,
    policy: await deps.sendPolicies.findForTest(environment.id, userId, profile),
    correlationId,
    isTest: true,
  }
  const result = await refusing('steps', () => deps.evaluator.dryRun(start, { ignoresTrigger: true }))
  if ('mismatch' in result) throw new Error(`test message refused: ${result.mismatch}`)
  // The clock of the trial passed over waits, and a test is sent now.
  const sent = result.messages.map((message) => sentAt(message, now))
  const messages = email === undefined ? sent : sent.map(withoutCopies)
  const run = { ...result.run, endedAt: now }
  const occurredAt = tried?.occurredAt ?? now
  // Mails are sent later, and need what no version has.
  const ofMails = definition === undefined ? null : definitionOfMails(campaign.definition, messages)
  const raw = ofMails === null ? null : JSON.stringify({ definition: ofMails })
  const row = testRow(start, { occurredAt, receivedAt: now, raw })
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
  if (outcome.result === 'closed') throw closedError(environment)
  const told = messages.map(({ id, stepId, status, statusReason }) => ({
    messageId: formatId('message', id),
    stepId,
    status,
    statusReason,
  }))
  return { messageIds: told.map(({ messageId }) => messageId), messages: told, ...tellDoubts(result.doubts) }
}

async function defaultsOf(live: Taken['live'], { id }: Environment): Promise<UserDefaults> {
  return (await live.load(id)).defaults
}

/** A user with an id has the stored profile; given fields go before. */
async function findUserScope(
  { users, live }: TriesHolding,
  environment: Environment,
  user: SampleUser | undefined,
  event: SampleEvent | undefined,
): Promise<UserScope> {
  const id = user?.id ?? event?.userId
  const stored = id === undefined ? undefined : await users.find(environment.id, id)
  return toUserScope(await defaultsOf(live, environment), { ...stored, ...user }, event)
}

function toUserScope(defaults: UserDefaults, user: SampleUser | undefined, event: SampleEvent | undefined): UserScope {
  const given = { ...EMPTY_PROFILE, ...user }
  const profile = {
    email: given.email ?? null,
    name: given.name ?? null,
    locale: given.locale ?? null,
    timeZone: given.timeZone ?? null,
    attributes: given.attributes ?? {},
    externalIds: {},
  }
  return userScopeOf(user?.id ?? event?.userId ?? PREVIEW_USER, withDefaults(profile, defaults))
}

function toEventScope(
  clock: Clock,
  campaign: CompiledCampaign,
  userId: string,
  event: SampleEvent | undefined,
): EventScope {
  return {
    name: event?.name ?? campaign.definition.trigger.event,
    userId,
    properties: event?.properties ?? {},
    occurredAt: toIso(event?.occurredAt ?? clock.now()),
  }
}
