// Parses a notification config: all faults at once, each with its path.

import type { AppearanceText } from '../../../contract/api.ts'
import { byChannel } from '../../../contract/delivery.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import { KEY_GRAMMAR, KEY_RULE, MAX_KEY_CHARS } from '../../../contract/key.ts'
import { isImageLink, safeLink } from '../../../contract/link.ts'
import {
  type ConfigCategory,
  type ConfigContent,
  type EmailLook,
  LAYOUT_FORMATS,
  type LayoutFormat,
  type MailSenderName,
  QUIET_CHOICES,
  type WidgetLook,
} from '../../../contract/tenant.ts'
import type { TemplateFault } from '../../campaign/expression/template.ts'
import { createReader, isRecord, type Reader } from '../../domain/field-reader.ts'
import { findSiteFault } from '../../domain/tenant/link-rules.ts'
import { ApiError } from '../../lib/api-error.ts'
import { isAddress } from '../../lib/mail-address.ts'

const MAX_NAME_CHARS = 200
const MAX_CATEGORIES = 100
const MAX_SENDERS = 50
const MAX_TEXTS = 200
const MAX_TEXT_CHARS = 500
const MAX_ADDRESS_CHARS = 320
const MAX_SITE_CHARS = 2048
const MAX_LAYOUT_CHARS = 512 * 1024
const THEMES = ['auto', 'light', 'dark'] as const
const PLURAL_FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'] as const
const COLOUR = /^#[0-9a-f]{6}$/i
/** A header is one line. */
const CONTROL = /\p{Cc}/u
/** Fields of an answer that nobody sets. */
const ANSWERED = ['id', 'createdAt', 'updatedAt', 'revision', 'warnings']
const CONTENT = /\{\{-?\s*content\s*-?\}\}/

export interface CheckedLayout {
  layout: string
  layoutFormat: LayoutFormat
}

/** Compiles a layout as it is compiled when a mail is sent. @returns its fault; null without one */
export type CheckLayout = (layout: CheckedLayout) => Promise<TemplateFault | null>

/**
 * @returns Name and content with their defaults
 * @throws `request/invalid-body` with `details`, and what `checkLayout` throws
 */
export async function parseConfig(input: unknown, checkLayout: CheckLayout): Promise<ConfigContent & { name: string }> {
  if (!isRecord(input)) throw new ApiError('request/invalid-body', { message: 'A notification config is an object.' })
  const faults: ErrorDetail[] = []
  const reader = createReader(input, '', faults)
  const name = reader.text('name', MAX_NAME_CHARS) ?? ''
  const config = {
    name: line(reader, 'name', MAX_NAME_CHARS, name) ?? '',
    categories: readCategories(reader),
    widget: readWidget(reader.object('widget')),
    email: await readEmail(reader.object('email'), checkLayout),
    siteUrl: readSite(reader),
  }
  // An answer can be sent back.
  for (const key of ANSWERED) reader.raw(key)
  reader.refuseUnread()
  if (faults.length > 0) throw new ApiError('request/invalid-body', { details: faults })
  return config
}

/** @returns Only the look of mails and their site. @throws as `parseConfig` does */
export async function parseMailLook(
  input: { email: unknown; siteUrl: unknown },
  checkLayout: CheckLayout,
): Promise<Pick<ConfigContent, 'email' | 'siteUrl'>> {
  const faults: ErrorDetail[] = []
  const reader = createReader(input, '', faults)
  const look = { email: await readEmail(reader.object('email'), checkLayout), siteUrl: readSite(reader) }
  reader.refuseUnread()
  if (faults.length > 0) throw new ApiError('request/invalid-body', { details: faults })
  return look
}

function readCategories(reader: Reader): ConfigCategory[] {
  const seen = new Set<string>()
  return (reader.objects('categories', MAX_CATEGORIES) ?? []).map((item) => {
    const key = item.text('key', MAX_KEY_CHARS) ?? ''
    if (key !== '' && !KEY_GRAMMAR.test(key)) item.fault('key', KEY_RULE)
    if (seen.has(key)) item.fault('key', 'Another category has this key.')
    seen.add(key)
    const channels = item.object('channels')
    return {
      key,
      name: line(item, 'name') ?? key,
      critical: flag(item, 'critical', false),
      channels: byChannel(({ channel, defaultOn }) => flag(channels, channel, defaultOn)),
      quietHours: item.oneOf('quietHours', QUIET_CHOICES) ?? 'delay',
    }
  })
}

function readWidget(reader: Reader | undefined): WidgetLook {
  return {
    theme: reader?.oneOf('theme', THEMES) ?? 'auto',
    accentColor: colour(reader),
    texts: readTexts(reader?.object('texts')),
  }
}

function colour(reader: Reader | undefined): string | null {
  const text = reader?.optionalText('accentColor', 7) ?? null
  if (text !== null && !COLOUR.test(text)) reader?.fault('accentColor', 'This must be a colour: #rrggbb.')
  return text
}

/** The address of a picture: an https or http address, or a path of the site. */
function picture(reader: Reader | undefined, key: string): string | null {
  const text = reader?.optionalText(key, MAX_SITE_CHARS) ?? null
  const link = safeLink(text)
  if (text !== null && (link === null || !isImageLink(link))) reader?.fault(key, 'This is no address of a picture.')
  return link
}

function readTexts(reader: Reader | undefined): WidgetLook['texts'] {
  const locales = reader?.keys() ?? []
  if (locales.length > MAX_TEXTS) reader?.fault('', `At most ${MAX_TEXTS} locales.`)
  return Object.fromEntries(
    locales.slice(0, MAX_TEXTS).map((locale) => {
      if (!isLocale(locale)) reader?.fault(locale, 'This is no locale such as en or pt-BR.')
      const texts = reader?.object(locale)
      const names = texts?.keys() ?? []
      if (names.length > MAX_TEXTS) reader?.fault(locale, `At most ${MAX_TEXTS} texts.`)
      const read = names.slice(0, MAX_TEXTS).map((name) => [name, readPhrase(texts, name)] as const)
      return [locale, Object.fromEntries(read)]
    }),
  )
}

/** Reads a text, or its plural forms. */
function readPhrase(texts: Reader | undefined, name: string): AppearanceText {
  if (!isRecord(texts?.raw(name))) return texts?.optionalText(name, MAX_TEXT_CHARS) ?? ''
  const forms = texts?.object(name)
  if (forms?.has('other') === false) forms.fault('other', 'This is missing: the form for all other numbers.')
  const read = (forms?.keys() ?? []).flatMap((given) => {
    const form = PLURAL_FORMS.find((known) => known === given)
    if (form === undefined) forms?.fault(given, `This is no plural form: ${PLURAL_FORMS.join(', ')}.`)
    return form === undefined ? [] : [[form, forms?.optionalText(form, MAX_TEXT_CHARS) ?? ''] as const]
  })
  return Object.fromEntries(read)
}

function readSite(reader: Reader): string | null {
  const siteUrl = reader.optionalText('siteUrl', MAX_SITE_CHARS) ?? null
  const fault = siteUrl === null ? undefined : findSiteFault(siteUrl)
  if (fault !== undefined) reader.fault('siteUrl', fault)
  return siteUrl
}

async function readEmail(reader: Reader | undefined, checkLayout: CheckLayout): Promise<EmailLook> {
  const tracking = reader?.object('tracking')
  const layout = reader?.optionalText('layout', MAX_LAYOUT_CHARS) ?? null
  const layoutFormat = reader?.oneOf('layoutFormat', LAYOUT_FORMATS) ?? 'html'
  if (reader !== undefined && layout !== null) {
    if (!CONTENT.test(layout)) reader.fault('layout', 'The mail itself is missing: {{ content }}.')
    const fault = await checkLayout({ layout, layoutFormat })
    if (fault !== null) reader.fault('layout', fault.message, fault.position)
  }
  return {
    senderName: line(reader, 'senderName') ?? null,
    senderAddress: address(reader, 'senderAddress'),
    replyTo: address(reader, 'replyTo'),
    senders: readSenders(reader),
    logoUrl: picture(reader, 'logoUrl'),
    accentColor: colour(reader),
    addressLine: line(reader, 'addressLine') ?? null,
    layout,
    layoutFormat,
    tracking: { opens: flag(tracking, 'opens', true), clicks: flag(tracking, 'clicks', true) },
  }
}

function readSenders(reader: Reader | undefined): MailSenderName[] {
  return (reader?.objects('senders', MAX_SENDERS) ?? []).map((sender) => {
    if (!sender.has('address')) sender.fault('address', 'This is missing.')
    return { name: line(sender, 'name') ?? null, address: address(sender, 'address') ?? '' }
  })
}

function line(reader: Reader | undefined, key: string, max = MAX_NAME_CHARS, text = reader?.optionalText(key, max)) {
  if (text !== undefined && CONTROL.test(text)) reader?.fault(key, 'This must be one line.')
  return text
}

function address(reader: Reader | undefined, key: string): string | null {
  const text = reader?.optionalText(key, MAX_ADDRESS_CHARS)
  if (text !== undefined && !isAddress(text)) reader?.fault(key, 'This is no e-mail address.')
  return text ?? null
}

function flag(reader: Reader | undefined, key: string, byDefault: boolean): boolean {
  const value = reader?.raw(key)
  if (value === undefined) return byDefault
  if (typeof value !== 'boolean') reader?.fault(key, 'This must be true or false.')
  return value === true
}

/** Whether a text is a well-formed language tag. */
export function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
