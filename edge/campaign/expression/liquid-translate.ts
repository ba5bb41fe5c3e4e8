// Prints translations of the environment in Liquid: `{{ 'order.shipped' | t: count: 2 }}`.

import type { CampaignTexts } from '../../domain/campaign-texts.ts'
import { fallbackTags, normalizeTag } from '../../domain/tenant/locale-tags.ts'
import { charge, chargeText } from './budget.ts'
import { instantOf, userZoneOf } from './liquid-dates.ts'
import { givenOf } from './liquid-given.ts'
import { type Filter, type FilterThis, formatterOf, localeOf, readArguments } from './liquid-locale.ts'
import { findNumber } from './liquid-numbers.ts'
import { textOf } from './liquid-texts.ts'
import { noteDoubt } from './noted-doubts.ts'
import { getMessage, type MessageFormatters, MessageText, type MessageValue } from './translation.ts'
import { chargeAsText } from './value-cost.ts'

/**
 * In units. Finding a message takes 1 µs; reading one 0.1 µs a character and 300 µs for each pattern after `::`, once in
 * each template, and printing one some 10 µs and 2 µs a value.
 */
const COSTS = { find: 20, char: 4, pattern: 6000, print: 200, place: 40 }
const CHARS_PER_UNIT = 16
const MAX_KEY_CHARS = 256

interface Found {
  message: string
  /** The locale of the message. */
  tag: string
}

function findIn({ translations }: CampaignTexts, key: string, tags: readonly string[]): Found | undefined {
  for (const tag of tags) {
    const file = Object.hasOwn(translations, tag) ? translations[tag] : undefined
    const message = file !== undefined && Object.hasOwn(file, key) ? file[key] : undefined
    if (message !== undefined) return { message, tag }
  }
  return undefined
}

/** Returns the message of the user's locale or what stands for it, else of the default locale; notes a missing one. */
function findMessage(texts: CampaignTexts | undefined, key: string, locale: string): Found | undefined {
  charge(COSTS.find)
  if (texts === undefined || key.length > MAX_KEY_CHARS) return undefined
  const tags = fallbackTags(locale)
  const own = findIn(texts, key, tags)
  if (own !== undefined) return own
  const other = findIn(texts, key, fallbackTags(texts.fallback ?? ''))
  // Nobody misses a message in a locale that has no translations.
  const lacks = tags.find((tag) => Object.hasOwn(texts.translations, tag))
  if (other === undefined || lacks !== undefined) noteMissing(texts, key, other === undefined ? undefined : lacks)
  return other
}

/** A key that a run computes may be a value of its event, which belongs to no message of a doubt. */
function noteMissing({ isOpen }: CampaignTexts, key: string, lacks: string | undefined): void {
  const which = isOpen ? 'a translation' : `the translation ${key}`
  noteDoubt('missing-translation', `${key} ${lacks}`, () => [
    lacks === undefined
      ? `prints ${which} by its key, as no locale has it`
      : `prints ${which} in another language, as ${lacks} lacks it`,
    key,
  ])
}

/** A value that the template does not name has another name there, or none. */
function noteUnnamed(
  texts: CampaignTexts | undefined,
  key: string,
  names: Iterable<string>,
  named: ReadonlyMap<string, unknown>,
) {
  const which = texts?.isOpen ? 'a translation' : `the translation ${key}`
  for (const name of names) {
    if (!named.has(name))
      noteDoubt('unknown-variable', `t ${key} ${name}`, () => [`prints ${which} without its ${name}`, null])
  }
}

/** Charges for reading a message once in each template, whether it was kept or not. */
function chargeReading({ context }: FilterThis, { message, tag }: Found): void {
  const paid = (context.getRegister('messages') ?? context.setRegister('messages', new Set())) as Set<string>
  const name = `${tag} ${message}`
  if (paid.has(name)) return
  paid.add(name)
  charge(COSTS.char * message.length + COSTS.pattern * (message.split('::').length - 1))
}

/** Returns a number, a text of digits, or what is no number. */
function readValue(value: unknown): MessageValue {
  return findNumber(value) ?? new MessageText(textOf(value))
}

/** Prints what is no number or no time as it is. */
function formattersFor({ context }: FilterThis, locale: string): MessageFormatters {
  const formatter = <T extends object>(kind: string, options: unknown, create: (tags: string[]) => T) =>
    formatterOf(context, locale, `message ${kind} ${JSON.stringify(options)}`, create)
  const asIs = (value: unknown) => (typeof value === 'number' ? '' : String(value))
  return {
    number(value, options) {
      const given = findNumber(value)
      if (given === undefined) return asIs(value)
      return formatter('number', options, (tags) => new Intl.NumberFormat(tags, options)).format(given)
    },
    date(value, options) {
      const zone = userZoneOf(context) ?? 'UTC'
      const instant = instantOf(typeof value === 'number' ? value : String(value), zone)
      if (instant === undefined) return asIs(value)
      const create = (tags: string[]) => new Intl.DateTimeFormat(tags, { ...options, timeZone: zone })
      return formatter(`date ${zone}`, options, create).format(instant)
    },
    plural: (value, options) =>
      formatter('plural', options, (tags) => new Intl.PluralRules(tags, options)).select(value),
  }
}

/** Prints a key that no locale has as it is. */
export const translate: Filter = function (value, ...args) {
  chargeAsText(value)
  const key = textOf(value)
  if (key === '') return ''
  const { named } = readArguments(args)
  const locale = localeOf(this.context, named.get('locale'))
  const found = findMessage(givenOf(this.context).texts, key, locale)
  if (found === undefined) return key
  chargeReading(this, found)
  // Numbers in a message of `de` are written as in the user's `de-AT`.
  const language = `${normalizeTag(locale)}-`.startsWith(`${found.tag}-`) ? locale : found.tag
  const message = getMessage(found.message, language)
  noteUnnamed(givenOf(this.context).texts, key, message.names, named)
  let longest = 0
  const values = new Map<string, MessageValue>()
  for (const [name, one] of named) {
    longest = Math.max(longest, chargeAsText(one))
    values.set(name, readValue(one))
  }
  const chars = found.message.length + message.places * longest
  charge(COSTS.print + COSTS.place * message.places + chars / CHARS_PER_UNIT)
  const text = message.format(values, formattersFor(this, language))
  chargeText(text.length)
  return text
}
