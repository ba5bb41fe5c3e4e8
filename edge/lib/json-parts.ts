// Parses a large JSON object in parts: each item of one of its lists by itself, with other work in between.

import { randomUUID } from 'node:crypto'
import { createTimeSlices } from './time-slices.ts'

/** Stands for a list in the text around it; nobody outside of this process knows it. */
const MARK = randomUUID()

export interface Listed {
  /** The key of the list. */
  name: string
  /** Of a list with more items, which its caller refuses, only one more is taken, and the rest is not parsed. */
  maxItems: number
}

/**
 * Parses an object of which one list may have many items.
 * @returns The same as `parse(text)`, but for a list of too many items.
 * @param checkRest Gets the number of characters outside of these lists, before they are parsed at once; may throw.
 * @throws What `parse` throws: SyntaxError.
 */
export async function parseInParts(
  text: string,
  listed: Listed,
  parse: (text: string) => unknown,
  checkRest: (chars: number) => void = () => {},
): Promise<unknown> {
  const { name } = listed
  const isObject = text.trimStart().startsWith('{')
  const { around, lists } = isObject ? takeLists(text, listed) : { around: text, lists: [] }
  checkRest(around.length)
  const value = parse(around)
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
  const endSlice = createTimeSlices()
  let parsed: unknown[] = []
  for (const [index, list] of lists.entries()) {
    const items: unknown[] = []
    for (const item of list) {
      items.push(parse(item))
      await endSlice()
    }
    if (Array.isArray(found) && found[0] === markOf(index)) parsed = items
  }
  // Of several lists with the name the last one stands, as in `JSON.parse`.
  if (parsed.length > 0) (value as Record<string, unknown>)[name] = parsed
  return value
}

const markOf = (index: number): string => `${MARK}:${index}`

/**
 * Takes the items of each list of this key out of the text, without checking them: the caller parses all parts.
 * A text with a fault has it in one of the parts.
 */
function takeLists(text: string, { name, maxItems }: Listed): { around: string; lists: string[][] } {
  const key = `"${name}"`
  const around: string[] = []
  const lists: string[][] = []
  let from = 0
  let depth = 0
  let lastText = ''
  for (let at = 0; at < text.length; at++) {
    const unit = text[at]
    if (unit === '"') {
      const end = endOfText(text, at)
      if (depth === 1) lastText = text.slice(at, end + 1)
      at = end
    } else if (unit === '[' && depth === 1 && lastText === key) {
      const list = takeItems(text, at + 1, maxItems)
      if (list.items.length > 0) {
        around.push(text.slice(from, at + 1), `"${markOf(lists.length)}"`)
        lists.push(list.items)
        from = list.end
      }
      // The end of the list stays in the text around it.
      at = list.end
    } else if (unit === '{' || unit === '[') depth++
    else if (unit === '}' || unit === ']') depth--
  }
  around.push(text.slice(from))
  return { around: around.join(''), lists }
}

/** @returns The items, none for an empty list, and the index of what ends it. */
function takeItems(text: string, start: number, maxItems: number): { items: string[]; end: number } {
  const items: string[] = []
  let from = start
  let depth = 0
  let at = start
  for (; at < text.length; at++) {
    const unit = text[at]
    if (unit === '"') at = endOfText(text, at)
    else if (unit === '{' || unit === '[') depth++
    else if (unit === '}' || unit === ']') {
      if (depth === 0) break
      depth--
    } else if (unit === ',' && depth === 0 && items.length <= maxItems) {
      items.push(text.slice(from, at))
      from = at + 1
    }
  }
  if (items.length > maxItems) return { items, end: at }
  const last = text.slice(from, at)
  if (items.length > 0 || last.trim() !== '') items.push(last)
  return { items, end: at }
}

/** @returns The index of the quote that ends the text, or of the last unit. */
function endOfText(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
