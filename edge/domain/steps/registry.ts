// All step types: how each is read and compiled. A new type is a file beside this one, a line in PARSERS and a case below.

import type { Step } from '../campaign.ts'
import { compileBranchStep, type ParseSteps, parseBranchStep } from './branch.ts'
import type { CompiledStep } from './compiled.ts'
import { compileDelayStep, parseDelayStep } from './delay.ts'
import { compileDigestStep, parseDigestStep } from './digest.ts'
import { compileEmailStep, parseEmailStep } from './email.ts'
import { compileEnrichStep, parseEnrichStep } from './enrich.ts'
import { compileExitStep, parseExitStep } from './exit.ts'
import { compileInboxStep, parseInboxStep } from './inbox.ts'
import { KEY_GRAMMAR, KEY_RULE, MAX_KEY_CHARS } from './key.ts'
import type { Reader } from './reader.ts'
import { compileThrottleStep, parseThrottleStep } from './throttle.ts'
import { compileWaitForStep, parseWaitForStep } from './wait-for.ts'

/** What is known of the campaign when a step is read: all that stands before it. */
interface Known {
  ids: Set<string>
  inboxSteps: Set<string>
  /** Then conditions may read of `awaited`. */
  hasWaitFor: boolean
}
type ParseStep = (reader: Reader, id: string, parseSteps: ParseSteps, known: Known) => Step

const PARSERS: Record<Step['type'], ParseStep> = {
  inbox: parseInboxStep,
  email: (reader, id, _, { inboxSteps }) => parseEmailStep(reader, id, inboxSteps),
  branch: parseBranchStep,
  delay: parseDelayStep,
  enrich: parseEnrichStep,
  waitFor: parseWaitForStep,
  exit: parseExitStep,
  throttle: parseThrottleStep,
  digest: parseDigestStep,
}

const MAX_STEPS = 200
const MAX_DEPTH = 8

function isStepType(type: string): type is Step['type'] {
  return Object.hasOwn(PARSERS, type)
}

/** A function that reads a list of steps with all steps below it; ids are unique and steps counted over the whole campaign. */
export function createParseSteps(): ParseSteps {
  const known: Known = { ids: new Set(), inboxSteps: new Set(), hasWaitFor: false }
  let count = 0
  const atDepth =
    (depth: number): ParseSteps =>
    (reader, key) => {
      if (depth > MAX_DEPTH) {
        reader.fault(key, `Branches nest at most ${MAX_DEPTH} levels deep.`)
        return []
      }
      return (reader.objects(key, MAX_STEPS) ?? []).flatMap((step) => {
        if (++count === MAX_STEPS + 1) step.fault('id', `A campaign has at most ${MAX_STEPS} steps.`)
        return count > MAX_STEPS ? [] : parseStep(step, known, atDepth(depth + 1))
      })
    }
  return atDepth(1)
}

function parseStep(reader: Reader, known: Known, parseSteps: ParseSteps): Step[] {
  const { ids } = known
  const id = reader.text('id', MAX_KEY_CHARS) ?? ''
  if (id !== '' && !KEY_GRAMMAR.test(id)) reader.fault('id', KEY_RULE)
  if (id !== '' && ids.has(id)) reader.fault('id', 'Another step of this campaign has that id.')
  ids.add(id)
  const type = reader.text('type', MAX_KEY_CHARS)
  if (type === undefined) return []
  if (isStepType(type)) {
    known.hasWaitFor ||= type === 'waitFor'
    const step = PARSERS[type](reader, id, parseSteps, known)
    if (step.type === 'inbox') known.inboxSteps.add(id)
    return [step]
  }
  reader.fault('type', `Unknown step type; it must be one of ${Object.keys(PARSERS).join(', ')}.`)
  return []
}

/** The steps of a checked definition, ready to run. Throws when a stored one has a fault after all. */
export function compileSteps(steps: Step[], category: string | null): CompiledStep[] {
  return steps.map((step) => compileStep(step, category))
}

function compileStep(step: Step, category: string | null): CompiledStep {
  switch (step.type) {
    case 'inbox':
      return compileInboxStep(step, category)
    case 'email':
      return compileEmailStep(step)
    case 'branch':
      return compileBranchStep(step, (below) => compileSteps(below, category))
    case 'delay':
      return compileDelayStep(step)
    case 'enrich':
      return compileEnrichStep(step)
    case 'waitFor':
      return compileWaitForStep(step, (below) => compileSteps(below, category))
    case 'exit':
      return compileExitStep(step)
    case 'throttle':
      return compileThrottleStep(step)
    case 'digest':
      return compileDigestStep(step)
  }
}

/** True when any of the steps reads of the user more than the id. */
export function stepsReadProfile(steps: CompiledStep[]): boolean {
  return steps.some(stepReadsProfile)
}

function stepReadsProfile(step: CompiledStep): boolean {
  switch (step.type) {
    case 'inbox':
      return step.content.readsProfile || step.collapseKey?.readsProfile === true
    // The address.
    case 'email':
      return true
    case 'branch':
      return step.branches.some((branch) => branch.when?.readsProfile === true || stepsReadProfile(branch.steps))
    case 'delay':
      return step.until?.readsProfile === true || step.untilQuietHoursEnd
    // The endpoint is told of the user.
    case 'enrich':
      return true
    case 'waitFor':
      return step.where?.readsProfile === true || stepsReadProfile(step.whenCame) || stepsReadProfile(step.whenOver)
    case 'digest':
      return step.key?.readsProfile === true
    case 'exit':
    case 'throttle':
      return false
  }
}
