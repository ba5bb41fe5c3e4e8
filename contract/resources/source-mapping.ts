// Describes a mapping of a source: how deliveries of one type become tracked events. Paths are dotted, from the item.

import { z } from 'zod'
import { findEventNameFault } from '../event-name.ts'
import { EXTERNAL_SYSTEM, isUserId, USER_ID_RULE } from '../user-id.ts'
import { BESIDE_FAULTS, closed, textOf } from './fields.ts'

const MAX_MAPPINGS = 200
/** Each is compiled when it is saved. */
const MAX_CONDITIONS = 50
const MAX_CONDITION_CHARS = 1024
const MAX_TYPE_CHARS = 256
const MAX_USER_PATHS = 10
const MAX_TRAITS = 50
const MAX_ATTRIBUTES = 50
const MAX_SYSTEMS = 20
const MAX_NAME_CHARS = 128
const MAX_PATH_CHARS = 256

const PATH = /^[^.\p{Cc}\p{Cs}]+(\.[^.\p{Cc}\p{Cs}]+)*$/u
const PATH_RULE = 'A path of names joined by dots, such as data.object.customer.'
const WORD = /^[^\p{Cc}\p{Cs}]+$/u
const ATTRIBUTE = new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${MAX_NAME_CHARS}}$`, 'u')
const EVENT_RULE = 'words of letters and digits, joined by one of . _ : / - or a space, without nc. in front.'
const TRAIT_RULE = `A name of 1 to ${MAX_NAME_CHARS} characters.`
const USER_PATH_RULE = `One path, or a list of 1 to ${MAX_USER_PATHS}. ${PATH_RULE}`
const USER_PATH =
  "Dotted, from the item, or a list of which the first that holds an id counts; `external:stripe:<path>` looks up by external id; null: the platform's own."

const path = textOf(MAX_PATH_CHARS, (text) => (isPath(text) ? undefined : PATH_RULE))

/** @returns paths by name, of which there are some at most */
function pathsBy(names: RegExp, most: number) {
  return z
    .record(z.string(), path)
    .superRefine((paths, context) => {
      const given = Object.keys(paths)
      const fault = (message: string) => context.addIssue({ code: 'custom', message })
      if (given.length > most) fault(`At most ${most} names.`)
      for (const name of given.slice(0, most)) {
        if (!names.test(name)) fault(`${JSON.stringify(name.slice(0, MAX_NAME_CHARS))} is no name here.`)
      }
    }, BESIDE_FAULTS)
    .meta({ maxProperties: most })
}

const sourceIdentify = closed(
  {
    name: path.optional(),
    email: path.optional(),
    locale: path.optional(),
    timeZone: path.optional(),
    attributes: pathsBy(ATTRIBUTE, MAX_ATTRIBUTES).optional(),
    externalIds: pathsBy(EXTERNAL_SYSTEM, MAX_SYSTEMS).optional(),
  },
  'identify has no such field.',
).meta({ id: 'SourceIdentify', description: 'Paths of what goes to the profile of the user.' })

/** What a mapping does beside naming an event. */
const actions = {
  drop: z.boolean().optional().meta({ description: 'Leaves the items out: they are counted as dropped.' }),
  where: textOf(MAX_CONDITION_CHARS).optional().meta({
    example: 'event.properties.total > 100',
    description: 'A condition on `event` and `user.id`; items for which it does not hold are dropped.',
  }),
  identify: sourceIdentify.optional(),
  joinTopic: textOf(MAX_PATH_CHARS, (text) => (isUserId(text) ? undefined : USER_ID_RULE))
    .optional()
    .meta({ description: 'The topic that the user joins.' }),
}

export const sourceMapping = z
  .object({
    providerEvent: z.string().meta({ description: "The platform's type; `*`: every type without its own mapping." }),
    event: z.string().nullable().meta({ description: "The event's name; null: the platform's name of it." }),
    userIdPath: z
      .union([z.string(), z.array(z.string())])
      .nullable()
      .meta({ description: USER_PATH }),
    propertiesPath: z
      .string()
      .nullable()
      .meta({ description: "The properties; empty: the whole item; null: the platform's own." }),
    traits: z.array(z.string()).optional().meta({
      description: 'Traits that `identify` writes to the profile, beside name, e-mail, locale and time zone.',
    }),
    ...actions,
  })
  .meta({ id: 'SourceMapping' })

const event = z.string().superRefine((name, context) => {
  const fault = findEventNameFault(name)
  if (fault === undefined) return
  const message = `This is no name of an event (${fault.reason}): ${EVENT_RULE}`
  context.addIssue({ code: 'custom', message, params: { position: fault.position } })
})
const userPath = z.string().refine(isUserPath, USER_PATH_RULE).meta({ maxLength: MAX_PATH_CHARS })
const userPaths = z.array(userPath).min(1, USER_PATH_RULE).max(MAX_USER_PATHS, USER_PATH_RULE)
const propertiesPath = z
  .string()
  .refine((text) => text === '' || (text.trim() !== '' && isPath(text)), PATH_RULE)
  .meta({ maxLength: MAX_PATH_CHARS })
const trait = z
  .string(TRAIT_RULE)
  .refine((name) => name.length <= MAX_NAME_CHARS && WORD.test(name), TRAIT_RULE)
  .meta({ maxLength: MAX_NAME_CHARS })

/** A pattern would be the name of no type. */
function findTypeFault(text: string): string | undefined {
  if (text !== '*' && text.includes('*')) return 'A type, or * alone for every type without its own mapping.'
  return WORD.test(text) ? undefined : 'No control characters.'
}

const newMapping = closed(
  {
    providerEvent: textOf(MAX_TYPE_CHARS, findTypeFault),
    event: event.nullable().default(null),
    userIdPath: z
      .union([userPath, userPaths], USER_PATH_RULE)
      .nullable()
      .default(null)
      .meta({ description: USER_PATH }),
    propertiesPath: propertiesPath.nullable().default(null),
    traits: z.array(trait).max(MAX_TRAITS, `At most ${MAX_TRAITS} items.`).optional(),
    ...actions,
  },
  'A mapping has no such field.',
)
  .meta({ id: 'SourceMappingBody' })
  .transform((mapping) => {
    // It is the same as none, also to what compares mappings.
    if (mapping.drop === false) delete mapping.drop
    return mapping
  })

export const newMappings = z
  .array(newMapping)
  .max(MAX_MAPPINGS, `At most ${MAX_MAPPINGS} items.`)
  .superRefine(
    (mappings: readonly unknown[], context) => {
      const fault = (message: string, path: (string | number)[] = []) => {
        context.addIssue({ code: 'custom', message, path })
      }
      const filters = mappings.filter((mapping) => (fieldOf(mapping, 'where') ?? undefined) !== undefined)
      if (filters.length > MAX_CONDITIONS) fault(`At most ${MAX_CONDITIONS} have a condition.`)
      const seen = new Set<unknown>()
      for (const [at, mapping] of mappings.entries()) {
        const type = fieldOf(mapping, 'providerEvent')
        if (typeof type !== 'string' || type.trim() === '') continue
        if (seen.has(type)) fault('Another mapping has this type.', [at, 'providerEvent'])
        seen.add(type)
      }
    },
    // Their faults are told together with those of single mappings.
    { when: ({ value }) => Array.isArray(value) },
  )

/** Whether a text is a path into an item. */
export function isPath(text: string): boolean {
  return text.length <= MAX_PATH_CHARS && PATH.test(text)
}

/** Whether a text is a path to a user: of a look-up, `external:`, a system, and a path inside the item. */
function isUserPath(text: string): boolean {
  if (!isPath(text) || !text.startsWith('external:')) return isPath(text)
  const [, system = '', ...rest] = text.split(':')
  return EXTERNAL_SYSTEM.test(system) && rest.join(':') !== ''
}

/** Of a mapping that may be faulty. */
const fieldOf = (mapping: unknown, key: 'providerEvent' | 'where'): unknown =>
  typeof mapping === 'object' && mapping !== null ? Reflect.get(mapping, key) : undefined

export type SourceIdentify = z.output<typeof sourceIdentify>
export type SourceMapping = z.output<typeof sourceMapping>
