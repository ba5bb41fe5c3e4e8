// Prints numbers, amounts, plurals and lists as the user's language writes them.

import { charge, chargeList, chargeText } from './budget.ts'
import { type Filter, type FilterThis, formatterOf, localeOf, readArguments } from './liquid-locale.ts'
import { textOf } from './liquid-texts.ts'
import { chargeAsText } from './value-cost.ts'

/** In units. A number takes 2 µs to print, and a plural 1 µs to choose. */
const COSTS = { number: 40, plural: 20, item: 10 }
const NUMBER = /^-?\d{1,40}(?:\.\d{1,40})?$/
const CURRENCY = /^[A-Za-z]{3}$/
/** Longer texts are no names of a currency, and are not printed as one. */
const MAX_CURRENCY_CHARS = 16
const MAX_DECIMALS = 20
/** The forms of `Intl.PluralRules`. `zero` is printed for 0 in every language. */
const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'] as const

/** `Intl` prints all digits of a text. */
export type Printable = number | Intl.StringNumericLiteral

/** @returns undefined for what is no number; a text of digits stays a text, which has more of them */
export function findNumber(value: unknown): Printable | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  charge(1 + chargeAsText(value) / 16)
  const text = value.trim()
  return NUMBER.test(text) ? (text as Intl.StringNumericLiteral) : undefined
}

/** @returns undefined unless it is a number of decimals */
function findDecimals(value: unknown): number | undefined {
  const count = findNumber(value)
  return count === undefined || Number(count) < 0 ? undefined : Math.min(MAX_DECIMALS, Math.trunc(Number(count)))
}

function printNumber(self: FilterThis, locale: string, value: Printable, options: Intl.NumberFormatOptions): string {
  charge(COSTS.number)
  const key = `number ${JSON.stringify(options)}`
  return formatterOf(self.context, locale, key, (tags) => new Intl.NumberFormat(tags, options)).format(value)
}

const fixed = (decimals: number | undefined) =>
  decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals }

const STYLES: Record<string, Intl.NumberFormatOptions> = {
  percent: { style: 'percent' },
  compact: { notation: 'compact' },
}

/** `{{ 1234.5 | number }}`; `number: 2` has two decimals, `number: "percent"` and `style: "compact"` have another style. */
const number: Filter = function (value, ...args) {
  const found = findNumber(value)
  if (found === undefined) return value
  const { listed, named } = readArguments(args)
  const style = named.get('style') ?? listed[0]
  const options = typeof style === 'string' && Object.hasOwn(STYLES, style) ? STYLES[style] : {}
  const locale = localeOf(this.context, named.get('locale'))
  return printNumber(this, locale, found, { ...options, ...fixed(findDecimals(listed[0])) })
}

/** `{{ 19.9 | money: "EUR" }}`. What is no currency stands behind the number as it is. */
const money: Filter = function (value, ...args) {
  const found = findNumber(value)
  if (found === undefined) return value
  const { listed, named } = readArguments(args)
  const [currency, decimals] = listed
  const locale = localeOf(this.context, named.get('locale'))
  const code = typeof currency === 'string' ? currency.trim() : ''
  const digits = findDecimals(decimals)
  if (CURRENCY.test(code))
    return printNumber(this, locale, found, { style: 'currency', currency: code.toUpperCase(), ...fixed(digits) })
  const amount = printNumber(this, locale, found, fixed(digits ?? 2))
  return code === '' || code.length > MAX_CURRENCY_CHARS ? amount : `${amount} ${code}`
}

/** `{{ 3 | plural: one: "# item", other: "# items" }}` or `plural: "# item", "# items"`; of a list, by its length. */
const plural: Filter = function (value, ...args) {
  const { listed, named } = readArguments(args)
  const count = Array.isArray(value) ? value.length : findNumber(value)
  const locale = localeOf(this.context, named.get('locale'))
  charge(COSTS.plural)
  const rules = formatterOf(this.context, locale, 'plural', (tags) => new Intl.PluralRules(tags))
  const form = count === undefined ? 'other' : rules.select(Number(count))
  const given = (name: string) => named.get(name) ?? { one: listed[0], other: listed[1] }[name]
  const zero = Number(count) === 0 ? named.get('zero') : undefined
  const last = FORMS.map(given).findLast((one) => one !== undefined)
  const chosen = zero ?? given(form) ?? given('other') ?? last
  const chars = chargeAsText(chosen)
  const text = textOf(chosen)
  const shown = count === undefined ? '' : printNumber(this, locale, count, {})
  chargeText(chars * Math.max(1, shown.length))
  return text.replaceAll('#', () => shown)
}

/** `{{ names | list }}` ends with "and", `list: "or"` with "or". */
const list: Filter = function (value, ...args) {
  const items = Array.isArray(value) ? value.filter((item) => item !== null && item !== undefined) : [value]
  const { listed, named } = readArguments(args)
  const type = listed[0] === 'or' ? 'disjunction' : 'conjunction'
  const locale = localeOf(this.context, named.get('locale'))
  chargeList(items.length)
  charge(COSTS.item * items.length)
  chargeText(chargeAsText(items))
  const create = (tags: string[]) => new Intl.ListFormat(tags, { type })
  return formatterOf(this.context, locale, `list ${type}`, create).format(items.map(textOf))
}

export const NUMBER_FILTERS: Record<string, Filter> = { number, money, plural, list }
