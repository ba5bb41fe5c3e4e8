// Describes fields that several resources have, with the words of their faults.

import { z } from 'zod'
import { CHANNELS } from '../delivery.ts'
import { findInstant, INSTANT_RULE } from '../instant.ts'
import { KEY_GRAMMAR, KEY_RULE, MAX_KEY_CHARS, NAME, NAME_RULE } from '../key.ts'
import { isLocale, withHyphens } from '../locale.ts'
import { VISIBLE } from '../visible.ts'

export const keyName = z
  .string()
  .max(MAX_KEY_CHARS, { error: `At most ${MAX_KEY_CHARS} characters.`, abort: true })
  .regex(KEY_GRAMMAR, KEY_RULE)

/** A name of an organisation, an environment, and what they own. */
export const nameField = z
  .string()
  .refine((text) => NAME.test(text), NAME_RULE)
  .meta({ minLength: 1, maxLength: 100, pattern: NAME.source })

export const localeTag = z
  .string()
  .refine(isLocale, 'This is no locale such as en or pt-BR.')
  .overwrite(withHyphens)
  .meta({ format: 'locale' })

/** @returns the schema of a text of 1 to `max` characters, one of them visible, in which `findFault` finds no fault: of several the first is told */
export function textOf(max: number, findFault: (text: string) => string | undefined = () => undefined) {
  const faultOf = (text: string) => {
    if (!VISIBLE.test(text)) return 'This must not be empty.'
    return text.length > max ? `At most ${max} characters.` : findFault(text)
  }
  return z
    .string()
    .superRefine((text, context) => {
      const message = faultOf(text)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
    .meta({ minLength: 1, maxLength: max })
}

/** @returns the schema of a text of up to `max` characters in which `findFault` finds no fault */
export function textUpTo(max: number, findFault: (text: string) => string | undefined) {
  return z
    .string()
    .max(max, { abort: true })
    .superRefine((text, context) => {
      const message = findFault(text)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
}

/** The fault of a field that would vanish. */
export const UNKNOWN_FIELD = 'There is no such field here.'

/** @returns the schema of an object without other fields, because they would vanish; `rule` is the fault of each */
export function closed<Shape extends z.ZodRawShape>(shape: Shape, rule: string) {
  return z.strictObject(shape, { error: ({ code }) => (code === 'unrecognized_keys' ? rule : undefined) })
}

/** Lets rules between fields report their faults beside those of the fields, which may be of any type then. */
export const BESIDE_FAULTS = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
}

/** @returns the schema of a whole number within these bounds, both included */
export function wholeNumber(min: number, max: number) {
  const error = `This must be a whole number from ${min} to ${max}.`
  return z.number(error).int(error).min(min, error).max(max, error)
}

/** @returns the schema of a number within these bounds, both included, or null */
export function numberOrNull(min: number, max: number) {
  const error = `This must be a number from ${min} to ${max}, or null.`
  return z.number(error).min(min, error).max(max, error).nullable()
}

const LINE_BREAK = /\p{Cc}|\p{Zl}|\p{Zp}/u

/** @returns the schema of a text of 1 to `max` characters in one line */
export const oneLine = (max: number) =>
  textOf(max, (text) => (LINE_BREAK.test(text) ? 'This must be one line.' : undefined))

/** The numbers that `findInstant` takes: seconds from the year 0 on, milliseconds to the year 9999. */
const UNIX_RANGE = { minimum: -62_167_219_200, maximum: 253_402_300_799_999 }

/** A time of a body. Output: milliseconds since the epoch. */
export const instant = z
  .custom<string | number>((value) => findInstant(value) !== undefined, INSTANT_RULE)
  .transform((value) => findInstant(value) as number)
  .meta({ type: ['string', 'number'], format: 'date-time', ...UNIX_RANGE, example: '2026-01-31T12:00:00.000Z' })

/** No time is written longer. */
const MAX_INSTANT_CHARS = 64

/** A time of a query, where numbers are texts and a `+` that is not escaped is a space. */
export const instantParam = z
  .string()
  .max(MAX_INSTANT_CHARS, INSTANT_RULE)
  .transform((text) => (/^-?\d+$/.test(text) ? Number(text) : text.replace(/(T.*) (\d{2}(?::?\d{2})?)$/i, '$1+$2')))
  .pipe(instant)
  .meta({ type: 'string', format: 'date-time' })

export const instantOrNull = instant
  .nullable()
  .meta({ type: ['string', 'number', 'null'], format: 'date-time', ...UNIX_RANGE })

/** A channel in a query; `nc` is the inbox's name in the widget. */
export const channelParam = z.enum([...CHANNELS, 'nc']).transform((channel) => (channel === 'nc' ? 'inbox' : channel))

/** @returns JSON Schema keywords that require exactly one of the fields. */
export function exactlyOne(...keys: string[]) {
  return { oneOf: keys.map((key) => ({ required: [key] })) }
}

/** @returns JSON Schema keywords that require at least one of the fields. */
export function atLeastOne(...keys: string[]) {
  return { anyOf: keys.map((key) => ({ required: [key] })) }
}
