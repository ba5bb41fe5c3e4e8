// Says in few words what a step does, and which runs take a way.

import { durationWords } from '../lib/duration-words.ts'
import { type Flow, type FlowStep, type FlowWay, waysBelow } from './tree.ts'

/** Types whose runs stand still. */
const WAITING: readonly string[] = ['delay', 'waitFor', 'digest']

export const isWaiting = ({ type }: FlowStep): boolean => WAITING.includes(type)

export const sends = ({ type }: FlowStep): boolean => type === 'inbox' || type === 'email'

const KINDS: Readonly<Record<string, readonly [icon: string, name: string]>> = {
  inbox: ['inbox', 'Inbox'],
  email: ['mail', 'Email'],
  delay: ['clock', 'Wait'],
  waitFor: ['hourglass', 'Wait for an event'],
  digest: ['stack', 'Digest'],
  throttle: ['filter', 'Throttle'],
  enrich: ['plug', 'Data'],
  branch: ['branch', 'Branch'],
  exit: ['flag', 'Exit'],
}

/** @returns The icon and the name of a type of step. */
export const kindOf = ({ type }: Pick<FlowStep, 'type'>): readonly [icon: string, name: string] =>
  KINDS[type] ?? ['circle', type]

/** @returns What the step says or does. */
export function stepWords(step: FlowStep): string {
  const { id, type, written } = step
  const ways = waysBelow(step)
  const text = (key: string) => (typeof written[key] === 'string' ? (written[key] as string) : '')
  switch (type) {
    case 'inbox':
      return templateWords(text('title'))
    case 'email':
      return templateWords(text('subject'))
    case 'delay':
      if (written.untilQuietHoursEnd === true) return 'Wait until the quiet hours end'
      return text('for') === '' ? `Wait until ${templateWords(text('until'))}` : `Wait ${durationWords(text('for'))}`
    case 'waitFor':
      return `Wait for ${text('event')}, at most ${durationWords(text('timeout'))}`
    case 'digest':
      return `Gather events for ${durationWords(text('window'))}`
    case 'throttle':
      return `Let ${written.limit} pass in ${durationWords(text('window'))}`
    case 'enrich':
      return `Ask ${text('enricher')} for data`
    case 'branch': {
      const conditions = ways.filter((way) => typeof way.written.when === 'string')
      const [only] = conditions
      const isQuestion = only !== undefined && ways.length === 2
      return isQuestion ? `If ${conditionWords(String(only.written.when))}` : `Take one of ${ways.length} ways`
    }
    case 'exit':
      return text('reason') === '' ? 'End the run' : `End: ${text('reason')}`
    default:
      return id
  }
}

/** @returns Which runs take the way. */
export function wayWords({ type, ways, written: step }: FlowStep, { key, written }: FlowWay): string {
  if (type === 'waitFor') return key === 'taken' ? `${step.event} comes` : 'It does not come'
  if (typeof written.when === 'string') return `If ${conditionWords(written.when)}`
  if (typeof written.weight !== 'number') return 'Otherwise'
  const sum = ways.reduce((total, way) => total + (typeof way.written.weight === 'number' ? way.written.weight : 0), 0)
  return `${key}: ${Math.round((written.weight / Math.max(sum, Number.MIN_VALUE)) * 100)} % of users`
}

export const triggerWords = ({ event, where }: Flow): string =>
  where === undefined ? event : `${event}, if ${conditionWords(where)}`

/** @returns The text of a Liquid template with the names of its values, such as "Order {orderId} is on its way". */
export const templateWords = (source: string): string =>
  source
    .replace(/\{%.*?(?:%\}|$)/gs, '')
    .replace(/\{\{-?(.*?)(?:-?\}\}|$)/gs, (_, expression: string) => `{${nameOf(expression)}}`)
    .replace(/\s+/g, ' ')
    .trim()

/** The last name of a path, without filters. */
const nameOf = (expression: string): string => (expression.split('|')[0] ?? '').trim().split('.').at(-1) ?? ''

const OPERATORS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:event|awaited)\.properties\./g, ''],
  [/\buser\.attributes\./g, 'user.'],
  [/\s*==\s*/g, ' is '],
  [/\s*!=\s*/g, ' is not '],
  [/\s*&&\s*/g, ' and '],
  [/\s*\|\|\s*/g, ' or '],
  [/\s*>=\s*/g, ' ≥ '],
  [/\s*<=\s*/g, ' ≤ '],
]

/** @returns A CEL condition in words where it is simple, such as "total > 100"; texts in quotes stay as they are. */
export function conditionWords(source: string): string {
  const parts = source.split(/("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/)
  const words = parts.map((part, at) =>
    at % 2 === 1 ? part : OPERATORS.reduce((text, [pattern, word]) => text.replace(pattern, word), part),
  )
  return words.join('').replace(/\s+/g, ' ').trim()
}
