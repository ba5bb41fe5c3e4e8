// Charges the filters of lists, and compares the items of a list with the metered operators.

import { type Context, evalToken, isTruthy, type Liquid, Tokenizer, toValueSync } from 'liquidjs'
import { charge } from './budget.ts'
import { isEqual } from './liquid-operators.ts'
import { chargeAsText, chargeComparison } from './value-cost.ts'

type Filter = Extract<Liquid['filters'][string], (...args: never[]) => unknown>
type FilterThis = { context: Context }

/** Units for reading one property of an item through the engine: 3 to 6 µs. */
const ITEM = 60
/** Units for copying one item. */
const COPY = 1
const CHARS_PER_UNIT = 4

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

/** Charges for copying lists. */
export function chargeItems(...lists: unknown[]): void {
  charge(1)
  for (const list of lists) charge(COPY * listOf(list).length)
}

/** The engine parses the path of `where` and its like, in which a range may stand. */
const PATH = /^[^()[\]]*$/

/** Returns the path of a property. @throws Error for another value, which the engine would read as code */
function pathOf(property: unknown): string {
  if (property === undefined || property === null) return ''
  if (typeof property === 'object' || !PATH.test(String(property))) throw new Error('a property is a path of names')
  return String(property)
}

function chargeReads(list: unknown[], path: string): void {
  charge(path.length + list.length * (ITEM + path.length))
}

/** Returns the property of each item as `where` reads it, each with its own scope. */
function scopedValues(context: Context, list: unknown[], property: unknown): unknown[] {
  const path = pathOf(property)
  chargeReads(list, path)
  const token = new Tokenizer(path).readScopeValue()
  return list.map((item) => toValueSync(evalToken(token, context.spawn(Object(item)))))
}

/** Returns the property of each item as `map` reads it; without a property the item itself. */
function valuesOf(context: Context, list: unknown[], property: unknown): unknown[] {
  const path = pathOf(property)
  chargeReads(list, path)
  return path === '' ? list : list.map((item) => toValueSync(context._getFromScope(item, path, false)))
}

export function chargeMap(this: FilterThis, value: unknown, property: unknown): void {
  chargeReads(listOf(value), pathOf(property))
}

export function chargeGroups(this: FilterThis, value: unknown, property: unknown): void {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  const keys = scopedValues(this.context, isMap ? Object.entries(value) : listOf(value), property)
  // Texts are keys by their characters, all else by identity.
  for (const key of keys) if (typeof key === 'string') chargeComparison(key)
  charge(ITEM * keys.length)
}

/** Charges for each comparison of a sort: as text, where the values are no numbers. */
export function chargeSort(this: FilterThis, value: unknown, property: unknown): void {
  const list = listOf(value)
  const rounds = 1 + Math.ceil(Math.log2(list.length + 1))
  for (const key of valuesOf(this.context, list, property))
    charge(rounds * (1 + (typeof key === 'number' ? 0 : chargeAsText(key) / CHARS_PER_UNIT)))
}

/** Returns the indexes of the items that match, as `where` decides it. */
function matchesOf(context: Context, list: unknown[], property: unknown, expected: unknown): number[] {
  const values = scopedValues(context, list, property)
  return values.flatMap((value, index) => {
    const matches = expected === undefined ? isTruthy(value, context) : isEqual(value, expected, context)
    return matches ? [index] : []
  })
}

/** The engine's own compare without a charge, and parse the path without a limit. */
export const LIST_FILTERS: Record<string, Filter> = {
  where(value, property, expected) {
    const list = listOf(value)
    return matchesOf(this.context, list, property, expected).map((index) => list[index])
  },
  reject(value, property, expected) {
    const list = listOf(value)
    const matches = new Set(matchesOf(this.context, list, property, expected))
    return list.filter((_, index) => !matches.has(index))
  },
  has(value, property, expected) {
    return matchesOf(this.context, listOf(value), property, expected).length > 0
  },
  find(value, property, expected) {
    const list = listOf(value)
    const [index] = matchesOf(this.context, list, property, expected)
    return index === undefined ? undefined : list[index]
  },
  find_index(value, property, expected) {
    return matchesOf(this.context, listOf(value), property, expected)[0]
  },
  sum(value, property) {
    let sum = 0
    for (const item of valuesOf(this.context, listOf(value), property)) {
      chargeAsText(item)
      const number = typeof item === 'object' ? 0 : Number(item)
      sum += Number.isNaN(number) ? 0 : number
    }
    return sum
  },
}
