// Creates the Liquid engine with its charges, and formats values for each kind of output.

import { Liquid } from 'liquidjs'
import { charge, chargeText } from './budget.ts'
import { meterFilters } from './liquid-filters.ts'
import { operators } from './liquid-operators.ts'
import { meterRenderer } from './liquid-render.ts'
import { replaceTags } from './liquid-tags.ts'
import { escapeMarkdown } from './markdown.ts'
import { chargeAsJson, chargeLevel, isPlainObject } from './value-cost.ts'

/** The kind of output: plain text (never markup), Markdown, HTML (mail), or the layout of mails. */
export type OutputKind = 'text' | 'markdown' | 'html' | 'layout'

const MESSAGE = { sourceChars: 32_768, outputChars: 65_536 }
/** The HTML of a mail and its layout are whole pages, and longer when a tool made them. */
const PAGE = { sourceChars: 524_288, outputChars: 524_288 }
/** In characters. */
export const TEMPLATE_LIMITS: Record<OutputKind, { sourceChars: number; outputChars: number }> = {
  text: MESSAGE,
  markdown: MESSAGE,
  html: PAGE,
  layout: PAGE,
}

const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const ESCAPES: Record<OutputKind, (text: string) => string> = {
  text: (text) => text,
  markdown: escapeMarkdown,
  html: escapeHtml,
  layout: escapeHtml,
}

/** Escaping takes up to 100 ns for a character. */
const CHARS_PER_UNIT: Record<OutputKind, number> = { text: 16, markdown: 1, html: 1, layout: 1 }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => HTML[char] as string)
}

/**
 * Formats a printed value: nothing for a missing one, lists item by item, other objects as JSON; escaped for its
 * output.
 * @throws OverBudget
 */
export function textOf(value: unknown, kind: OutputKind): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = plainTextOf(value, 0)
  charge(text.length / CHARS_PER_UNIT[kind])
  return ESCAPES[kind](text)
}

function plainTextOf(value: unknown, level: number): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return listTextOf(value, level + 1)
  if (typeof value !== 'object') return String(value)
  // Other objects belong to the engine (`empty`, `forloop`), which formats them itself.
  if (!isPlainObject(value)) return String(value)
  chargeText(chargeAsJson(value))
  return JSON.stringify(value)
}

function listTextOf(list: unknown[], level: number): string {
  chargeLevel(level)
  charge(1 + list.length)
  let text = ''
  for (const item of list) {
    const printed = plainTextOf(item, level)
    chargeText(text.length + printed.length)
    text += printed
  }
  return text
}

/**
 * Creates an engine without files, foreign templates and unescaped output. Dates are printed in UTC unless a zone is
 * given.
 */
export function createEngine(kind: OutputKind): Liquid {
  const engine = new Liquid({
    operators,
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
  replaceTags(engine)
  meterFilters(engine)
  meterRenderer(engine)
  return engine
}
