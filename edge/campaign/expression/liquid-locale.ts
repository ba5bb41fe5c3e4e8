// Finds the language and the zone in which a template prints, those of its user, and keeps the formatters for them.

import type { Context, Liquid } from 'liquidjs'
import { languageTag } from '../../domain/tenant/locale-tags.ts'
import { createCache } from '../../lib/cache.ts'
import { charge } from './budget.ts'

export type Filter = Extract<Liquid['filters'][string], (...args: never[]) => unknown>
export type FilterThis = ThisParameterType<Filter>

/** Where neither the user nor the organisation has a locale. */
const STANDARD = 'en-US'
/** In characters. Longer than all tags and names of zones that exist. */
const MAX_CHARS = 64
/**
 * In units. Reading a tag takes 3 µs, and a formatter 15 to 400 µs to make, which the first use in a template pays,
 * whether it was kept or not: what other templates used before must not change its cost.
 */
const COSTS = { locale: 60, formatter: 2500 }

/** Bounded, as tags come from the users of customers. */
const locales = createCache<string, string>({ maxSize: 1000 })
/** By locale and options. One takes up to some 50 KB. */
const formatters = createCache<string, object>({ maxSize: 200 })

/** Returns what the environment of a template says about its user. A layout has no user. */
function ofUser({ environments }: Context, field: 'locale' | 'timeZone'): string | undefined {
  const user: unknown = 'user' in environments ? environments.user : undefined
  if (typeof user !== 'object' || user === null || !Object.hasOwn(user, field)) return undefined
  const value: unknown = (user as Record<string, unknown>)[field]
  return typeof value === 'string' && value !== '' && value.length <= MAX_CHARS ? value : undefined
}

/** Returns the tag of a locale that a filter states, else of the user. A text that is no locale counts as missing. */
export function localeOf(context: Context, stated?: unknown): string {
  charge(COSTS.locale)
  const isStated = typeof stated === 'string' && stated.length <= MAX_CHARS
  return (isStated && tagOf(stated)) || tagOf(ofUser(context, 'locale') ?? '') || STANDARD
}

/** @returns an empty text for what is no locale */
function tagOf(locale: string): string {
  if (locale === '') return ''
  const known = locales.get(locale) ?? languageTag(locale) ?? ''
  locales.set(locale, known)
  return known
}

export function zoneOf(context: Context): string | undefined {
  return ofUser(context, 'timeZone')
}

/** Charges for a formatter once in each template. */
export function chargeFormatter(context: Context, key: string): void {
  const paid: Set<string> = (context.getRegister('formatters') ??
    context.setRegister('formatters', new Set())) as Set<string>
  if (paid.has(key)) return
  charge(COSTS.formatter)
  paid.add(key)
}

/** Returns the formatter of a locale, and charges for it. `key` names its options, of which there are few. */
export function formatterOf<T extends object>(
  context: Context,
  locale: string,
  key: string,
  create: (locales: string[]) => T,
): T {
  const whole = `${key} ${locale}`
  chargeFormatter(context, whole)
  const kept = formatters.get(whole) as T | undefined
  if (kept !== undefined) return kept
  const made = create([locale, STANDARD])
  formatters.set(whole, made)
  return made
}

/** Splits the arguments of a filter: `{{ value | filter: 1, name: 2 }}` has one of each. Later names replace earlier ones. */
export function readArguments(args: readonly unknown[]): { listed: unknown[]; named: ReadonlyMap<string, unknown> } {
  const isNamed = (one: unknown): one is [string, unknown] =>
    Array.isArray(one) && one.length === 2 && typeof one[0] === 'string'
  return { listed: args.filter((one) => !isNamed(one)), named: new Map(args.filter(isNamed)) }
}
