// Charges the filters of lists, and compares the items of a list with the metered operators.

import { type Context, evalToken, isTruthy, type Liquid, Tokenizer, toValueSync } from 'liquidjs'
import { charge } from './budget.ts'
import { isEqual } from './liquid-operators.ts'
import { chargeAsText, chargeComparison } from './value-cost.ts'

type Filter = Extract<Liquid['filters'][string], (...args: never[]) => unknown>
type FilterThis = { context: Context }

/** Units for reading one property of an item through the engine: 3 to 6 µs. */
const ENGINE_ITEM = 60
/** Units for reading one name of an item: 0.1 to 0.3 µs. */
const NAME = 6
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

/** A path of names alone needs no engine to read it. */
const NAMES = /^[a-z_][\w-]*(?:\.[a-z_][\w-]*)*$/i

type Owner = Parameters<Context['readProperty']>[0]
type Read = (item: unknown) => unknown

function readNames(context: Context, names: readonly string[], owner: unknown): unknown {
  charge(NAME * names.length)
  let value = owner
  for (const name of names) value = context.readProperty(value as Owner, name)
  return value
}

/** Returns how `where` reads a property of an item: each is a scope of its own. */
function createScopedRead(context: Context, property: unknown): Read {
  const path = pathOf(property)
  charge(path.length)
  if (NAMES.test(path)) {
    const names = path.split('.')
    const [first = ''] = names
    return (item) => {
      const scope = Object(item) as Owner
      return readNames(context, names, first in scope ? scope : context.globals)
    }
  }
  const token = new Tokenizer(path).readScopeValue()
  return (item) => {
    charge(ENGINE_ITEM + path.length)
    return toValueSync(evalToken(token, context.spawn(Object(item))))
  }
}

/** Returns the property of each item as `map` reads it; without a property the item itself. */
function valuesOf(context: Context, list: unknown[], property: unknown): unknown[] {
  const path = pathOf(property)
  charge(path.length)
  if (path === '') return list
  const names = path.split('.')
  return list.map((item) => readNames(context, names, item))
}

export function chargeGroups(this: FilterThis, value: unknown, property: unknown): void {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  const read = createScopedRead(this.context, property)
  // Texts are keys by their characters, all else by identity.
  for (const item of isMap ? Object.entries(value) : listOf(value)) {
    const key = read(item)
    if (typeof key === 'string') chargeComparison(key)
    charge(ENGINE_ITEM)
  }
}

/** Charges for each comparison of a sort: as text, where the values are no numbers. */
export function chargeSort(this: FilterThis, value: unknown, property: unknown): void {
  const list = listOf(value)
  const rounds = 1 + Math.ceil(Math.log2(list.length + 1))
  for (const key of valuesOf(this.context, list, property))
    charge(rounds * (1 + (typeof key === 'number' ? 0 : chargeAsText(key) / CHARS_PER_UNIT)))
}

/** Yields the indexes of the items that match, as `where` decides it. */
function* matchesOf(context: Context, list: unknown[], property: unknown, expected: unknown): Generator<number> {
  const read = createScopedRead(context, property)
  for (const [index, item] of list.entries()) {
    const value = read(item)
    if (expected === undefined ? isTruthy(value, context) : isEqual(value, expected, context)) yield index
  }
}

/** Returns the index of the first item that matches; undefined when none does. */
function findMatch(context: Context, list: unknown[], property: unknown, expected: unknown): number | undefined {
  return matchesOf(context, list, property, expected).next().value as number | undefined
}

/** The engine's own compare without a charge, and parse the path without a limit. */
export const LIST_FILTERS: Record<string, Filter> = {
  where(value, property, expected) {
    const list = listOf(value)
    return Array.from(matchesOf(this.context, list, property, expected), (index) => list[index])
  },
  reject(value, property, expected) {
    const list = listOf(value)
    const matches = new Set(matchesOf(this.context, list, property, expected))
    return list.filter((_, index) => !matches.has(index))
  },
  has(value, property, expected) {
    return findMatch(this.context, listOf(value), property, expected) !== undefined
  },
  find(value, property, expected) {
    const list = listOf(value)
    const index = findMatch(this.context, list, property, expected)
    return index === undefined ? undefined : list[index]
  },
  find_index(value, property, expected) {
    return findMatch(this.context, listOf(value), property, expected)
  },
  map(value, property) {
    return valuesOf(this.context, listOf(value), property)
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
