// Charges every filter of Liquid before it reads and for what it makes.

import { type Liquid, toValueSync } from 'liquidjs'
import { charge, chargeList, chargeText } from './budget.ts'
import { createDateFilter, meterDateFilter } from './liquid-dates.ts'
import { chargeGroups, chargeItems, chargeMap, chargeSort, LIST_FILTERS } from './liquid-lists.ts'
import { chargeAsJson, chargeAsText, chargeComparison, chargeSearch, numberOf } from './value-cost.ts'

type Filter = Extract<Liquid['filters'][string], (...args: never[]) => unknown>
/** Charges for one call before it happens. */
type Charge = (this: ThisParameterType<Filter>, value: unknown, ...args: unknown[]) => void

/** `raw` does not escape. The others are not in Shopify's Liquid: they parse values as code, or are random. */
const REMOVED = ['raw', 'where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp', 'sample']

/** Most filters take up to 45 ns for a character, these up to 150 ns. */
const SLOW = new Set([
  ...['escape', 'xml_escape', 'escape_once', 'strip_html', 'url_encode', 'url_decode', 'cgi_escape', 'uri_escape'],
  ...['base64_decode', 'lstrip', 'rstrip', 'strip', 'split', 'number_of_words', 'truncate', 'truncatewords', 'slice'],
])
const CHARS_PER_UNIT = 4

/** Which operands are counts: the engine would read a number from a text once for each character. */
const COUNTS: Record<string, number[]> = { slice: [1, 2], truncate: [1], truncatewords: [1] }

const chargeNothing: Charge = () => charge(1)

/** Charges for all operands as texts. */
function chargeTexts(charsPerUnit: number): Charge {
  return (...operands) => {
    let chars = 0
    for (const operand of operands) chars += chargeAsText(operand)
    charge(1 + chars / charsPerUnit)
  }
}
const chargeFast = chargeTexts(CHARS_PER_UNIT)
const chargeSlow = chargeTexts(1)

const chargeFound: Charge = function (value, pattern, ...args) {
  chargeSlow.call(this, value, pattern, ...args)
  chargeSearch(chargeAsText(value), chargeAsText(pattern))
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
  map: chargeMap,
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
    else chargeSlow.call(this, value, ...args)
  },
  join: chargeJoin,
  array_to_sentence_string: chargeJoin,
  split: chargeFound,
  remove: chargeFound,
  remove_first: chargeFound,
  remove_last: chargeFound,
  replace_first: chargeFound,
  replace_last: chargeFound,
  replace(value, pattern, replacement) {
    chargeFound.call(this, value, pattern, replacement)
    const [chars, from, to] = [chargeAsText(value), chargeAsText(pattern), chargeAsText(replacement)]
    const isText = typeof value === 'string' && typeof pattern === 'string'
    const places = isText ? value.split(pattern).length - 1 : 1 + chars / Math.max(1, from)
    chargeText(chars + places * Math.max(0, to - from))
  },
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

const REPLACED: Record<string, Filter> = { ...LIST_FILTERS, json: writeJson, jsonify: writeJson, inspect: writeJson }

/** Replaces every filter of an engine by one with its charge. */
export function meterFilters(engine: Liquid): void {
  for (const name of REMOVED) delete engine.filters[name]
  for (const [name, published] of Object.entries(engine.filters)) {
    if (typeof published !== 'function') throw new Error(`Liquid filter is no function: ${name}`)
    engine.registerFilter(name, meter(name, published))
  }
}

/** Returns a filter of this engine that charges what it reads. */
function meterOperands(name: string, published: Filter): Filter {
  if (name === 'date') return createDateFilter(published)
  if (name.startsWith('date_')) return meterDateFilter(published)
  const replaced = REPLACED[name]
  if (replaced !== undefined) return replaced
  const chargeOperands = CHARGES[name] ?? (SLOW.has(name) ? chargeSlow : chargeFast)
  const counts = COUNTS[name] ?? []
  return function (...operands) {
    chargeOperands.apply(this, operands)
    for (const at of counts) if (operands[at] !== undefined) operands[at] = numberOf(operands[at])
    return published.apply(this, operands)
  }
}

function meter(name: string, published: Filter): Filter {
  const filter = meterOperands(name, published)
  return function (...operands) {
    const result: unknown = toValueSync(filter.apply(this, operands))
    if (typeof result === 'string') chargeText(result.length)
    else if (Array.isArray(result)) chargeList(result.length)
    return result
  }
}
