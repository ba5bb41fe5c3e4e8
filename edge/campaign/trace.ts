// Writes a run's trace: the outcome of each step and the inputs of its decision, limited in size and without secrets.

import type { Json } from '../../contract/json.ts'
import { isSend } from '../domain/delivery/step-counts.ts'
import type { TraceInputs, TraceStep } from '../domain/tracked-event.ts'
import { scrubKeys } from '../lib/log.ts'
import type { CompiledStep, RunState } from './compiled.ts'
import type { Condition } from './expression/condition.ts'

/** Characters of one value; of the inputs of a step; of the inputs of a whole run. */
const VALUE_CHARS = 200
const STEP_CHARS = 2000
export const RUN_CHARS = 16_384
const MAX_ENTRIES = 20
const MAX_DEPTH = 4
/** No secret is shorter, so shorter texts are not searched. */
const SECRET_CHARS = 16
const SECRET_NAME = /pass(word|wd|phrase)|secret|token|api[-_]?key|authorization|credential|cookie|^(cvv|cvc|pin|otp)$/i
const REDACTED = '[redacted]'

/** Whether values under this name are secrets. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name)

/**
 * Returns a value for the trace: long texts and lists are cut, and values whose name or form is that of a secret are
 * removed.
 */
export function formatValue(value: unknown, name = ''): Json {
  const left = { chars: VALUE_CHARS }
  return copy(value, name, left, 0)
}

function copy(value: unknown, name: string, left: { chars: number }, depth: number): Json {
  if (isSecretName(name)) return REDACTED
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
  // Not by `Object.entries`: it reads all fields of an object with thousands of them.
  for (const key in value) {
    const field = value[key as keyof typeof value] as unknown
    if (left.chars <= 0 || count++ === MAX_ENTRIES) return { ...fields, '…': true }
    left.chars -= key.length
    fields[key.slice(0, VALUE_CHARS)] = copy(field, key, left, depth + 1)
  }
  return fields
}

function copyText(text: string, left: { chars: number }): string {
  const most = Math.max(0, left.chars)
  // Scrubbed before it is cut, because half a secret would not be recognised.
  const clean = text.length < SECRET_CHARS ? text : scrubKeys(text.slice(0, 2 * VALUE_CHARS))
  left.chars -= Math.min(clean.length, most) + 2
  return clean.length <= most && text.length <= 2 * VALUE_CHARS ? clean : `${clean.slice(0, most)}…`
}

/** Returns the paths that conditions read, each with its value, and the missing ones. */
export function formatOperands(conditions: readonly Condition[], scope: object): TraceInputs {
  const read: Record<string, Json> = {}
  const missing: string[] = []
  let chars = 0
  let isCut = false
  const seen = new Set<string>()
  for (const { name: whole, path } of conditions.flatMap(({ operands }) => operands)) {
    if (seen.has(whole)) continue
    seen.add(whole)
    const name = whole.slice(0, VALUE_CHARS)
    const value = findAt(scope, path)
    if (chars > STEP_CHARS - 2 * VALUE_CHARS) {
      isCut = true
      break
    }
    chars += name.length + VALUE_CHARS / 4
    if (value === undefined) missing.push(name)
    else {
      read[name] = formatValue(value, path.at(-1))
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

/** Estimates the JSON length without formatting; the whole trace is formatted once. */
function charsOf(value: Json | undefined): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'object' || value === null) return 8
  let chars = 2
  if (Array.isArray(value)) for (const item of value) chars += charsOf(item)
  else for (const key in value) chars += key.length + 4 + charsOf(value[key])
  return chars
}

/** Cuts `inputs` to the limits of a step and of its run. `before`: characters of the run's inputs so far. */
export function boundInputs(inputs: TraceInputs, before: number): { inputs: TraceInputs; chars: number } {
  const chars = charsOf(inputs)
  if (chars <= STEP_CHARS && before + chars <= RUN_CHARS) return { inputs, chars: before + chars }
  return { inputs: { cut: true }, chars: before + 12 }
}

/** Adds the outcome of a step; `at` is when the step began (epoch ms). */
export function addTrace(
  run: RunState,
  step: Pick<CompiledStep, 'id' | 'type'>,
  outcome: TraceStep['outcome'],
  reason: string | null,
  at: number,
  inputs?: TraceInputs,
  code?: string,
): void {
  const durationMs = run.deps.takeStepMs?.() ?? run.deps.clock.now() - at
  const entry: TraceStep = { stepId: step.id, type: step.type, outcome, reason, at, durationMs }
  if (inputs !== undefined) entry.inputs = bound(run, inputs)
  if (code !== undefined) entry.code = code
  if (run.isOver) entry.isUnreached = true
  run.trace.push(entry)
}

/** Completes the entry of a step that waited with its outcome, its duration and its result. */
export function settleTrace(
  run: RunState,
  step: Pick<CompiledStep, 'id' | 'type'>,
  outcome: TraceStep['outcome'],
  reason?: string,
  inputs?: TraceInputs,
  code?: string,
): void {
  const at = run.deps.clock.now()
  const entry = findWaiting(run, step.id)
  if (entry === undefined) {
    addTrace(run, step, outcome, reason ?? null, at, inputs, code)
    return
  }
  if (code !== undefined) entry.code = code
  entry.outcome = outcome
  entry.reason = reason ?? entry.reason
  entry.durationMs = at - entry.at
  if (inputs !== undefined) entry.inputs = { ...entry.inputs, ...bound(run, inputs) }
}

/** Returns the entry of a step that still waits. */
export function findWaiting(run: RunState, stepId: string): TraceStep | undefined {
  return run.trace.findLast((one) => one.stepId === stepId && one.outcome === 'waiting')
}

function bound(run: RunState, inputs: TraceInputs): TraceInputs {
  const bounded = boundInputs(inputs, run.inputChars)
  run.inputChars = bounded.chars
  return bounded.inputs
}

/** Returns the inputs to store. Those of a sent message follow from its outcome and are not stored. */
export function inputsOf(step: { type: string; outcome: string; inputs?: TraceInputs }): TraceInputs {
  return step.inputs ?? (isSend(step.type) && step.outcome === 'done' ? { verdict: 'send' } : {})
}

const KEPT_ARRIVALS = 3

/** Returns the inputs of a wait with the last few events that it checked, and their number. */
export function withArrivals(inputs: TraceInputs = {}, checked: readonly Json[] = []): TraceInputs {
  const before = Array.isArray(inputs.arrived) ? inputs.arrived : []
  const arrivals = Number(inputs.arrivals ?? 0) + checked.length
  return { ...inputs, arrivals, arrived: [...before, ...checked].slice(-KEPT_ARRIVALS) }
}

/** Counts the characters of the inputs of a stored trace. */
export function countInputChars(trace: readonly { inputs?: TraceInputs }[]): number {
  return trace.reduce((sum, { inputs }) => sum + (inputs === undefined ? 0 : charsOf(inputs)), 0)
}
