// Notes what evaluations of customers' expressions find doubtful, until whoever evaluates a run takes it.

import type { DoubtKind } from '../../../contract/doubt.ts'

/** What a step did that cannot have been meant; plain data, as it also comes from sandboxes. */
export interface NotedDoubt {
  kind: DoubtKind
  /** The step that was evaluated, or the trigger. */
  stepId: string
  /** Without values of events and profiles. */
  what: string
  example: string | null
}

/** Of one run: an expression in a loop finds the same thousands of times. */
const MOST_NOTED = 10
const MAX_CHARS = 200

/** Evaluations are synchronous and do not contain each other, so one list is enough. */
let noted: NotedDoubt[] = []
/** By what each was found, in the same order. */
let finders: unknown[] = []
let atStep = ''

/** Tells the step whose expressions are evaluated next. */
export function enterStep(stepId: string): void {
  atStep = stepId
}

/**
 * Notes a doubt. What finds it again in a loop, such as a node of an expression, costs nothing more: `say` is called once
 * for each finder. Its words say the doubt without values; the example may have one.
 */
export function noteDoubt(kind: DoubtKind, finder: unknown, say: () => [what: string, example: string | null]): void {
  if (finders.length === MOST_NOTED) return
  if (finders.some((one, at) => one === finder && noted[at]?.stepId === atStep)) return
  const [what, example] = say()
  finders.push(finder)
  noted.push({ kind, stepId: atStep, what: shorten(what), example: example === null ? null : shorten(example) })
}

/** @returns what was noted since the last call; undefined when that is nothing */
export function takeDoubts(): NotedDoubt[] | undefined {
  if (noted.length === 0) return undefined
  const taken = noted
  noted = []
  finders = []
  return taken
}

/** @returns the text in one line without what a store cannot keep, cut to a few words */
function shorten(text: string): string {
  const line = text.slice(0, 2 * MAX_CHARS).replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
  return line.length <= MAX_CHARS ? line : `${line.slice(0, MAX_CHARS - 1).replace(/\p{Surrogate}$/u, '')}…`
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i
/** Beyond 64 characters a text is no number that anybody writes. */
const isNumeric = (text: string) => text.length <= 64 && NUMBER.test(text)
const isTruth = (text: string) => text.length <= 5 && /^(?:true|false)$/i.test(text)

/** A text, and what it meets. */
export interface ComparedText {
  text: string
  other: 'a number' | 'a boolean'
}

/**
 * @returns the text when a text meets a number or a boolean in a comparison that cannot be meant; undefined otherwise. Any
 * text is doubtful where an order is asked for, and that of a number or boolean where it is not equal to such a value.
 */
export function findComparedText(left: unknown, right: unknown, operator: string): ComparedText | undefined {
  const text = typeof left === 'string' ? left : typeof right === 'string' ? right : undefined
  if (text === undefined) return undefined
  const other = typeof left === 'string' ? right : left
  if (typeof other === 'boolean') return isTruth(text) ? { text, other: 'a boolean' } : undefined
  if (typeof other !== 'number' && typeof other !== 'bigint') return undefined
  return operator === '<' || operator === '>' || operator === '<=' || operator === '>=' || isNumeric(text)
    ? { text, other: 'a number' }
    : undefined
}

/** @returns a number or boolean as it is written; of any other text only what it is */
export function kindOfText(text: string): string {
  return isNumeric(text) || isTruth(text) ? `the text "${text.trim()}"` : `a text of ${text.length} characters`
}

/** Notes that a link was left out, without its query and fragment, which may be about a person. An empty one is meant. */
export function noteDroppedLink(link: string): void {
  if (link.trim() === '') return
  noteDoubt('link-dropped', noteDroppedLink, () => [
    'a link was dropped',
    link.replace(/[?#][\s\S]*$/, '…').slice(0, 80),
  ])
}
