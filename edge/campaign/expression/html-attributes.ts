// Puts attributes without quotation marks into them where they print values: white space in a value would begin another attribute.

import { readMarkup } from '../../lib/markup.ts'
import { maskLiquid, OUTPUT_MARK } from './html-places.ts'

const VALUE = /=\s*(?:"[^"]*"|'[^']*'|([^\s"'<>`]+))/g

/** @returns the template with quotation marks around each printed value of an attribute that has none */
export function quoteAttributes(source: string): string {
  if (!/=\s*[^\s"'<>={]*\{\{/.test(source)) return source
  const masked = maskLiquid(source)
  const cuts: number[] = []
  let at = 0
  readMarkup(masked, ({ kind, written, name, attributes }) => {
    const begin = at + 1 + name.length
    at += written.length
    if (kind !== 'start') return
    for (const { 0: whole, 1: value, index } of attributes.matchAll(VALUE)) {
      const end = begin + index + whole.length
      if (value?.includes(OUTPUT_MARK)) cuts.push(end - value.length, end)
    }
  })
  const pieces = [0, ...cuts].map((from, place) => source.slice(from, cuts[place]))
  return pieces.join('"')
}
