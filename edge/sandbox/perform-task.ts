// Performs the tasks of a sandbox: compiles what was sent once, and evaluates it by the code that evaluates plain campaigns.

import type { Json } from '../../contract/json.ts'
import { compileCampaign } from '../campaign/compile.ts'
import type { CompiledCampaign, RunDeps, RunStart, Suspended } from '../campaign/compiled.ts'
import { createLocalEvaluator, type HeldScope } from '../campaign/evaluator.ts'
import { createSendPolicy } from '../campaign/send-policy.ts'
import { findTextFaults } from '../campaign/text-faults.ts'
import { createCache } from '../lib/cache.ts'
import { withLazyJson } from '../lib/lazy-json.ts'
import type { PerformTask } from './serve-tasks.ts'
import type { SentCampaign, SentScope, SentStart, SentSuspended, SentTask, TaskName, Tasks } from './tasks.ts'

/** Of the compiled campaigns, in characters of their definitions. */
const MAX_KEPT_CHARS = 2 * 1024 * 1024
/** Processor time of a run in one go; then it waits, and continues by a claim. */
const MAX_RUN_MS = 300

/** What is done to mails. */
export interface MailTasks {
  /** Composes a mail with marks in place of its signed links. */
  compose(input: Tasks['compose']['input']): Promise<Tasks['compose']['output']>
  findLayoutFault(input: Tasks['check-layout']['input']): Tasks['check-layout']['output']
}

export function createPerformTask({ compose, findLayoutFault }: MailTasks): PerformTask {
  const compiled = createCache<string, CompiledCampaign>({ maxSize: MAX_KEPT_CHARS, sizeOf: (_, key) => key.length })

  function openCampaign({ campaign, version, written: { definition, texts } }: SentCampaign): CompiledCampaign {
    const key = `${campaign.id} ${version} ${definition} ${texts}`
    const open = () => ({ definition: JSON.parse(definition), ...(texts !== null && { texts: JSON.parse(texts) }) })
    const known = compiled.get(key) ?? compileCampaign({ campaign, version, ...open() })
    compiled.set(key, known)
    return { ...known, campaign }
  }

  function openStart({ campaign, policy, event, ...start }: SentStart): RunStart {
    const { categories, rules, timeZone } = policy
    return {
      ...start,
      event: openProperties(event),
      campaign: openCampaign(campaign),
      policy: createSendPolicy(categories, rules, timeZone),
    }
  }

  const openSuspended = ({ start, ...rest }: SentSuspended): Suspended => ({ ...rest, start: openStart(start) })

  return function perform(task, onStep) {
    const usedMs = measureProcessor()
    const evaluator = createLocalEvaluator(openDeps(task, onStep, usedMs))
    if (is(task, 'begin')) return { ...evaluator.begin(openStart(task.input.start)), tookMs: usedMs() }
    if (is(task, 'continue')) return evaluator.continueRun(openSuspended(task.input.suspended), task.input.reason)
    if (is(task, 'judge'))
      return evaluator.judge(openSuspended(task.input.suspended), task.input.arrivals.map(openProperties))
    if (is(task, 'check')) return evaluator.check(0, task.input.definition)
    if (is(task, 'find-links')) return evaluator.findLinkFaults(0, task.input.definition, task.input.schemes)
    if (is(task, 'holds')) return evaluator.holds(0, task.input.condition, task.input.scopes.map(openScope))
    if (is(task, 'dry-run')) return evaluator.dryRun(openStart(task.input.start), task.input)
    if (is(task, 'preview')) {
      const { campaign, stepId, scope, defaults } = task.input
      return evaluator.preview(0, openCampaign(campaign), stepId, scope, defaults)
    }
    if (is(task, 'check-texts')) return findTextFaults(task.input)
    if (is(task, 'check-layout')) return findLayoutFault(task.input)
    if (is(task, 'compose')) return compose(task.input)
    throw new Error(`task unknown: ${task.does}`)
  }
}

function openProperties<T extends { properties: string }>(sent: T): T & { properties: Record<string, Json> } {
  return withLazyJson<T, 'properties', Record<string, Json>>(sent, 'properties', sent.properties)
}

const openScope = ({ event, ...rest }: SentScope): HeldScope => ({ ...rest, event: openProperties(event) })

function is<Name extends TaskName>(task: SentTask, name: Name): task is SentTask<Name> {
  return task.does === name
}

/** Ids of messages are numbers from 1, which the caller replaces. All times but durations are the caller's: waits end as if no time passed here. */
function openDeps(task: SentTask, onStep: (stepId: string) => void, usedMs: () => number): RunDeps {
  let messages = 0
  let begun = performance.now()
  return {
    clock: { now: () => task.now },
    ids: { run: { next: () => ('runId' in task.input ? task.input.runId : 0) }, message: { next: () => ++messages } },
    refused: new Set(task.refused),
    onStep(stepId) {
      begun = performance.now()
      onStep(stepId)
    },
    takeStepMs() {
      const [from, to] = [begun, performance.now()]
      begun = to
      return Math.round(to - from)
    },
    isOverTime: () => usedMs() > MAX_RUN_MS,
  }
}

/** @returns what tells the processor time since now (ms) */
function measureProcessor(): () => number {
  const begun = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1000
  }
}
