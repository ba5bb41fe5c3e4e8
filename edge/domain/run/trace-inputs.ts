// What a step's record says that it was decided from (contract section 3, "trace"): bounded in size, without secrets.

import { scrubKeys } from '../../lib/log.ts'
import type { Condition } from '../expression/condition.ts'
import type { Json } from '../json.ts'

/** By name; `cut: true` where something was left out. */
export type TraceInputs = Record<string, Json>

/** Characters of one value; of what a step tells; of what a run's steps tell together. */
const VALUE_CHARS = 200
const STEP_CHARS = 2000
export const RUN_CHARS = 16_384
const MAX_ENTRIES = 20
const MAX_DEPTH = 4
/** No secret is shorter: short texts need not be searched. */
const SECRET_CHARS = 16
const SECRET_NAME = /pass(word|wd|phrase)|secret|token|api[-_]?key|authorization|credential|cookie|^(cvv|cvc|pin|otp)$/i
const REDACTED = '[redacted]'

/** The value as a trace may keep it: long texts and lists are cut, what looks like a secret by its name or form is gone. */
export function tellValue(value: unknown, name = ''): Json {
  const left = { chars: VALUE_CHARS }
  return copy(value, name, left, 0)
}

function copy(value: unknown, name: string, left: { chars: number }, depth: number): Json {
  if (SECRET_NAME.test(name)) return REDACTED
  if (typeof value === 'string') return copyText(value, left)
  left.chars -= 8
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (typeof value !== 'object') return null
  if (depth === MAX_DEPTH || left.chars <= 0) return '…'
  if (Array.isArray(value)) {
    const items: Json[] = []
    for (const item of value) {
      if (left.chars <= 0 || items.length === MAX_ENTRIES) return [...items, '…']
      items.push(copy(item, '', left, depth + 1))
    }
    return items
  }
  const fields: Record<string, Json> = {}
  let count = 0
  for (const [key, field] of Object.entries(value)) {
    if (left.chars <= 0 || count++ === MAX_ENTRIES) return { ...fields, '…': true }
    left.chars -= key.length
    fields[key.slice(0, VALUE_CHARS)] = copy(field, key, left, depth + 1)
  }
  return fields
}

function copyText(text: string, left: { chars: number }): string {
  const most = Math.max(0, left.chars)
  // Scrubbed before it is cut: half a secret would not be known as one.
  const clean = text.length < SECRET_CHARS ? text : scrubKeys(text.slice(0, 2 * VALUE_CHARS))
  left.chars -= Math.min(clean.length, most) + 2
  return clean.length <= most && text.length <= 2 * VALUE_CHARS ? clean : `${clean.slice(0, most)}…`
}

/** What conditions read of the scope: each path with its value, and those that are not there. */
export function tellOperands(conditions: readonly Condition[], scope: object): TraceInputs {
  const read: Record<string, Json> = {}
  const missing: string[] = []
  let chars = 0
  let isCut = false
  const told = new Set<string>()
  for (const { name: whole, path } of conditions.flatMap(({ operands }) => operands)) {
    if (told.has(whole)) continue
    told.add(whole)
    const name = whole.slice(0, VALUE_CHARS)
    const value = findAt(scope, path)
    if (chars > STEP_CHARS - 2 * VALUE_CHARS) {
      isCut = true
      break
    }
    chars += name.length + VALUE_CHARS / 4
    if (value === undefined) missing.push(name)
    else {
      read[name] = tellValue(value, path.at(-1))
      chars += charsOf(read[name])
    }
  }
  return { read, ...(missing.length > 0 && { missing }), ...(isCut && { cut: true }) }
}

function findAt(scope: object, path: readonly string[]): unknown {
  let at: unknown = scope
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return at
}

/** About as many characters as its JSON has, without making it: that is made once, with the whole trace. */
function charsOf(value: Json | undefined): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'object' || value === null) return 8
  let chars = 2
  if (Array.isArray(value)) for (const item of value) chars += charsOf(item)
  else for (const key in value) chars += key.length + 4 + charsOf(value[key])
  return chars
}

/** `inputs` within what a step, and all steps of its run, may tell. `told`: characters so far. */
export function boundInputs(inputs: TraceInputs, told: number): { inputs: TraceInputs; told: number } {
  const chars = charsOf(inputs)
  if (chars <= STEP_CHARS && told + chars <= RUN_CHARS) return { inputs, told: told + chars }
  return { inputs: { cut: true }, told: told + 12 }
}

/** A message that went out says so by its outcome: what was asked and gave way is not stored with each. */
export function inputsOf(step: { type: string; outcome: string; inputs?: TraceInputs }): TraceInputs {
  return step.inputs ?? (step.type === 'inbox' && step.outcome === 'done' ? { verdict: 'send' } : {})
}

const KEPT_ARRIVALS = 3

/** What a wait for an event has looked at: the last few, and how many there were. */
export function withArrivals(inputs: TraceInputs = {}, looked: readonly Json[] = []): TraceInputs {
  const before = Array.isArray(inputs.arrived) ? inputs.arrived : []
  const arrivals = Number(inputs.arrivals ?? 0) + looked.length
  return { ...inputs, arrivals, arrived: [...before, ...looked].slice(-KEPT_ARRIVALS) }
}

/** Of a trace that is stored. */
export function countTold(trace: readonly { inputs?: TraceInputs }[]): number {
  return trace.reduce((sum, { inputs }) => sum + (inputs === undefined ? 0 : charsOf(inputs)), 0)
}
