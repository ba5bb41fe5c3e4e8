// Says in a sentence what a step of a run would do and why, with what changes it. Messages have a file of their own.

import type { Json } from '../../../../contract/json.ts'
import type { Remedy } from '../../../../contract/resources/campaign-explanation.ts'
import type { StoredStep } from '../../../domain/campaign.ts'
import type { OpenWindows } from '../../../domain/run/gate-windows.ts'
import type { TraceInputs, TraceStep } from '../../../domain/tracked-event.ts'
import { saySpan, sayTime } from '../../../lib/say-time.ts'

/** What is known of the user and the environment. */
export interface Known {
  /** The name of the user, or the id. */
  who: string
  timeZone: string | null
  /** When the run would begin (epoch ms). */
  startedAt: number
  steps: ReadonlyMap<string, StoredStep>
  windows: OpenWindows
  /** The version that the run would have. */
  version: number
  enrichers: ReadonlySet<string>
}

/** `ends`: the run ends there, although the engine took the step as passed. */
export interface Told {
  sentence: string
  remedy?: Remedy
  outcome?: TraceStep['outcome']
  reason?: string
  ends?: true
}

export const fail = ({ stepId, reason }: TraceStep): Told => ({
  sentence: `Would fail: ${(reason ?? '').replace(/^render-error: /, '')}`,
  remedy: { kind: 'step', stepId },
})

type Tell = (step: TraceStep, known: Known) => Told

/** By type; another one is told by its outcome. */
const TELLERS: Readonly<Record<string, Tell>> = {
  branch: ({ outcome, reason, inputs }) => {
    if (outcome === 'not-taken') return { sentence: `Would take no branch: ${without(reason)}${valuesOf(inputs)}.` }
    const [, key = '', why = ''] = /^([^:]*): ([\s\S]*)$/.exec(reason ?? '') ?? []
    return { sentence: `Would take the branch ${key}: ${without(why)}${valuesOf(inputs)}.` }
  },
  delay: (step, { timeZone }) => {
    const until = instantOf(step.inputs?.until)
    if (step.outcome === 'failed' || until === undefined) return fail(step)
    if (until <= step.at) return { sentence: `Would not wait: ${sayTime(until, timeZone)} is over.` }
    return { sentence: `Would wait ${saySpan(until - step.at)}, until ${sayTime(until, timeZone)}.` }
  },
  waitFor: ({ at, inputs }) => {
    const until = instantOf(inputs?.until) ?? at
    const event = String(inputs?.event ?? 'an event')
    return { sentence: `Would wait up to ${saySpan(until - at)} for ${event}. Here it does not come.` }
  },
  digest: tellDigest,
  throttle: tellThrottle,
  enrich: ({ stepId, outcome, reason, inputs }, { enrichers }) => {
    const enricher = String(inputs?.enricher ?? '')
    if (outcome === 'failed') return fail({ stepId, reason } as TraceStep)
    if (!enrichers.has(enricher)) {
      return {
        sentence: `Would fail: there is no enricher ${enricher} in this environment.`,
        remedy: { kind: 'enricher', enricher },
      }
    }
    return { sentence: `Would ask the enricher ${enricher}. Its answer is not known here, so what reads it is empty.` }
  },
  exit: ({ reason }) => ({ sentence: reason === null ? 'Would end here.' : `Would end here: ${without(reason)}.` }),
}

export function tellStep(step: TraceStep, known: Known): Told {
  const tell = TELLERS[step.type]
  if (tell !== undefined) return tell(step, known)
  return step.outcome === 'failed' ? fail(step) : { sentence: `Would be ${step.outcome}.` }
}

function tellDigest(step: TraceStep, { who, steps, windows, version, timeZone }: Known): Told {
  if (step.outcome === 'failed') return fail(step)
  const { inputs = {}, at, stepId } = step
  const open = windows.digests.find(
    (one) => one.stepId === stepId && one.version === version && one.closesAt > at && one.key === inputs.key,
  )
  const max = Number(steps.get(stepId)?.max ?? Number.POSITIVE_INFINITY)
  if (open !== undefined && open.events < max) {
    return {
      sentence: `Would join the digest that began on ${sayTime(open.openedAt, timeZone)}: at its end, on ${sayTime(open.closesAt, timeZone)}, one run goes on for all of its events.`,
      ...{ outcome: 'skipped', reason: 'digested', ends: true },
    }
  }
  return {
    sentence: `Would gather the events of ${who} for ${saySpan(Number(inputs.windowMs ?? 0))}, and go on with all of them.`,
  }
}

function tellThrottle({ stepId, at, inputs = {} }: TraceStep, { windows, timeZone }: Known): Told {
  const limit = Number(inputs.limit)
  const span = saySpan(Number(inputs.windowMs))
  const open = windows.throttles.find((one) => one.stepId === stepId && one.endsAt > at)
  const taken = Math.min(limit, open?.taken ?? 0)
  if (open === undefined || taken < limit)
    return { sentence: `Would pass: ${taken} of ${limit} runs in ${span} are taken.` }
  return {
    sentence: `Would end here: ${taken} of ${limit} runs in ${span} are taken, until ${sayTime(open.endsAt, timeZone)}.`,
    ...{ remedy: { kind: 'step', stepId }, outcome: 'skipped', reason: 'throttled', ends: true },
  }
}

const without = (text: string | null): string => (text ?? '').trim().replace(/\.$/, '')

const MOST_VALUES = 3

/** @returns The values that a decision read, such as ` (event.properties.total is 74)`; empty without any. */
export function valuesOf(inputs: TraceInputs | undefined): string {
  const read = Object.entries(isObject(inputs?.read) ? inputs.read : {})
  const missing = Array.isArray(inputs?.missing) ? inputs.missing : []
  const parts = [
    ...read.map(([path, value]) => `${path} is ${JSON.stringify(value)}`),
    ...missing.map((path) => `${String(path)} is missing`),
  ]
  return parts.length === 0 ? '' : ` (${parts.slice(0, MOST_VALUES).join(', ')})`
}

const isObject = (value: unknown): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function instantOf(value: Json | undefined): number | undefined {
  return typeof value === 'string' ? Date.parse(value) : undefined
}
