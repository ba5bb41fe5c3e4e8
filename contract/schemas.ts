// Declares the schemas of the JSON bodies that the edge answers; its routes document them.
// Types stand in `api.ts` as well, because the widget's package ships them and a customer's compiler has no zod:
// a schema whose output differs from its type does not compile.

import { z } from 'zod'
import type {
  Appearance,
  AuthAnswer,
  AuthUser,
  ChannelSwitches,
  FunnelAnswer,
  FunnelStep,
  InboxChange,
  InboxChanges,
  InboxFilter,
  InboxHead,
  InboxMessage,
  InboxPage,
  InboxPreferences,
  MessageContent,
  MessagePatch,
  Page,
  RegisterAnswer,
  RegisterResult,
} from './api.ts'
import {
  ACTION_STYLES,
  byChannel,
  type CHANNEL_ROWS,
  CHANNELS,
  FUNNEL_STEPS,
  PRIORITIES,
  REGISTERED_EVENT_TYPES,
  WINDOWS,
} from './delivery.ts'

/** The same type without intersections and interfaces, so that two of them can be compared. */
type Flat<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T
type Same<A, B> =
  (<X>() => X extends Flat<A> ? 1 : 2) extends <X>() => X extends Flat<B> ? 1 : 2 ? unknown : 'differs from its type'

/** @returns A function that returns its schema, and does not compile unless the output of the schema is exactly T. */
function schemaOf<T>() {
  return <S extends z.ZodType>(schema: S & Same<z.output<S>, T>): S => schema
}

const integer = z.number().int()
const instant = z.iso.datetime()
const instantOrNull = instant.nullable()
const textOrNull = z.string().nullable()

/** Accepts any JSON object: the guard of parsed bodies has checked it already. */
export function jsonObject<T extends object>() {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  return z.custom<T>(isObject, 'A JSON object.').meta({ type: 'object', additionalProperties: true })
}

/** @returns The schema of a page of these items. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), nextCursor: textOrNull })
}
schemaOf<Page<string>>()(pageOf(z.string()))

export const inboxHead = schemaOf<InboxHead>()(
  z
    .object({
      epoch: z.string(),
      seq: integer,
      unread: integer.meta({ description: 'The badge: messages with a dot that were never rendered.' }),
      unopened: integer.meta({ description: 'Messages with a dot.' }),
    })
    .meta({ id: 'Inbox' }),
)

export const messageContent = schemaOf<MessageContent>()(
  z.object({
    title: z.string(),
    body: z.string(),
    bodyFormat: z.enum(['text', 'markdown']),
    link: textOrNull,
    actions: z.array(z.object({ label: z.string(), link: textOrNull, style: z.enum(ACTION_STYLES) })),
    category: textOrNull,
    entity: textOrNull,
    icon: textOrNull,
    imageUrl: textOrNull,
    priority: z.enum(PRIORITIES),
    data: jsonObject<Record<string, unknown>>(),
  }),
)

const patchFields = {
  unopened: z.boolean(),
  readAt: instantOrNull,
  openedAt: instantOrNull,
  clickedAt: instantOrNull,
  archivedAt: instantOrNull,
  snoozedUntil: instantOrNull,
}
const messagePatch = schemaOf<MessagePatch>()(z.object(patchFields).partial())

export const inboxMessage = schemaOf<InboxMessage>()(
  z
    .object({
      id: z.string(),
      seq: integer.meta({ description: 'The seq of its creation.' }),
      ...messageContent.shape,
      createdAt: instant,
      expiresAt: instantOrNull,
      ...patchFields,
    })
    .meta({ id: 'InboxMessage' }),
)

const inboxChange = schemaOf<InboxChange>()(
  z.union([
    z.object({ seq: integer, op: z.literal('add'), message: inboxMessage }),
    z.object({ seq: integer, op: z.literal('update'), id: z.string(), patch: messagePatch }),
    z.object({ seq: integer, op: z.literal('remove'), id: z.string() }),
  ]),
)

export const inboxChanges = schemaOf<InboxChanges>()(
  z
    .object({
      ...inboxHead.shape,
      changes: z.array(inboxChange),
      reset: z.boolean().meta({ description: 'If true, read the pages again; there are no changes.' }),
    })
    .meta({ id: 'InboxChanges' }),
)

export const inboxFilter = schemaOf<InboxFilter>()(z.enum(['all', 'unopened', 'archived', 'snoozed']))

export const inboxPage = schemaOf<InboxPage>()(z.object({ ...pageOf(inboxMessage).shape, inbox: inboxHead }))

const authUser = schemaOf<AuthUser>()(
  z.object({
    userId: z.string(),
    email: z.string().optional(),
    name: z.string().optional(),
    locale: z.string().optional(),
  }),
)

const pluralForms = z.partialRecord(z.enum(['zero', 'one', 'two', 'few', 'many', 'other']), z.string())
const appearance = schemaOf<Appearance>()(
  z.object({
    theme: z.enum(['auto', 'light', 'dark']),
    accentColor: textOrNull.meta({ example: '#0a5fff' }),
    texts: z
      .record(z.string(), z.union([z.string(), pluralForms]))
      .meta({ description: "Texts of the user's locale; each a text or its plural forms." }),
  }),
)

export const authAnswer = schemaOf<AuthAnswer>()(
  z
    .object({
      sessionToken: z.string(),
      expiresAt: instant,
      expiresIn: integer.meta({ description: 'Seconds from the receipt of this answer.' }),
      user: authUser,
      environment: z.object({ id: z.string(), name: z.string(), isProduction: z.boolean() }),
      realtime: z.object({ url: z.string(), path: z.string() }),
      inbox: inboxHead,
      appearance: appearance.nullable().meta({ description: 'Used by the element where its page sets nothing.' }),
    })
    .meta({ id: 'UsersAuthAnswer' }),
)

type SwitchOf<Row> = Row extends { needsAddress: true } ? z.ZodOptional<z.ZodBoolean> : z.ZodBoolean
type SwitchShape = { [Row in (typeof CHANNEL_ROWS)[number] as Row['channel']]: SwitchOf<Row> }
const switches = byChannel(({ needsAddress }) =>
  needsAddress
    ? z.boolean().optional().meta({ description: 'Present only if the environment can send on this channel.' })
    : z.boolean(),
)
export const channelSwitches = schemaOf<ChannelSwitches>()(z.object(switches as SwitchShape))

/** A time of day. */
export const clockTime = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
  .meta({ description: 'HH:MM', example: '22:00' })

export const inboxPreferences = schemaOf<InboxPreferences>()(
  z
    .object({
      categories: z.array(
        z.object({
          key: z.string(),
          name: z.string(),
          critical: z.boolean().meta({ description: 'Always sent, whatever the preferences are.' }),
          channels: channelSwitches,
        }),
      ),
      quietHours: z.object({ start: clockTime, end: clockTime, timeZone: z.string() }).nullable(),
    })
    .meta({ id: 'Preferences' }),
)

export const registeredEventType = z.enum(REGISTERED_EVENT_TYPES)

export const registerResult = schemaOf<RegisterResult>()(
  z.union([
    z.object({ messageId: z.string(), eventType: registeredEventType, recorded: z.boolean() }),
    z.object({ messageId: z.string(), code: z.string() }),
  ]),
)

export const registerAnswer = schemaOf<RegisterAnswer>()(
  z.object({ results: z.array(registerResult), inbox: inboxHead }),
)

export const funnelStep = schemaOf<FunnelStep>()(
  z
    .object({ step: z.enum(FUNNEL_STEPS), count: integer, percentOfPrevious: z.number().nullable() })
    .meta({ id: 'FunnelStep' }),
)

export const funnelAnswer = schemaOf<FunnelAnswer>()(
  z
    .object({
      window: z.enum(WINDOWS),
      channel: z.enum(CHANNELS),
      steps: z.array(funnelStep),
      branches: z.array(z.object({ version: integer, branch: textOrNull, steps: z.array(funnelStep) })).optional(),
    })
    .meta({ id: 'Funnel' }),
)
