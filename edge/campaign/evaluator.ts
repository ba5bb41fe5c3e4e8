// Evaluates campaigns for flows: matches triggers, begins and continues runs, previews. Synchronous, without a store.

import type { MessageContent } from '../../contract/api.ts'
import type { ErrorDetail } from '../../contract/errors.ts'
import type { Arrival } from '../domain/run/arrival.ts'
import type {
  CompiledCampaign,
  EventScope,
  MessageDefaults,
  NotYet,
  ResumeReason,
  RunDeps,
  RunStart,
  Suspended,
} from './compiled.ts'
import { type CampaignDefinition, parseDefinition } from './definition.ts'
import { refusingEvaluations } from './expression/budget.ts'
import { type ConditionScope, mustCompileCondition, type Verdict } from './expression/condition.ts'
import { enterStep, type NotedDoubt, takeDoubts } from './expression/noted-doubts.ts'
import type { TemplateScope } from './expression/template.ts'
import { findLinkFaults } from './link-faults.ts'
import { type Continued, createContinueRun, createDryRun, createRunCampaign, type RunResult } from './run.ts'
import { findStep } from './walk.ts'

/** The trigger's verdict, null without a condition, and the run where it holds. */
export interface Begun extends Doubtful {
  verdict: Verdict | null
  result: Omit<RunResult, 'trace'> | null
  /** Processor time in a sandbox (ms); absent without one. */
  tookMs?: number
}

/** Has what the expressions of a live run found doubtful; absent when that is nothing. */
export interface Doubtful {
  doubts?: NotedDoubt[]
}

/** With `mismatch`: the reason why the trigger does not match. */
export type DryRunResult = { mismatch: string } | Omit<RunResult, 'gates' | 'wait'>

/** The name of a campaign's trigger among its steps, which have no space in their ids. */
export const TRIGGER = 'the trigger'

/** A result, or its promise where it comes from a sandbox. */
export type Later<T> = T | Promise<T>

export interface Evaluator {
  /** Matches an event with the trigger, and runs the campaign where it holds. */
  begin(start: RunStart): Later<Begun>
  continueRun(suspended: Suspended, reason: ResumeReason): Later<Continued & Doubtful>
  /** Returns whether arrivals end the wait of a `waitFor`. */
  judge(suspended: Suspended, arrivals: Arrival[]): Later<(ResumeReason | NotYet) & Doubtful>
  /** Runs from the first step to the end; every wait ends at once. */
  dryRun(start: RunStart, options: { ignoresTrigger: boolean }): Later<DryRunResult & Doubtful>
  /** Renders the message of a step that makes one. @throws TemplateError */
  preview(
    environmentId: number,
    campaign: CompiledCampaign,
    stepId: string,
    scope: TemplateScope,
    defaults: MessageDefaults,
  ): Later<MessageContent & Doubtful>
  /** Checks a definition as it is written. @throws `campaign/invalid-definition` with all faults */
  check(environmentId: number, definition: unknown): Later<CampaignDefinition>
  /** @returns the faults of its links. @throws `campaign/invalid-definition` for one that takes too long to check */
  findLinkFaults(environmentId: number, definition: object, schemes: readonly string[]): Later<ErrorDetail[]>
  /** Returns the verdict of a condition for each scope. @throws for a condition with a fault */
  holds(environmentId: number, condition: string, scopes: HeldScope[]): Later<Verdict[]>
}

/** The data of a condition, with the size of its event and its state as JSON. */
export type HeldScope = ConditionScope & { event: EventScope; chars: number }

/** The same without waiting. */
export type LocalEvaluator = {
  [Name in keyof Evaluator]: (...args: Parameters<Evaluator[Name]>) => Awaited<ReturnType<Evaluator[Name]>>
}

export function createLocalEvaluator(deps: RunDeps): LocalEvaluator {
  const runCampaign = createRunCampaign(deps)
  const continueRun = createContinueRun(deps)
  const dryRun = createDryRun(deps)
  const match = ({ campaign, event, user, again }: RunStart): Verdict | null => {
    if (again !== undefined) return null
    const evaluate = () => campaign.where?.evaluate({ event, user, enriched: {} }) ?? null
    if (campaign.where === null) return null
    deps.onStep?.(TRIGGER)
    enterStep(TRIGGER)
    return deps.refused?.has(TRIGGER) ? refusingEvaluations(evaluate) : evaluate()
  }
  const begin = (start: RunStart): Begun => {
    const verdict = match(start)
    if (verdict?.holds === false) return { verdict, result: null }
    const { run, messages, gates, wait } = runCampaign(start)
    return { verdict, result: { run, messages, gates, wait } }
  }
  return {
    begin: (start) => gatherDoubts(() => begin(start)),
    continueRun: (suspended, reason) => gatherDoubts(() => continueRun(suspended, reason)),
    judge(suspended, arrivals) {
      const { stepId } = suspended.wait
      const end = findStep(suspended.start.campaign.steps, stepId)?.endsBy
      if (end?.by !== 'event') throw new Error(`step waits for no event: ${stepId}`)
      deps.onStep?.(stepId)
      enterStep(stepId)
      const judge = () => end.judge(suspended, arrivals, deps.clock.now())
      return gatherDoubts(() => (deps.refused?.has(stepId) ? refusingEvaluations(judge) : judge()))
    },
    dryRun: (start, { ignoresTrigger }) =>
      gatherDoubts(() => {
        const verdict = ignoresTrigger ? null : match(start)
        return verdict?.holds === false ? { mismatch: verdict.reason } : dryRun(start)
      }),
    preview(_environmentId, campaign, stepId, scope, defaults) {
      const render = findStep(campaign.steps, stepId)?.preview
      if (render === undefined) throw new Error(`step makes no message: ${stepId}`)
      deps.onStep?.(stepId)
      enterStep(stepId)
      const preview = () => render(scope, defaults)
      return gatherDoubts(() => (deps.refused?.has(stepId) ? refusingEvaluations(preview) : preview()))
    },
    check: (_environmentId, definition) => parseDefinition(definition),
    findLinkFaults: (_environmentId, definition, schemes) => findLinkFaults(definition, schemes),
    holds(_environmentId, condition, scopes) {
      const { evaluate } = mustCompileCondition(condition)
      deps.onStep?.(TRIGGER)
      const all = () => scopes.map((scope) => evaluate(scope))
      return deps.refused?.has(TRIGGER) ? refusingEvaluations(all) : all()
    },
  }
}

/** Adds what the evaluation finds doubtful to its result. What trials before it found is nobody's. */
function gatherDoubts<T extends object>(evaluate: () => T): T & Doubtful {
  takeDoubts()
  const result = evaluate()
  const doubts = takeDoubts()
  return doubts === undefined ? result : { ...result, doubts }
}
