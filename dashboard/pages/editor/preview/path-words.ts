// Says what each step of a dry run does, with the values that it read.

import type { DryRunAnswer } from '../../../../contract/resources/campaign-trial.ts'
import { type Draft, type DraftStep, walkSteps } from '../../../editor/step-tree.ts'
import { durationWords } from '../../../lib/duration-words.ts'
import { formatTime } from '../../../lib/format.ts'

export type TriedStep = DryRunAnswer['steps'][number]

export interface ReadValue {
  name: string
  /** As JSON; undefined: the event or user has none. */
  value: string | undefined
}

export interface PathStep {
  stepId: string
  text: string
  read: ReadValue[]
  /** Whether the step does what it is for: a message is sent, a way is taken. */
  isDone: boolean
}

/** @returns one sentence for each step that the run comes to, in its order */
export function pathWords(steps: readonly TriedStep[], draft: Draft): PathStep[] {
  const written = new Map(walkSteps(draft).map(({ step }) => [step.id, step]))
  return steps.map((step) => ({
    stepId: step.stepId,
    text: sentenceOf(step, written.get(step.stepId) ?? {}),
    read: valuesRead(step.inputs),
    isDone: step.outcome !== 'skipped' && step.outcome !== 'failed' && step.outcome !== 'not-taken',
  }))
}

/** @returns what a condition read, in the order of the condition, and what it did not find */
export function valuesRead(inputs: Readonly<Record<string, unknown>>): ReadValue[] {
  const { read, missing } = inputs
  const found = typeof read === 'object' && read !== null ? Object.entries(read) : []
  const absent = Array.isArray(missing) ? missing.map(String) : []
  return [
    ...found.map(([name, value]) => ({ name, value: JSON.stringify(value) })),
    ...absent.map((name) => ({ name, value: undefined })),
  ]
}

const MESSAGES: Readonly<Record<string, { sent: string; unsent: string }>> = {
  inbox: { sent: 'A message comes into the inbox', unsent: 'No message in the inbox' },
  email: { sent: 'A mail is sent', unsent: 'No mail' },
}

function sentenceOf({ type, outcome, reason, inputs }: TriedStep, step: DraftStep): string {
  const because = reason === null ? '' : `: ${readable(reason)}`
  const message = MESSAGES[type]
  if (outcome === 'failed') return `It fails${because}.`
  if (message !== undefined) return outcome === 'done' ? `${message.sent}${because}.` : `${message.unsent}${because}.`
  if (outcome === 'skipped' && type !== 'enrich') return `It is left out${because}.`
  switch (type) {
    case 'delay':
      return `${waitWords(step, inputs)}.`
    case 'waitFor':
      return `It waits at most ${durationOf(step.timeout)} for ${String(step.event)}. Here it does not come.`
    case 'digest':
      return `It gathers events for ${durationOf(step.window)}. Here it has this one alone.`
    case 'throttle':
      return `It lets ${String(step.limit)} pass in ${durationOf(step.window)}. Here the run passes.`
    case 'enrich':
      return `The enricher ${String(step.enricher)} is not called here: its data is empty.`
    case 'branch':
      return outcome === 'taken' ? branchWords(reason) : `No way is taken${because}.`
    case 'exit':
      return `The run ends here${because}.`
    default:
      return `${outcome}${because}.`
  }
}

const durationOf = (duration: unknown): string => durationWords(String(duration ?? ''))

function waitWords(step: DraftStep, { until }: TriedStep['inputs']): string {
  const at = typeof until === 'string' ? `, until ${formatTime(until)}` : ''
  if (typeof step.for === 'string') return `The run waits ${durationWords(step.for)}${at}`
  if (step.untilQuietHoursEnd === true) return `The run waits for the end of the user’s quiet hours${at}`
  return `The run waits${at}`
}

/** @param reason such as "big: the condition holds; small: there is no such property" */
function branchWords(reason: string | null): string {
  const [, key = '', why = '', faults = ''] = /^([^:]*): ([^;]*)(?:; (.*))?$/s.exec(reason ?? '') ?? []
  if (key === '') return 'A way is taken.'
  const because = WHY_TAKEN[why] ?? why
  return `It takes the way “${key}”: ${because}.${faults === '' ? '' : ` Conditions in error: ${faults}.`}`
}

const WHY_TAKEN: Readonly<Record<string, string>> = {
  'the condition holds': 'its condition holds',
  'by weight': 'by its share, which is the same for this user each time',
  else: 'no condition holds',
}

/** Times of the service are in UTC; people read their own. */
const readable = (reason: string): string =>
  reason.replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, (iso) => formatTime(iso)).replace(/[.\s]+$/, '')
