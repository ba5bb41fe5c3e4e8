// Builds the zod fields of definitions with faults in plain words. Faults contain `position` where they have one.

import { z } from 'zod'
import { findDurationMs } from '../../../contract/duration.ts'
import { findEventNameFault } from '../../../contract/event-name.ts'
import type { Json } from '../../../contract/json.ts'
import { KEY_GRAMMAR, KEY_RULE, MAX_KEY_CHARS } from '../../../contract/key.ts'
import { VISIBLE } from '../../../contract/visible.ts'
import { compileCondition } from '../expression/condition.ts'
import { compileTemplate, type OutputKind } from '../expression/template.ts'

const TEN_YEARS_MS = 10 * 365 * 24 * 60 * 60 * 1000
const MAX_DATA_DEPTH = 8
const MAX_DATA_VALUES = 500
const EMPTY = 'This must not be empty.'
const DURATION_RULE = 'This must be an ISO 8601 duration above zero and of at most ten years, such as PT10M or P30D.'

export interface ExpressionFault {
  message: string
  position?: number
}

/** An optional field. Null means the same, and is not stored. */
export function optional<T extends z.ZodType>(schema: T): z.ZodOptional<z.ZodNullable<T>> {
  return schema.nullish().overwrite((value) => value ?? undefined)
}

/** Text of 1 to `max` characters, one of them visible. */
export function text(max: number) {
  return z.string().regex(VISIBLE, { error: EMPTY, abort: true }).max(max, `At most ${max} characters.`)
}

/** A key chosen by the customer: of a campaign, step, branch or enricher. */
export function key() {
  return z
    .string()
    .min(1, { error: EMPTY, abort: true })
    .max(MAX_KEY_CHARS, { error: `At most ${MAX_KEY_CHARS} characters.`, abort: true })
    .regex(KEY_GRAMMAR, KEY_RULE)
}

/** The key of a step. */
export function stepKey() {
  return key().describe('Unique in the campaign.')
}

/** Text with Liquid. */
export function template(kind: OutputKind = 'text') {
  return expression(z.string(), (source) => faultOf(compileTemplate(source, kind))).meta({
    format: 'liquid',
    description: 'Liquid template.',
  })
}

/** The address of a link or picture, with Liquid. `link-faults.ts` checks one without. */
export function linkTemplate() {
  return template().meta({ format: 'liquid-link', description: 'Liquid template of an address.' })
}

/** Whether a text has no Liquid, so that it is the same for each event and user. */
export const isConstant = (source: string) => !/\{[{%]/.test(source)

/** Text with Liquid, one of its characters visible. */
export function fullTemplate() {
  return expression(z.string().regex(VISIBLE, { error: EMPTY, abort: true }), (source) =>
    faultOf(compileTemplate(source, 'text')),
  ).meta({ format: 'liquid', description: 'Liquid template.' })
}

/** Text with a CEL condition. */
export function condition(scope = '`event`, `user`, `enriched` and, after a waitFor, `awaited`') {
  return expression(z.string(), (source) => faultOf(compileCondition(source))).meta({
    format: 'cel',
    description: `CEL condition over ${scope}.`,
  })
}

/** An ISO 8601 duration above zero, at most `max` milliseconds; `rule` is the fault of a longer one. */
export function duration(max = TEN_YEARS_MS, rule = DURATION_RULE) {
  return expression(z.string(), (source) => {
    const durationMs = findDurationMs(source)
    if (durationMs === undefined || durationMs <= 0 || durationMs > TEN_YEARS_MS) return { message: DURATION_RULE }
    return durationMs > max ? { message: rule } : undefined
  }).meta({ format: 'duration', description: 'ISO 8601 duration.' })
}

/** An integer from 1 to `max`. */
export function count(max: number) {
  const rule = `This must be a whole number from 1 to ${max}.`
  return z
    .int({ error: ({ input }) => (input == null ? undefined : rule) })
    .min(1, rule)
    .max(max, rule)
}

/** The name of a tracked event. */
export function eventName() {
  return expression(z.string(), (name) => {
    const fault = findEventNameFault(name)
    if (fault === undefined) return undefined
    const { reason, ...place } = fault
    return { message: `This is no event name: ${reason}.`, ...place }
  }).meta({ format: 'event-name', description: 'Words of letters and digits, joined by one of ` . _ : / -`.' })
}

/** JSON whose strings are templates, limited in depth and number; faults have the path of the value. */
export function data() {
  return z
    .custom<Record<string, Json>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
    .superRefine((value, context) => {
      let values = 0
      const check = (one: Json, path: (string | number)[]): void => {
        if (++values > MAX_DATA_VALUES) {
          if (values === MAX_DATA_VALUES + 1) report(path, { message: `data holds at most ${MAX_DATA_VALUES} values.` })
          return
        }
        // The path has one part for each level.
        if (path.length > MAX_DATA_DEPTH) report(path, { message: `data nests at most ${MAX_DATA_DEPTH} levels deep.` })
        else if (typeof one === 'string') report(path, faultOf(compileTemplate(one, 'text')))
        else if (typeof one === 'object' && one !== null) {
          for (const [key, item] of Object.entries(one)) check(item, [...path, Array.isArray(one) ? Number(key) : key])
        }
      }
      const report = (path: (string | number)[], fault: ExpressionFault | undefined) => {
        if (fault !== undefined) context.addIssue({ code: 'custom', path, ...toIssue(fault) })
      }
      for (const [key, one] of Object.entries(value)) check(one, [key])
    })
    .meta({ type: 'object', additionalProperties: true, description: 'JSON; the strings in it are Liquid templates.' })
}

function expression<T extends z.ZodString>(schema: T, findFault: (source: string) => ExpressionFault | undefined): T {
  return schema.superRefine((source, context) => {
    const fault = findFault(source)
    if (fault !== undefined) context.addIssue({ code: 'custom', ...toIssue(fault) })
  })
}

function toIssue({ message, position }: ExpressionFault) {
  return position === undefined ? { message } : { message, params: { position } }
}

function faultOf(compiled: { fault: ExpressionFault } | object): ExpressionFault | undefined {
  return 'fault' in compiled ? compiled.fault : undefined
}

const LONGEST_WINDOW_MS = 365 * 24 * 60 * 60 * 1000

/** The window of time in which a step counts or gathers events. */
export function window() {
  return duration(LONGEST_WINDOW_MS, 'A window is of at most 365 days.')
}

/** Longest wait of a run in one step. */
export const MAX_WAIT_MS = 366 * 24 * 60 * 60 * 1000
export const WAIT_RULE = 'A run waits at most a year (P366D).'

/** The duration that a run may wait. */
export function span() {
  return duration(MAX_WAIT_MS, WAIT_RULE)
}
