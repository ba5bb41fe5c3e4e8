// Creates the Liquid engine with its limits, and formats values for each kind of output.

import { Liquid } from 'liquidjs'
import { isTimeZone } from '../../domain/sending/quiet-hours.ts'
import { escapeMarkdown } from './markdown.ts'

/** The kind of output: plain text (never markup), Markdown, HTML (mail), or the layout of mails. */
export type OutputKind = 'text' | 'markdown' | 'html' | 'layout'

const MESSAGE = { sourceChars: 32_768, outputChars: 65_536 }
/** In characters. A layout is a whole page, and longer when it is made from MJML. */
export const TEMPLATE_LIMITS: Record<OutputKind, { sourceChars: number; outputChars: number }> = {
  text: MESSAGE,
  markdown: MESSAGE,
  html: MESSAGE,
  layout: { sourceChars: 524_288, outputChars: 524_288 },
}

const LIMITS = { renderLimit: 100, memoryLimit: 1_000_000 }

/** Tags that read other templates, and one that writes HTML. */
const REMOVED_TAGS = ['include', 'render', 'layout', 'block', 'tablerow']

const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const ESCAPES: Record<OutputKind, (text: string) => string> = {
  text: (text) => text,
  markdown: escapeMarkdown,
  html: escapeHtml,
  layout: escapeHtml,
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => HTML[char] as string)
}

/**
 * Formats a printed value: nothing for a missing one, lists item by item, other objects as JSON; escaped for its
 * output.
 */
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
  // Other objects belong to the engine (`empty`, `forloop`), which formats them itself.
  return isPlain ? JSON.stringify(value) : String(value)
}

/**
 * Creates an engine without files, foreign templates and unescaped output. Dates are printed in UTC unless a zone is
 * given.
 */
export function createEngine(kind: OutputKind): Liquid {
  const engine = new Liquid({
    ...LIMITS,
    parseLimit: TEMPLATE_LIMITS[kind].sourceChars,
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
  replaceDateFilter(engine)
  return engine
}

/** Maps signs of Liquid's `date` that this engine does not support to supported ones. */
const DATE_SIGNS: Record<string, string> = {
  '%F': '%Y-%m-%d',
  '%T': '%H:%M:%S',
  '%R': '%H:%M',
  '%D': '%m/%d/%y',
  '%r': '%I:%M:%S %p',
}

/**
 * Treats an invalid zone of `date` like a missing one, as quiet hours do: it is often the user's unchecked zone, and
 * must not prevent a message.
 */
function replaceDateFilter(engine: Liquid): void {
  const { date } = engine.filters
  if (typeof date !== 'function') throw new Error('Liquid filter not found: date')
  engine.registerFilter('date', function (value, format, zone) {
    const known = typeof format === 'string' ? format.replace(/%[%\w]/g, (sign) => DATE_SIGNS[sign] ?? sign) : format
    const isZone = typeof zone === 'string' ? isTimeZone(zone) : Number.isFinite(zone)
    return date.call(this, value, known, isZone ? zone : undefined)
  })
}
