// Defines the filters that keep the markup of a capture, or that make markup.

import type { Context, Liquid } from 'liquidjs'
import { readWritten } from './address-states.ts'
import { charge, chargeChars } from './budget.ts'
import { inLowerCase, keepBeginning, keepsOrigins } from './built-beginning.ts'
import { breakLines, joinMarkup, Markup, type OutputKind, unescapeHtml } from './liquid-markup.ts'
import { textOf } from './liquid-texts.ts'
import { noteDroppedLink } from './noted-doubts.ts'
import { builtOf } from './snippet-arguments.ts'
import { chargeAsText } from './value-cost.ts'

type Filter = Extract<Liquid['filters'][string], (...args: never[]) => unknown>

function readMarkup(value: unknown): Markup | string {
  if (value instanceof Markup || typeof value === 'string') return value
  chargeAsText(value)
  return textOf(value)
}

/** Charges for a text that is added to another, which is not read. */
function readAdded(value: unknown): Markup | string {
  const added = readMarkup(value)
  chargeChars(added instanceof Markup ? added.markup.length : added.length)
  return added
}

function createJoin(name: string, kind: OutputKind, isBefore: boolean): Filter {
  return (...operands: unknown[]) => {
    charge(1)
    if (operands.length !== 2) throw new Error(`${name} expect 2 arguments`)
    const [value, added] = [readMarkup(operands[0]), readAdded(operands[1])]
    return isBefore ? joinMarkup(added, value, kind) : joinMarkup(value, added, kind)
  }
}

/** What is printed is escaped anyway, so that these return the text. */
const ESCAPES: Record<string, Filter> = {
  escape: (value) => unmarked(value),
  xml_escape: (value) => unmarked(value),
  escape_once: (value) => unescapeHtml(unmarked(value)),
}

function unmarked(value: unknown): string {
  const text = String(readMarkup(value))
  chargeChars(text.length)
  return text
}

/** Keeps the origin of an address, where `boundAddresses` puts it. One that has it stays the value that it is. */
function keepOrigin(context: Context, value: unknown, beginnings: unknown, kind: OutputKind): unknown {
  if (value === undefined || value === null) return value
  const read = readMarkup(value)
  const written = read instanceof Markup ? read.markup : read
  chargeChars(written.length + String(beginnings).length)
  const address = read instanceof Markup ? readWritten(written, kind) : read
  const kept = keepBeginning(address, String(beginnings)) ?? keepGiven(context, address)
  if (kept === '') noteDroppedLink(address)
  return kept ?? value
}

/** Leaves out a list of addresses, one of which is of a host that only a value names. */
function keepOrigins(value: unknown, origins: unknown): unknown {
  if (value === undefined || value === null) return value
  const list = String(readMarkup(value))
  chargeChars(list.length + String(origins).length)
  if (keepsOrigins(list, String(origins))) return value
  noteDroppedLink(list)
  return ''
}

/** Of an address that a snippet was given, also with something behind it: the longest that it begins with decides. */
function keepGiven(context: Context, address: string): string | undefined {
  const built = builtOf(context)
  if (built.length === 0) return undefined
  charge(built.length)
  const begin = inLowerCase(address.trim())
  const given = built.filter(({ text }) => begin.startsWith(text))
  chargeChars(given.length * begin.length)
  const [longest] = given.sort((a, b) => b.text.length - a.text.length)
  return longest && keepBeginning(address, longest.beginnings)
}

/** Returns these filters for a kind of output. In plain texts, nothing is escaped and `escape` is the engine's. */
export function createMarkupFilters(kind: OutputKind, published: Liquid['filters']): Record<string, Filter> {
  const joins = {
    append: createJoin('append', kind, false),
    prepend: createJoin('prepend', kind, true),
    url_built(this: { context: Context }, value: unknown, beginnings: unknown) {
      return keepOrigin(this.context, value, beginnings, kind)
    },
    url_list: keepOrigins,
  }
  if (kind === 'text') return joins
  const whenMissing = published.default
  if (typeof whenMissing !== 'function') throw new Error('Liquid has no filter default')
  return {
    ...joins,
    ...ESCAPES,
    newline_to_br: (value) => breakLines(readMarkup(value), kind),
    default(value, ...args) {
      charge(1)
      if (value instanceof Markup && value.text !== '') return value
      return whenMissing.call(this, value instanceof Markup ? '' : value, ...args)
    },
  }
}
