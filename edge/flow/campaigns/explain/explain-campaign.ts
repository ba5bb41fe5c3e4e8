// Explains why a user would get the messages of a campaign, or not: the engine's own dry run for this user, in sentences.

import { CHANNELS, type Channel } from '../../../../contract/delivery.ts'
import type {
  ExplainedStep,
  ExplainInput,
  ExplanationAnswer,
  Remedy,
} from '../../../../contract/resources/campaign-explanation.ts'
import type { CompiledCampaign, EventScope, RunStart } from '../../../campaign/compiled.ts'
import type { Doubtful, DryRunResult, Evaluator } from '../../../campaign/evaluator.ts'
import { scopeOf } from '../../../campaign/run-state.ts'
import { formatOperands, inputsOf } from '../../../campaign/trace.ts'
import type { Core } from '../../../domain/core.ts'
import type { Environment } from '../../../domain/environment.ts'
import { ERASED_USER_ID, type TraceStep } from '../../../domain/tracked-event.ts'
import type { HoldingUsers } from '../../../domain/user.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { toIso } from '../../../lib/clock.ts'
import { parseId } from '../../../lib/id.ts'
import { tellDoubts } from '../../doubts/tell-doubts.ts'
import { compileTried, type TriedDeps } from '../compile-tried.ts'
import { refusing } from '../refusing.ts'
import { listDoubts } from './doubts.ts'
import { type KnownCampaign, type KnownDeps, readKnown } from './read-known.ts'
import { type KnownSends, tellSend } from './sends.ts'
import { type Told, tellStep, valuesOf } from './sentences.ts'

/** Writes and sends nothing. Throws as a dry run does, and `event/not-found`. */
export type ExplainCampaign = (
  environment: Environment,
  campaignId: string,
  input: ExplainInput,
) => Promise<ExplanationAnswer>

type Taken = TriedDeps & KnownDeps & Pick<Core, 'events' | 'clock'> & { evaluator: Pick<Evaluator, 'dryRun'> }

export function createExplainCampaign(deps: Taken): ExplainCampaign {
  return async (environment, campaignId, input) => {
    const campaign = await compileTried(deps, environment.id, campaignId, input.definition)
    return deps.users.holding((users) => explain({ ...deps, users }, environment, campaign, input))
  }
}

async function explain(
  deps: Omit<Taken, 'users'> & { users: HoldingUsers },
  environment: Environment,
  campaign: CompiledCampaign,
  input: ExplainInput,
): Promise<ExplanationAnswer> {
  const { event, isOthers } = await findEvent(deps, environment.id, campaign, input)
  const known = await readKnown(deps, environment, campaign, input.userId)
  const start: RunStart = { ...known.start, eventId: 0, event, correlationId: '', isTest: false }
  const told = listDoubts({ ...known, campaign, isOthers })
  const wanted = campaign.definition.trigger.event
  if (event.name !== wanted) {
    const reason = `the trigger is on ${wanted}, not on ${event.name}`
    const remedy = { kind: 'trigger', path: 'trigger.event' } as const
    return { matched: false, reason, sentence: `No run begins: ${reason}.`, remedy, steps: [], doubts: told }
  }
  const result = await refusing('steps', () => deps.evaluator.dryRun(start, { ignoresTrigger: false }))
  const doubts = [...told, ...(tellDoubts(result.doubts).doubts ?? []).map(({ kind, message }) => ({ kind, message }))]
  if ('mismatch' in result) {
    const reason = result.mismatch
    const { where } = campaign
    const values = where === null ? '' : valuesOf(formatOperands([where], scopeOf(start)))
    const remedy = { kind: 'condition', path: 'trigger.where' } as const
    return { matched: false, reason, sentence: `No run begins: ${reason}${values}.`, remedy, steps: [], doubts }
  }
  const sentence = `${event.name} begins a run for ${known.sends.who}.`
  return { matched: true, reason: result.run.stateReason, sentence, steps: tellSteps(known.sends, result), doubts }
}

async function findEvent(
  { events, clock }: Pick<Taken, 'events' | 'clock'>,
  environmentId: number,
  campaign: CompiledCampaign,
  { userId, event, eventId }: ExplainInput,
): Promise<{ event: EventScope; isOthers: boolean }> {
  if (eventId === undefined) {
    const { name = campaign.definition.trigger.event, properties = {}, occurredAt = clock.now() } = event ?? {}
    return { event: { name, userId, properties, occurredAt: toIso(occurredAt) }, isOthers: false }
  }
  const id = parseId('event', eventId)
  const found = id === undefined ? undefined : await events.find(environmentId, id)
  if (found === undefined) throw new ApiError('event/not-found')
  const { name, properties, occurredAt, topic } = found
  const recipients = found.userIds ?? [found.userId ?? ERASED_USER_ID]
  const isOthers = topic === null && !recipients.includes(userId)
  return { event: { name, userId, properties, occurredAt: toIso(occurredAt) }, isOthers }
}

type Ran = Exclude<DryRunResult & Doubtful, { mismatch: string }>

function tellSteps(sends: KnownCampaign['sends'], { run, trace, messages }: Ran): ExplainedStep[] {
  const titles = new Map(
    messages.map(({ stepId, snapshot }) => [stepId, (JSON.parse(snapshot) as { title?: string }).title ?? null]),
  )
  const known: KnownSends = { ...sends, startedAt: run.startedAt, titleOf: (stepId) => titles.get(stepId) ?? null }
  let endedBy: Told | undefined
  return trace.map((step) => {
    const told = endedBy === undefined ? tell(step, known) : notReached(endedBy)
    if (told.ends === true) endedBy = told
    return toExplained(step, told)
  })
}

function tell(step: TraceStep, known: KnownSends): Told {
  const channel = CHANNELS.find((one): one is Channel => one === step.type)
  return channel === undefined ? tellStep(step, known) : tellSend(step, channel, known)
}

/** The engine records what it would have sent with the same reason. */
const notReached = ({ reason = '' }: Told): Told => ({
  sentence: 'Not reached: the run ends before.',
  ...{ outcome: 'skipped', reason },
})

function toExplained(step: TraceStep, { sentence, remedy, outcome, reason }: Told): ExplainedStep {
  return {
    stepId: step.stepId,
    type: step.type,
    outcome: outcome ?? step.outcome,
    reason: reason ?? step.reason,
    at: toIso(step.at),
    sentence,
    ...(remedy !== undefined && { remedy: remedy satisfies Remedy }),
    inputs: inputsOf(step),
  }
}
