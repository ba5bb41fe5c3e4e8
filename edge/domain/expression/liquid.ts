// The Liquid engine with its limits, and how a value becomes text for each kind of output (contract section 6).

import { Liquid } from 'liquidjs'
import { isTimeZone } from '../sending/quiet-hours.ts'
import { escapeMarkdown } from './markdown.ts'

/** What the output becomes: plain text (never markup), Markdown, or HTML (mail). */
export type OutputKind = 'text' | 'markdown' | 'html'

const LIMITS = { parseLimit: 40_000, renderLimit: 100, memoryLimit: 1_000_000 }

/** Tags that read other templates, and one that writes HTML of its own. */
const REMOVED_TAGS = ['include', 'render', 'layout', 'block', 'tablerow']

const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const ESCAPES: Record<OutputKind, (text: string) => string> = {
  text: (text) => text,
  markdown: escapeMarkdown,
  html: (text) => text.replace(/[&<>"']/g, (char) => HTML[char] as string),
}

/** A value as printed: nothing for a missing one, lists item by item, other objects as JSON; escaped for its output. */
export function textOf(value: unknown, kind: OutputKind): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return ESCAPES[kind](plainTextOf(value))
}

function plainTextOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(plainTextOf).join('')
  if (typeof value !== 'object') return String(value)
  const isPlain = Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null
  // What is not plain is the engine's own (`empty`, `forloop`): it knows how to print itself.
  return isPlain ? JSON.stringify(value) : String(value)
}

/** An engine without files, foreign templates and unescaped output. Dates are printed in UTC unless a zone is given. */
export function createEngine(kind: OutputKind): Liquid {
  const engine = new Liquid({
    ...LIMITS,
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: false,
    dynamicPartials: false,
    relativeReference: false,
    templates: {},
    timezoneOffset: 0,
    locale: 'en-US',
    outputEscape: (value: unknown) => textOf(value, kind),
  })
  for (const tag of REMOVED_TAGS) delete engine.tags[tag]
  delete engine.filters.raw
  mendDates(engine)
  return engine
}

/** Signs of Liquid's `date` that this engine would print as they stand, by those that it knows. */
const DATE_SIGNS: Record<string, string> = {
  '%F': '%Y-%m-%d',
  '%T': '%H:%M:%S',
  '%R': '%H:%M',
  '%D': '%m/%d/%y',
  '%r': '%I:%M:%S %p',
}

/**
 * The zone of a `date` is often the user's, which nobody judged: one that is none counts as none, as for quiet hours, and
 * costs no message.
 */
function mendDates(engine: Liquid): void {
  const { date } = engine.filters
  if (typeof date !== 'function') throw new Error('The engine has no filter "date".')
  engine.registerFilter('date', function (value, format, zone) {
    const known = typeof format === 'string' ? format.replace(/%[%\w]/g, (sign) => DATE_SIGNS[sign] ?? sign) : format
    const isZone = typeof zone === 'string' ? isTimeZone(zone) : Number.isFinite(zone)
    return date.call(this, value, known, isZone ? zone : undefined)
  })
}
