// Defines the counts of a campaign's steps, and derives those of a run from its state and trace.

import { CHANNELS, type MessageStatus } from '../../../contract/delivery.ts'
import type { RunStatus, TraceStep } from '../tracked-event.ts'

/**
 * `run`: runs by state (`name`), in the hour of their start; `step` is ''. The others of a step: `outcome` by outcome,
 * in the hour in which the run reached it; `unreached`: those of runs that had ended before; `way`: by branch taken; `reason`:
 * why runs were held back or failed, and messages of steps that send. `waiting`: what waits now, of a step or of all ('').
 */
export type StepCountKind = 'run' | 'outcome' | 'unreached' | 'way' | 'reason' | 'waiting'

/** A sum of one kind. */
export interface StepCount {
  stepId: string
  kind: StepCountKind
  /** '' where the kind has no names. */
  name: string
  count: number
}

/** What a run counts: its state, and the last entry of each step of its trace. */
export interface CountedRun {
  state: RunStatus
  /** Epoch ms. */
  startedAt: number
  /** JSON text of TraceStep[]. */
  trace: string
}

/** Adds to a count. `at`: epoch ms; null for what waits now. */
export type AddStepCount = (at: number | null, stepId: string, kind: StepCountKind, name: string) => void

/** A step that was run again counts once, as it ended at last. */
export function countRun({ state, startedAt, trace }: CountedRun, add: AddStepCount): void {
  countState(state, startedAt, add)
  const entries = JSON.parse(trace) as TraceStep[]
  const later = entries.length > 1 ? new Set<string>() : undefined
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index] as TraceStep
    if (entry.stepId === '' || later?.has(entry.stepId)) continue
    later?.add(entry.stepId)
    countStep(entry, state, add)
  }
}

/** Counts a run by its state. */
export function countState(state: RunStatus, startedAt: number, add: AddStepCount): void {
  add(startedAt, '', 'run', state)
  if (state === 'waiting') add(null, '', 'waiting', '')
}

/** What an entry of a trace counts. */
export type CountedStep = Pick<TraceStep, 'stepId' | 'type' | 'outcome' | 'at' | 'code' | 'isUnreached'>

/** Counts the last entry of a step in the trace of a run of this state. */
export function countStep(entry: CountedStep, state: RunStatus, add: AddStepCount): void {
  const { stepId, type, outcome, at, code, isUnreached } = entry
  add(at, stepId, 'outcome', outcome)
  if (isUnreached === true) add(at, stepId, 'unreached', '')
  if (outcome === 'waiting' && state === 'waiting') add(null, stepId, 'waiting', '')
  if (code === undefined || isSend(type)) return
  if (outcome === 'skipped' || outcome === 'failed') add(at, stepId, 'reason', code)
  else if (outcome === 'taken' && isUnreached !== true) add(at, stepId, 'way', code)
}

/** Whether steps of the type send: their type is the channel. */
export const isSend = (type: string) => CHANNELS.some((channel) => channel === type)

/** Statuses of messages that were held back or failed; a bounce has no reason of its own. */
export const UNSENT_STATUSES = ['skipped', 'failed', 'cancelled', 'bounced'] as const satisfies MessageStatus[]

/** @returns why a message was held back or failed; undefined for others */
export function reasonOfMessage(status: MessageStatus, statusReason: string | null): string | undefined {
  return UNSENT_STATUSES.some((unsent) => unsent === status) ? (statusReason ?? status) : undefined
}

/** Counters of hours are kept longer than the longest window. */
const KEPT_HOURS = 31 * 24
const HOUR_MS = 3_600_000

/** @returns the first epoch hour whose counters are kept */
export const firstKeptHour = (now: number) => Math.floor(now / HOUR_MS) - KEPT_HOURS
