// Parses the JSON that others send: keeps the digits of integers that no double holds, and takes a byte order mark.

import { randomUUID } from 'node:crypto'

/** A number outside of a string with 16 digits or more: no shorter integer is unsafe. */
const LONG_NUMBER = /(?:^|[\s,:[-])\d{16}/
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const INTEGER = /^(-?\d+)(\.0+)?$/
/** Begins the texts that stand for large integers; nobody outside of this process knows it. */
const MARK = `${randomUUID()}:`

/** The objects and lists of parsed values that hold a bigint, at any depth. */
const holders = new WeakSet<object>()

/**
 * Parses JSON.
 * @returns The value; an integer beyond ±(2^53 − 1) is the string of its digits.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  return parseQuoting(text, '')
}

/**
 * Parses JSON whose large integers are allowed in some places only.
 * @returns The value; an integer beyond ±(2^53 − 1) is a bigint, which `keepDigits` turns into a string.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  const value = parseQuoting(text, MARK)
  if (LONG_NUMBER.test(text)) unmark(value)
  return value
}

/** Turns the bigints of a parsed value into strings, in place; costs one lookup where it holds none. */
export function keepDigits(parsed: unknown, within: unknown = parsed): void {
  if (typeof parsed !== 'object' || parsed === null || !holders.has(parsed)) return
  const stack = [within]
  for (let holder = stack.pop(); holder !== undefined; holder = stack.pop()) {
    for (const [key, value] of entriesOf(holder)) {
      if (typeof value === 'bigint') (holder as Record<string, unknown>)[key] = value.toString()
      else if (typeof value === 'object' && value !== null) stack.push(value)
    }
  }
}

/** @returns JSON text of a value that `parseExactJson` returned. */
export function writeExactJson(parsed: object): string {
  if (!holders.has(parsed)) return JSON.stringify(parsed)
  return JSON.stringify(parsed, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
}

function parseQuoting(text: string, mark: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const value: unknown = JSON.parse(json)
  // Parsed before, so that what is quoted is valid: each string ends, each number has the grammar of JSON.
  return LONG_NUMBER.test(json) ? JSON.parse(quoteLargeIntegers(json, mark)) : value
}

function quoteLargeIntegers(json: string, mark: string): string {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < json.length; at++) {
    if (json[at] === '"') at = endOfString(json, at)
    else if (isNumberStart(json.charCodeAt(at))) {
      NUMBER.lastIndex = at
      const [number] = NUMBER.exec(json) as RegExpExecArray
      const digits = digitsOfLarge(number)
      if (digits !== undefined) {
        parts.push(json.slice(from, at), `"${mark}${digits}"`)
        from = at + number.length
      }
      at += number.length - 1
    }
  }
  parts.push(json.slice(from))
  return parts.join('')
}

/** @returns The index of the quote that ends the string. */
function endOfString(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}

function isNumberStart(unit: number): boolean {
  return unit === 45 || (unit >= 48 && unit <= 57)
}

/**
 * @returns the digits of an integer that no double is sure to keep. One that is written with a fraction, as doubles are by
 * some programs, stays a number where the double has its value. Beyond the range of a double it stays, and is refused.
 */
function digitsOfLarge(number: string): string | undefined {
  const [, digits, fraction] = INTEGER.exec(number) ?? []
  const value = Number(digits)
  if (digits === undefined || Number.isSafeInteger(value) || !Number.isFinite(value)) return undefined
  return fraction === undefined || BigInt(digits) !== BigInt(value) ? digits : undefined
}

interface Holder {
  value: object
  parent: Holder | undefined
}

/** Puts bigints in place of the marked texts, without recursion. */
function unmark(root: unknown): void {
  if (typeof root !== 'object' || root === null) return
  const stack: Holder[] = [{ value: root, parent: undefined }]
  for (let holder = stack.pop(); holder !== undefined; holder = stack.pop()) {
    for (const [key, value] of entriesOf(holder.value)) {
      if (typeof value === 'object' && value !== null) stack.push({ value, parent: holder })
      if (typeof value !== 'string' || !value.startsWith(MARK)) continue
      Object.defineProperty(holder.value, key, { value: BigInt(value.slice(MARK.length)) })
      remember(holder)
    }
  }
}

function remember(holder: Holder): void {
  for (let at: Holder | undefined = holder; at !== undefined && !holders.has(at.value); at = at.parent) {
    holders.add(at.value)
  }
}

function entriesOf(holder: unknown): [string, unknown][] {
  return Object.entries(holder as Record<string, unknown>)
}
