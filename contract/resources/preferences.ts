// Describes what a user prefers: channels of categories, and quiet hours.

import { z } from 'zod'
import { CHANNELS } from '../delivery.ts'
import { MAX_KEY_CHARS } from '../key.ts'
import { atLeastOne, textOf } from './fields.ts'

const MAX_ENTRIES = 1000
const MAX_ZONE_CHARS = 64
const TIME_RULE = 'This must be a time of day from 00:00 to 23:59, such as 22:00.'

const time = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, TIME_RULE)
  .meta({ description: 'HH:MM', example: '22:00' })
/** Null is the same as absent: it stays. */
const wanted = z.boolean().nullish()
const channels = z.object(Object.fromEntries(CHANNELS.map((channel) => [channel, wanted])))

const categories = z
  .array(z.object({ key: textOf(MAX_KEY_CHARS), channels }))
  .max(MAX_ENTRIES, `At most ${MAX_ENTRIES} items.`)
  .superRefine((entries, context) => {
    const seen = new Set<unknown>()
    for (const [at, entry] of entries.entries()) {
      const key: unknown = (entry as { key?: unknown } | null)?.key
      if (typeof key !== 'string') continue
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [at, 'key'], message: 'Another entry has this key.' })
      seen.add(key)
    }
  })

const quietHours = z
  .object({
    start: time,
    end: time,
    /** Whether it is one, the server tells. */
    timeZone: textOf(MAX_ZONE_CHARS).nullish().meta({ format: 'time-zone', example: 'Europe/London' }),
  })
  .superRefine(({ start, end }, context) => {
    if (start !== end) return
    context.addIssue({ code: 'custom', path: ['end'], message: 'This must be another time than start.' })
  })

export const preferencesChange = z
  .object({ categories: categories.nullish(), quietHours: quietHours.nullish() })
  .superRefine((given, context) => {
    if (given.categories != null || given.quietHours !== undefined) return
    context.addIssue({ code: 'custom', path: [], message: 'Give categories, quietHours or both.' })
  })
  .meta({
    id: 'PreferencesChange',
    description: 'Absent fields stay unchanged; `quietHours: null` removes the quiet hours.',
    ...atLeastOne('categories', 'quietHours'),
  })

export type PreferencesInput = z.output<typeof preferencesChange>
