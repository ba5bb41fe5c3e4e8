// Keeps what a capture holds both as markup, which is printed as it is, and as text, which all else reads.

import { charge, chargeChars, checkText } from './budget.ts'
import { escapeMarkdown } from './markdown.ts'

/** The kind of output: plain text (never markup), Markdown, HTML (mail), or the layout of mails. */
export type OutputKind = 'text' | 'markdown' | 'html' | 'layout'

const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const ESCAPES: Record<OutputKind, (text: string) => string> = {
  text: (text) => text,
  markdown: escapeMarkdown,
  html: escapeHtml,
  layout: escapeHtml,
}
/** An escaped character takes up to 60 ns, and the text grows by at least one character for it. Markdown also drops characters. */
const UNITS_PER_ADDED = 2

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => HTML[char] as string)
}

/** Escapes a text for its output. @throws OverBudget */
export function escapeText(text: string, kind: OutputKind): string {
  // A plain text is not read here: joining texts copies nothing.
  if (kind === 'text') return text
  chargeChars(text.length)
  const escaped = ESCAPES[kind](text)
  charge((escaped.length - text.length) * UNITS_PER_ADDED)
  return escaped
}

/**
 * A text with its markup, in which every value is escaped. Only captures and the filters below make one; where a text
 * is expected, JavaScript and the engine read the unescaped text, which is escaped again when it is printed.
 */
export class Markup {
  readonly text: string
  readonly markup: string
  constructor(text: string, markup: string) {
    this.text = text
    this.markup = markup
  }
  toString(): string {
    return this.text
  }
  toJSON(): string {
    return this.text
  }
}

/** Returns the text of a value with markup, and any other value as it is. */
export function withoutMarkup(value: unknown): unknown {
  return value instanceof Markup ? value.text : value
}

function markupOf(value: Markup | string, kind: OutputKind): string {
  return typeof value === 'string' ? escapeText(value, kind) : value.markup
}

/** Joins two texts. The result has markup when one of them has. @throws OverBudget */
export function joinMarkup(left: Markup | string, right: Markup | string, kind: OutputKind): Markup | string {
  charge(1)
  const text = `${left}${right}`
  checkText(text.length)
  if (typeof left === 'string' && typeof right === 'string') return text
  const markup = markupOf(left, kind) + markupOf(right, kind)
  checkText(markup.length)
  return new Markup(text, markup)
}

/** A line break of each kind; the two spaces of Markdown are nothing where a paragraph ends. */
const BREAKS: Record<Exclude<OutputKind, 'text'>, string> = {
  markdown: '  \n',
  html: '<br />\n',
  layout: '<br />\n',
}

/** Returns a text whose lines are shown as lines. @throws OverBudget */
export function breakLines(value: Markup | string, kind: Exclude<OutputKind, 'text'>): Markup {
  const markup = markupOf(value, kind)
  chargeChars(markup.length)
  const broken = markup.replace(/\r?\n/g, BREAKS[kind])
  charge(broken.length - markup.length)
  checkText(broken.length)
  return new Markup(String(value), broken)
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&#34;': '"',
  '&quot;': '"',
  '&#39;': "'",
}

/** Reads the entities that `escape` writes. */
export function unescapeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|#34|quot|#39);/g, (entity) => ENTITIES[entity] as string)
}
