// Describes a notification config: categories, the look of the widget, and the look of mails, for several environments.

import { z } from 'zod'
import type { Appearance } from '../api.ts'
import { byChannel } from '../delivery.ts'
import { KEY_GRAMMAR, KEY_RULE, MAX_KEY_CHARS } from '../key.ts'
import { isImageLink, safeLink } from '../link.ts'
import { pageOf } from '../schemas.ts'
import { findSiteFault, SITE_URL } from '../site.ts'
import { LAYOUT_FORMATS, QUIET_CHOICES } from '../tenant.ts'
import { VISIBLE } from '../visible.ts'
import { BESIDE_FAULTS, closed, localeTag, oneLine, textOf, UNKNOWN_FIELD } from './fields.ts'
import { mailWarning } from './mail.ts'

const MAX_NAME_CHARS = 200
const MAX_CATEGORIES = 100
const MAX_SENDERS = 50
const MAX_TEXTS = 200
const MAX_TEXT_CHARS = 500
const MAX_ADDRESS_CHARS = 320
const MAX_SITE_CHARS = 2048
const MAX_LAYOUT_CHARS = 512 * 1024
const CONTENT = /\{\{-?\s*content\s*-?\}\}/
const COLOUR = /^#[0-9A-Fa-f]{6}$/
const PLURAL_FORMS = ['zero', 'one', 'two', 'few', 'many'] as const

const WORDS = {
  texts: 'By locale, then by the name of the text.',
  senders: 'Senders that `from` of a step may name, beside `senderAddress` and those of integrations.',
  logoUrl: 'The picture above mails without a layout: an address, or a path of the site.',
  accentColor: 'Of buttons and links of mails without a layout; null: that of the element.',
  addressLine: 'The postal address below mails without a layout.',
  layout: 'Liquid around each mail, with `{{ content }}` in it.',
  siteUrl: 'The site at which paths in mails begin; null: that of the environment.',
}

const ours = <Shape extends z.ZodRawShape>(shape: Shape) => closed(shape, UNKNOWN_FIELD)

/** A header is one line. */
const line = oneLine(MAX_NAME_CHARS).meta({
  pattern: `^(?=\\P{Cc}*${VISIBLE.source})\\P{Cc}+$`,
})
const orNull = <T>(value: T | null | undefined): T | null => value ?? null
const lineOrNull = line.nullable().optional().transform(orNull)
/** Whether it is one, the server tells. */
const address = textOf(MAX_ADDRESS_CHARS).meta({ format: 'email' })
const addressOrNull = address.nullable().optional().transform(orNull)
const accentColor = z
  .string()
  .regex(COLOUR, 'This must be a colour: #rrggbb.')
  .nullable()
  .optional()
  .transform(orNull)
  .meta({ example: '#3355ff' })

const phrase = textOf(MAX_TEXT_CHARS).meta({ pattern: VISIBLE.source })
const form = phrase.optional()
const plural = closed(
  { zero: form, one: form, two: form, few: form, many: form, other: phrase },
  `This is no plural form: ${PLURAL_FORMS.join(', ')}, other.`,
)
const phrases = z
  .record(z.string(), z.union([phrase, plural]))
  .refine((texts) => Object.keys(texts).length <= MAX_TEXTS, `At most ${MAX_TEXTS} texts.`)
  .meta({ maxProperties: MAX_TEXTS })
const texts = z
  .record(localeTag, phrases)
  .refine((locales) => Object.keys(locales).length <= MAX_TEXTS, `At most ${MAX_TEXTS} locales.`)
  .meta({ propertyNames: { format: 'locale' }, maxProperties: MAX_TEXTS, description: WORDS.texts })

const theme = z.enum(['auto', 'light', 'dark'])
const switches = ours(byChannel(() => z.boolean()))
const quietHours = z
  .enum(QUIET_CHOICES)
  .meta({ description: 'Of mails in the quiet hours of their user: sent at the end (the default), or never.' })
const tracking = ours({ opens: z.boolean().default(true), clicks: z.boolean().default(true) })
const layoutFormat = z.enum(LAYOUT_FORMATS)

const category = ours({
  key: textOf(MAX_KEY_CHARS, (text) => (KEY_GRAMMAR.test(text) ? undefined : KEY_RULE)).meta({
    pattern: KEY_GRAMMAR.source,
  }),
  name: line.optional(),
  critical: z.boolean().default(false),
  channels: switches
    .partial()
    .optional()
    .transform((given) => byChannel(({ channel, defaultOn }) => given?.[channel] ?? defaultOn)),
  quietHours: quietHours.default('delay'),
}).transform(({ name, ...rest }) => ({ ...rest, name: name ?? rest.key }))

const picture = textOf(MAX_SITE_CHARS)
  .transform((text, context) => {
    const link = safeLink(text)
    if (link === null || !isImageLink(link)) context.addIssue('This is no address of a picture.')
    return link
  })
  .nullable()
  .optional()
  .transform(orNull)
  .meta({
    format: 'picture',
    description: WORDS.logoUrl,
  })

/** Absent fields have their defaults. */
export const emailLook = ours({
  senderName: lineOrNull,
  senderAddress: addressOrNull,
  replyTo: addressOrNull,
  senders: z
    .array(ours({ name: lineOrNull, address }))
    .max(MAX_SENDERS, `At most ${MAX_SENDERS} items.`)
    .default(() => [])
    .meta({ description: WORDS.senders }),
  logoUrl: picture,
  accentColor: accentColor.meta({
    description: WORDS.accentColor,
  }),
  addressLine: lineOrNull.meta({ description: WORDS.addressLine }),
  layout: textOf(MAX_LAYOUT_CHARS, (text) =>
    CONTENT.test(text) ? undefined : 'The mail itself is missing: {{ content }}.',
  )
    .meta({ format: 'liquid', pattern: CONTENT.source })
    .nullable()
    .optional()
    .transform(orNull)
    .meta({ description: WORDS.layout }),
  layoutFormat: layoutFormat.default('html'),
  tracking: tracking.default(() => ({ opens: true, clicks: true })),
})

const widgetLook = ours({
  theme: theme.default('auto'),
  accentColor,
  texts: texts.default(() => ({})),
})

export const siteUrl = textOf(MAX_SITE_CHARS, findSiteFault)
  .meta({ format: 'site-url', pattern: SITE_URL.source })
  .nullable()
  .optional()
  .transform(orNull)
  .meta({ description: WORDS.siteUrl })

/** Of an answer that is sent back. */
const answered = z.unknown().optional().meta({ description: 'As it was answered; not read.' })

export const notificationConfigContent = ours({
  name: line,
  categories: z
    .array(category)
    .max(MAX_CATEGORIES, `At most ${MAX_CATEGORIES} items.`)
    .superRefine((categories, context) => {
      // It may be anything, and longer than it may be.
      const keys = Array.isArray(categories) ? categories.slice(0, MAX_CATEGORIES).map((one) => one?.key) : []
      for (const [at, key] of keys.entries()) {
        if (key === undefined || keys.indexOf(key) === at) continue
        context.addIssue({ code: 'custom', path: [at, 'key'], message: 'Another category has this key.' })
      }
    }, BESIDE_FAULTS)
    .default(() => []),
  widget: widgetLook.prefault(() => ({})),
  email: emailLook.prefault(() => ({})),
  siteUrl,
  id: answered,
  revision: answered,
  createdAt: answered,
  updatedAt: answered,
  warnings: answered,
}).meta({ id: 'NotificationConfigContent', description: 'Absent fields get their defaults.' })

export const mailLook = z
  .object({
    email: emailLook.prefault(() => ({})),
    siteUrl,
    locale: localeTag.optional().meta({ description: 'Of the words below the mail.' }),
  })
  .meta({ id: 'LayoutPreviewRequest' })

const channels = z.object(byChannel(() => z.boolean()))
const text = z.string()
const textOrNull = text.nullable()
const fields = {
  id: text,
  name: text,
  categories: z.array(z.object({ key: text, name: text, critical: z.boolean(), channels, quietHours })),
  widget: z.object({
    theme,
    accentColor: textOrNull,
    texts: z
      .record(
        z.string(),
        z.record(z.string(), z.union([text, z.partialRecord(z.enum([...PLURAL_FORMS, 'other']), text)])),
      )
      .meta({ description: WORDS.texts }),
  }),
  email: z.object({
    senderName: textOrNull,
    senderAddress: textOrNull,
    replyTo: textOrNull,
    senders: z.array(z.object({ name: textOrNull, address: text })).meta({ description: WORDS.senders }),
    logoUrl: textOrNull.meta({ description: WORDS.logoUrl }),
    accentColor: textOrNull.meta({ description: WORDS.accentColor }),
    addressLine: textOrNull.meta({ description: WORDS.addressLine }),
    layout: textOrNull.meta({ description: WORDS.layout }),
    layoutFormat,
    tracking: z.object({ opens: z.boolean(), clicks: z.boolean() }),
  }),
  siteUrl: textOrNull.meta({ description: WORDS.siteUrl }),
  revision: z
    .number()
    .int()
    .meta({ description: 'Rises with each change. The ETag is this number in quotes, for `If-Match`.' }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
}
export const notificationConfig = z.object(fields).meta({ id: 'NotificationConfig' })
/** Of its layout; saved all the same. */
export const savedNotificationConfig = notificationConfig
  .extend({ warnings: z.array(mailWarning) })
  .meta({ id: 'SavedNotificationConfig' })
export const notificationConfigPage = pageOf(notificationConfig).meta({ id: 'NotificationConfigPage' })

export type NotificationConfigInput = z.input<typeof notificationConfigContent>
export type NotificationConfigContent = z.output<typeof notificationConfigContent>
type Content = NotificationConfigContent
type WithOptional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>
export type ConfigCategory = WithOptional<Content['categories'][number], 'quietHours'>
export interface WidgetLook extends Omit<Content['widget'], 'texts'> {
  texts: Record<string, Appearance['texts']>
}
/** Tests and defaults name what counts: the rest is as if it were null. */
export type EmailLook = WithOptional<Content['email'], 'senders' | 'logoUrl' | 'accentColor' | 'addressLine'>
export type MailSenderName = Content['email']['senders'][number]
/** What a notification config holds beside its name. */
export interface ConfigContent {
  categories: ConfigCategory[]
  widget: WidgetLook
  email: EmailLook
  siteUrl: string | null
}
export type MailLook = z.output<typeof mailLook>
/** The config on the wire. */
export interface ConfigAnswer extends ConfigContent {
  id: string
  name: string
  revision: number
  createdAt: string
  updatedAt: string
}
