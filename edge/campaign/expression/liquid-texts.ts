// Replaces the filters of texts that read more than they need, or that cut characters in two.

import { type Liquid, toValue } from 'liquidjs'
import { writeIntoAddress } from './address-values.ts'
import { charge, chargeText } from './budget.ts'
import { chargeAsText, chargeSearch, numberOf } from './value-cost.ts'

type Filter = Extract<Liquid['filters'][string], (...args: never[]) => unknown>

/** Units for finding and joining one word: 20 to 40 ns. */
const UNITS_PER_WORD = 2
const CHARS_PER_UNIT = 16

/** Returns a value as the engine's filters read it: a list item by item, a missing value and `nil` as no characters. */
export function textOf(given: unknown): string {
  if (typeof given === 'string') return given
  const value: unknown = toValue(given)
  if (value === undefined || value === null) return ''
  return Array.isArray(value) ? value.map(textOf).join('') : String(value)
}

function readText(value: unknown): string {
  charge(1 + chargeAsText(value) / CHARS_PER_UNIT)
  return textOf(value)
}

export const TEXT_FILTERS: Record<string, Filter> = {
  /** The engine's finds all words of the text. */
  truncatewords(value: unknown, words: unknown = 15, end: unknown = '...') {
    const text = readText(value)
    const count = numberOf(words)
    const wanted = count <= 0 ? 1 : count
    // A limit of `split` is cut to 32 bits; no text has as many words.
    const found = text.trimStart().split(/\s+/, Math.min(Math.ceil(wanted), text.length + 1))
    charge(UNITS_PER_WORD * found.length)
    return found.slice(0, wanted).join(' ') + (found.length >= wanted ? readText(end) : '')
  },
  /** The engine's cuts emoji in two. */
  split(value: unknown, separator: unknown) {
    const [text, by] = [readText(value), readText(separator)]
    chargeSearch(text.length, by.length)
    const parts = by === '' ? Array.from(text) : text.split(by)
    while (parts.at(-1) === '') parts.pop()
    return parts
  },
}

/** Filters that the engine does not have. */
export const OWN_TEXT_FILTERS: Record<string, Filter> = {
  /** Keeps what a value of a style consists of: no declaration, rule or address can begin in it. */
  css(value: unknown) {
    return readText(value).replace(/[^\p{L}\p{N}\s#%.,()+_-]/gu, '')
  },
  /** Writes a value into an address, where `boundAddresses` puts it. */
  url_value(value: unknown, mode: unknown) {
    const text = readText(value)
    charge(text.length)
    const written = writeIntoAddress(text, String(mode))
    chargeText(written.length)
    return written
  },
}
