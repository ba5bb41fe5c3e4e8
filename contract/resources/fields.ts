// Describes fields that several resources have, with the words of their faults.

import { z } from 'zod'
import { CHANNELS } from '../delivery.ts'
import { KEY_GRAMMAR, KEY_RULE, MAX_KEY_CHARS } from '../key.ts'

export const keyName = z
  .string()
  .max(MAX_KEY_CHARS, { error: `At most ${MAX_KEY_CHARS} characters.`, abort: true })
  .regex(KEY_GRAMMAR, KEY_RULE)

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
export function oneLine(max: number) {
  return z
    .string()
    .max(max, `At most ${max} characters.`)
    .superRefine((text, context) => {
      const message = text.trim() === '' ? 'This must not be empty.' : 'This must be one line.'
      if (text.trim() === '' || LINE_BREAK.test(text)) context.addIssue({ code: 'custom', message })
    })
    .meta({ minLength: 1 })
}

/** A channel in a query; `nc` is the inbox's name in the widget. */
export const channelParam = z.enum([...CHANNELS, 'nc']).transform((channel) => (channel === 'nc' ? 'inbox' : channel))

/** @returns JSON Schema keywords that require exactly one of the fields. */
export function exactlyOne(...keys: string[]) {
  return { oneOf: keys.map((key) => ({ required: [key] })) }
}
