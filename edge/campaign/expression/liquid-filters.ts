// Charges every filter of Liquid before it reads and for what it makes.

import { type Liquid, toValueSync } from 'liquidjs'
import { charge, chargeList, chargeText } from './budget.ts'
import { createDateFilters } from './liquid-dates.ts'
import { chargeGroups, chargeItems, chargeSort, LIST_FILTERS } from './liquid-lists.ts'
import { type OutputKind, withoutMarkup } from './liquid-markup.ts'
import { createMarkupFilters } from './liquid-markup-filters.ts'
import { NUMBER_FILTERS } from './liquid-numbers.ts'
import { noteFilter } from './liquid-part.ts'
import { OWN_TEXT_FILTERS, TEXT_FILTERS } from './liquid-texts.ts'
import { translate } from './liquid-translate.ts'
import { chargeAsJson, chargeAsText, chargeComparison, chargeSearch, numberOf } from './value-cost.ts'

type Filter = Extract<Liquid['filters'][string], (...args: never[]) => unknown>
/** Charges for one call before it happens. */
type Charge = (this: ThisParameterType<Filter>, value: unknown, ...args: unknown[]) => void

/** `raw` does not escape. The others are not in Shopify's Liquid: they parse values as code, or are random. */
const REMOVED = ['raw', 'where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp', 'sample']

/**
 * Characters of the operands for one unit: half of what 50 ns suffice for, on the text that takes longest. A filter that
 * is not named here has `CHARS_PER_UNIT`. Reading the operands at all is charged as well.
 */
const CHARS_PER_UNIT = 4
const SPEEDS: Record<string, number> = {
  ...speedOf(64, ['escape', 'xml_escape', 'escape_once', 'strip_html', 'newline_to_br', 'strip_newlines']),
  ...speedOf(64, ['remove', 'remove_first', 'remove_last', 'replace', 'replace_first', 'replace_last']),
  ...speedOf(64, ['truncate']),
  ...speedOf(16, ['strip', 'lstrip', 'rstrip']),
  ...speedOf(8, ['upcase', 'downcase', 'capitalize']),
  ...speedOf(2, ['squish', 'normalize_whitespace', 'slugify']),
  ...speedOf(1, ['url_encode', 'url_decode', 'cgi_escape', 'uri_escape', 'base64_decode', 'number_of_words']),
}

function speedOf(charsPerUnit: number, names: string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, charsPerUnit]))
}

/** Filters whose time grows with what they change: units for each character that is added or removed. */
const UNITS_PER_CHANGE: Record<string, number> = {
  escape: 0.5,
  xml_escape: 0.5,
  escape_once: 0.5,
  newline_to_br: 0.5,
  strip_html: 1,
  strip_newlines: 1,
}

/** Which operands are counts: the engine would read a number from a text once for each character. */
const COUNTS: Record<string, number[]> = { slice: [1, 2], truncate: [1] }

const chargeNothing: Charge = () => charge(1)

/** Charges for all operands as texts. */
function chargeTexts(charsPerUnit: number): Charge {
  return (...operands) => {
    let chars = 0
    for (const operand of operands) chars += chargeAsText(operand)
    charge(1 + chars / charsPerUnit)
  }
}

/** Stripping certain characters compares each with a set of them. */
function chargeStrip(name: string): Charge {
  const blanks = chargeTexts(SPEEDS[name] ?? 1)
  const chosen = chargeTexts(1)
  return function (value, chars) {
    if (chars === undefined) blanks.call(this, value)
    else chosen.call(this, value, chars)
  }
}

const chargeFound: Charge = (value, pattern, ...args) => {
  const [chars, patternChars] = [chargeAsText(value), chargeAsText(pattern)]
  for (const arg of args) chargeAsText(arg)
  chargeSearch(chars, patternChars)
}

/** Replacing takes up to 80 ns a place. */
const UNITS_PER_PLACE = 3

const chargeReplaced: Charge = function (value, pattern, replacement = '') {
  chargeFound.call(this, value, pattern, replacement)
  const [chars, from, to] = [chargeAsText(value), chargeAsText(pattern), chargeAsText(replacement)]
  const isText = typeof value === 'string' && typeof pattern === 'string'
  const places = isText ? value.split(pattern).length - 1 : 1 + chars / Math.max(1, from)
  charge(places * UNITS_PER_PLACE)
  chargeText(chars + places * Math.max(0, to - from))
}

const CHARGES: Record<string, Charge> = {
  first: chargeNothing,
  last: chargeNothing,
  size: chargeNothing,
  default: chargeNothing,
  compact: chargeItems,
  concat: chargeItems,
  pop: chargeItems,
  push: chargeItems,
  reverse: chargeItems,
  shift: chargeItems,
  unshift: chargeItems,
  group_by: chargeGroups,
  sort: chargeSort,
  sort_natural: chargeSort,
  uniq(list) {
    chargeItems(list)
    // Equal texts are compared to their end.
    if (Array.isArray(list)) for (const item of list) if (typeof item === 'string') chargeComparison(item)
  },
  slice(value, ...args) {
    if (Array.isArray(value)) chargeItems(value)
    else chargeTexts(CHARS_PER_UNIT).call(this, value, ...args)
  },
  strip: chargeStrip('strip'),
  lstrip: chargeStrip('lstrip'),
  rstrip: chargeStrip('rstrip'),
  join: chargeJoin,
  array_to_sentence_string: chargeJoin,
  remove: chargeReplaced,
  remove_first: chargeFound,
  remove_last: chargeFound,
  replace_first: chargeFound,
  replace_last: chargeFound,
  replace: chargeReplaced,
}

function chargeJoin(value: unknown, separator: unknown): void {
  const items = Array.isArray(value) ? value.length : 1
  const chars = chargeAsText(value) + (1 + chargeAsText(separator)) * items
  charge(chars / CHARS_PER_UNIT)
  chargeText(chars)
}

/** Writes a value as JSON. Copies of the engine's filter would charge characters after making them. */
const writeJson: Filter = (value: unknown, space: unknown) => {
  const isGap = typeof space === 'number' || typeof space === 'string'
  // JSON has at most ten characters of indentation.
  chargeText(chargeAsJson(value, isGap ? 10 : 0))
  return JSON.stringify(value, null, isGap ? space : 0)
}

/** Filters that the engine does not have. */
const OWN: Record<string, Filter> = { ...NUMBER_FILTERS, ...OWN_TEXT_FILTERS }
/** A layout belongs to an organisation, and translations to an environment. */
const OWN_OF_CAMPAIGNS: Record<string, Filter> = { ...OWN, t: translate }

const REPLACED: Record<string, Filter> = {
  ...OWN_OF_CAMPAIGNS,
  ...LIST_FILTERS,
  ...TEXT_FILTERS,
  json: writeJson,
  jsonify: writeJson,
  inspect: writeJson,
}

/** Replaces every filter of an engine by one with its charge. */
export function meterFilters(engine: Liquid, kind: OutputKind): void {
  for (const name of REMOVED) delete engine.filters[name]
  const date = engine.filters.date
  if (typeof date !== 'function') throw new Error('Liquid has no filter date')
  const replaced = { ...REPLACED, ...createDateFilters(date) }
  const added = kind === 'layout' ? OWN : OWN_OF_CAMPAIGNS
  const withMarkup = createMarkupFilters(kind, engine.filters)
  for (const [name, published] of Object.entries({ ...engine.filters, ...added, ...withMarkup })) {
    if (typeof published !== 'function') throw new Error(`Liquid filter is no function: ${name}`)
    const filter = withMarkup[name] ?? readingTexts(meterResult(name, replaced[name] ?? meterOperands(name, published)))
    engine.registerFilter(name, function (...operands) {
      noteFilter(name)
      const result: unknown = filter.apply(this, operands)
      noteFilter(undefined)
      return result
    })
  }
}

/** Returns a filter that charges what it reads. */
function meterOperands(name: string, published: Filter): Filter {
  const chargeOperands = CHARGES[name] ?? chargeTexts(SPEEDS[name] ?? CHARS_PER_UNIT)
  const counts = COUNTS[name] ?? []
  return function (...operands) {
    chargeOperands.apply(this, operands)
    for (const at of counts) if (operands[at] !== undefined) operands[at] = numberOf(operands[at])
    return published.apply(this, operands)
  }
}

/** Returns a filter that charges what it makes. */
function meterResult(name: string, filter: Filter): Filter {
  const perChange = UNITS_PER_CHANGE[name] ?? 0
  return function (...operands) {
    const result: unknown = toValueSync(filter.apply(this, operands))
    if (typeof result === 'string') {
      chargeText(result.length)
      const [value] = operands as unknown[]
      // What is no text was charged as one, whose length is not known.
      if (perChange > 0)
        charge(perChange * (typeof value === 'string' ? Math.abs(result.length - value.length) : result.length))
    } else if (Array.isArray(result)) chargeList(result.length)
    return result
  }
}

/** Returns a filter that reads what captures hold as texts. */
function readingTexts(filter: Filter): Filter {
  return function (...operands) {
    for (const [at, operand] of operands.entries()) operands[at] = withoutMarkup(operand)
    return filter.apply(this, operands)
  }
}
