// Charges for reading values of templates as text, as JSON and in comparisons, before it happens.

import { charge, chargeChars, chargeText, MAX_TEXT_CHARS } from './budget.ts'

/** Data nests 32 levels. Lists of templates may contain themselves several times, so they are read level by level. */
const MAX_LEVELS = 64
/** A step of the engine, such as reading a property: 0.3 to 0.8 µs. */
export const STEP = 6
/** A name is read 100 to 200 ns. */
const UNITS_PER_NAME = 3
/** Comparing two characters takes a nanosecond; the longest search compares each with each. */
const COMPARISONS_PER_UNIT = 64

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Returns whether a value is an object of the data; others belong to the engine (`empty`, `forloop`). */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value) || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Reads a number. Lists and objects are none; JavaScript would print them to read one. */
export function numberOf(value: unknown): number {
  if (typeof value === 'string') chargeChars(value.length)
  return isObject(value) ? Number.NaN : Number(value)
}

/**
 * Charges for reading a value as JavaScript reads it where a text is expected: a list item by item, an object by its
 * name.
 * @returns the number of characters, or a little more
 * @throws OverBudget also when the text is too long
 */
export function chargeAsText(value: unknown, levels = 0): number {
  if (typeof value === 'string') {
    chargeChars(value.length)
    return value.length
  }
  if (!Array.isArray(value)) return typeof value === 'number' ? String(value).length : 16
  chargeLevel(levels)
  charge(1 + value.length)
  let chars = value.length
  for (const item of value) {
    chars += chargeAsText(item, levels + 1)
    chargeLength(chars)
  }
  return chars
}

/**
 * Charges for writing a value as JSON.
 * @param gap characters of indentation at each level
 * @returns the number of characters without escapes
 */
export function chargeAsJson(value: unknown, gap = 0, levels = 0): number {
  if (typeof value === 'string') {
    chargeChars(value.length)
    return value.length + 2
  }
  if (!isObject(value)) return 5
  chargeLevel(levels)
  const isList = Array.isArray(value)
  const items: unknown[] = isList ? value : Object.values(value)
  charge(1 + 2 * items.length)
  let chars = 2 + items.length * (1 + gap * (levels + 1))
  if (!isList) for (const key of Object.keys(value)) chars += chargeAsJson(key)
  for (const item of items) {
    chars += chargeAsJson(item, gap, levels + 1)
    chargeLength(chars)
  }
  return chars
}

/**
 * Charges for comparing a value with one other: a list with all its lists, an object with `empty` by its keys.
 * Comparing an item is a step of the engine.
 */
export function chargeComparison(value: unknown, levels = 0): void {
  if (typeof value === 'string') chargeChars(value.length)
  else if (Array.isArray(value)) {
    chargeLevel(levels)
    charge(1 + STEP * value.length)
    for (const item of value) if (typeof item === 'string' || Array.isArray(item)) chargeComparison(item, levels + 1)
  } else if (isObject(value)) chargeNames(value)
}

/** Charges for counting the names of an object, as `size` and `empty` do. */
export function chargeNames(value: object): void {
  charge(UNITS_PER_NAME * Object.keys(value).length)
}

/** Charges for finding all places of one text in another; a search may compare each character with each. */
export function chargeSearch(chars: number, patternChars: number): void {
  const places = chars - patternChars + 1
  if (places > 0) charge(1 + (places * patternChars) / COMPARISONS_PER_UNIT)
}

function chargeLength(chars: number): void {
  if (chars > MAX_TEXT_CHARS) chargeText(chars)
}

/** Charges for a level of a list within lists; a list of templates may have any number. */
export function chargeLevel(levels: number): void {
  if (levels > MAX_LEVELS) charge(Number.POSITIVE_INFINITY)
}
