// Describes what the service learned of tracked events: their names, and the paths and types of their properties.

import { z } from 'zod'
import { cursorParam, limitParam } from './page.ts'

const instant = z.iso.datetime()
const integer = z.number().int()

const nameFields = {
  name: z.string(),
  count: integer.meta({ description: 'Events since `firstAt`; a kill loses those of its last seconds.' }),
  firstAt: instant.meta({ description: 'Since when events of the name are counted.' }),
  lastAt: instant,
}

export const eventName = z.object(nameFields).meta({ id: 'EventName' })
export type EventNameAnswer = z.output<typeof eventName>

export const eventNamesQuery = z.object({
  q: z
    .string()
    .min(1)
    .max(128)
    // SQLite ends a pattern there, which would match everything.
    .refine((text) => !text.includes('\0'), 'No name has this character.')
    .optional()
    .meta({ description: 'A part of the name, in any case.' }),
  limit: limitParam,
  cursor: cursorParam,
})

const typeCount = integer.optional()

export const eventProperties = z
  .object({
    ...nameFields,
    events: integer.meta({ description: 'Sampled events: those of `count` whose properties were read.' }),
    isCut: z.boolean().meta({ description: 'Whether paths were left out, because there are more than 200.' }),
    paths: z.array(
      z.object({
        path: z.string().meta({
          description:
            'Below `event.properties`, such as `items[].sku`, `balances.*` (keys that are ids) or `["odd key"]`.',
          example: 'items[].sku',
        }),
        types: z
          .object({
            string: typeCount,
            number: typeCount,
            boolean: typeCount,
            null: typeCount,
            object: typeCount,
            array: typeCount,
          })
          .meta({ description: 'In how many sampled events it had a value of each type.' }),
        missing: integer.meta({ description: 'Sampled events without it.' }),
        examples: z
          .array(z.union([z.string(), z.number(), z.boolean()]))
          .meta({ description: 'Up to 5 short values of the newest events, without secrets.' }),
        lastAt: instant.meta({ description: 'Of the last sampled event that had it.' }),
      }),
    ),
  })
  .meta({ id: 'EventProperties' })
export type EventPropertiesAnswer = z.output<typeof eventProperties>
