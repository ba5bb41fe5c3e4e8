// Creates the Liquid engine with its charges, and formats values for each kind of output.

import { Liquid, toValue } from 'liquidjs'
import { charge, chargeText } from './budget.ts'
import { meterFilters } from './liquid-filters.ts'
import { escapeText, Markup, type OutputKind } from './liquid-markup.ts'
import { operators } from './liquid-operators.ts'
import { meterRenderer } from './liquid-render.ts'
import { addSnippets } from './liquid-snippets.ts'
import { replaceTags } from './liquid-tags.ts'
import { chargeAsJson, chargeLevel, isPlainObject } from './value-cost.ts'

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

/**
 * Formats a printed value: nothing for a missing one, lists item by item, other objects as JSON; escaped for its
 * output.
 * @throws OverBudget
 */
export function textOf(value: unknown, kind: OutputKind): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof Markup) return value.markup
  return escapeText(plainTextOf(value, 0), kind)
}

/** Returns what a node prints, with its text where that differs: a tag may keep it. @throws OverBudget */
function printedOf(value: unknown, kind: OutputKind): Markup | string {
  charge(1)
  if (value instanceof Markup) return value
  const text = plainTextOf(value, 0)
  const markup = textOf(text, kind)
  return markup === text ? text : new Markup(text, markup)
}

function plainTextOf(given: unknown, level: number): string {
  if (typeof given === 'string') return given
  const value: unknown = toValue(given)
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
    // The engine passes it on to what collects the output.
    outputEscape: (value: unknown) => printedOf(value, kind) as string,
  })
  replaceTags(engine)
  // A layout belongs to an organisation, and texts to an environment.
  if (kind !== 'layout') addSnippets(engine, kind)
  meterFilters(engine, kind)
  meterRenderer(engine, kind)
  return engine
}
