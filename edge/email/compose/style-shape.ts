// Makes a page for the library that inlines styles: the elements of a mail, each with a mark, and nothing that only its
// readers need. The library never writes a mail: only the styles that it finds are taken from it.

import { randomUUID } from 'node:crypto'
import { type MarkupPart, readMarkup, replaceAttributes } from '../../lib/markup.ts'
import { expandSelectors } from './style-selectors.ts'

export interface StyleShape {
  /** Equal for mails of one layout and step, whose texts and addresses differ. */
  shape: string
  parts: MarkupPart[]
  /** The attribute `style` of each start tag in its order, as the library gets it; undefined without one that it can get. */
  styles: (string | undefined)[]
  /** Places of start tags whose `style` the library does not get: they stay as they are. */
  left: number[]
  /** Where parsers may read the markup in several ways: from there on nothing is inlined. */
  end: number
}

/** Nobody else knows it, so no text contains it. */
const MARK = `mark-${randomUUID()}`
const PLACE = new RegExp(`\\s${MARK}="(\\d+)"`)
const TAG = /<[a-z][^\s<>]*((?:\s+[^\s"=<>]+(?:="[^"]*")?)+)>/gi
/** The library leaves an element with it alone. */
const IGNORE = ' data-css-inline="ignore"'
/** Attributes that the library or usual selectors read. Others count when a selector names one. */
const KEPT = new Set(['class', 'id', 'lang', 'dir', 'media', 'type', 'data-css-inline'])

/** @param unreadable places of start tags with a style that the library cannot read */
export function shapeOf(html: string, unreadable: ReadonlySet<number> = new Set()): StyleShape {
  const parts: MarkupPart[] = []
  const end = readMarkup(html, (part) => parts.push(part))
  // The library always gets `style`.
  const keepsAll = parts.some(
    ({ kind, written }, at) => kind === 'text' && isSheet(parts, at) && /\[(?!style\b)/.test(written),
  )
  const styles: (string | undefined)[] = []
  const left: number[] = []
  let shape = ''
  for (const [at, part] of parts.entries()) {
    const { kind, written, name, attributes } = part
    if (kind === 'start') {
      const { others, style } = keepAttributes(attributes, keepsAll)
      const isLeft = unreadable.has(styles.length) || style === null
      if (isLeft) left.push(styles.length)
      const kept = isLeft ? IGNORE : style === undefined ? '' : ` style="${style}"`
      const isSheetOfSome = /^style$/i.test(name) && !isForAll(attributes)
      shape += `<${name}${others}${isSheetOfSome ? IGNORE : ''} ${MARK}="${styles.length}"${kept}>`
      styles.push(isLeft ? undefined : style)
    } else if (kind === 'text')
      shape += isSheet(parts, at) ? expandSelectors(written) : written.trim() === '' ? written : 'x'
    else if (kind === 'end' || /^<!doctype/i.test(written)) shape += written
  }
  return { shape, parts, styles, left, end }
}

const isSheet = (parts: MarkupPart[], at: number) =>
  parts[at - 1]?.kind === 'start' && /^style$/i.test(parts[at - 1]?.name ?? '')

/** Whether the rules of a style element hold on each screen: others stay in the head alone, as media queries do. */
function isForAll(attributes: string): boolean {
  const found: Record<string, string> = {}
  replaceAttributes(attributes, (name, value) => {
    found[name] ??= value
    return undefined
  })
  const { media = '', type = '' } = found
  const isOfScreens = media.split(',').some((one) => /^\s*(?:all|screen)?\s*$/i.test(one))
  return isOfScreens && /^\s*(?:text\/css)?\s*$/i.test(type)
}

/** @returns the style as `toStyle` does, undefined without one */
function keepAttributes(attributes: string, keepsAll: boolean): { others: string; style: string | null | undefined } {
  let others = ''
  let written: string | undefined
  replaceAttributes(attributes, (name, value) => {
    if (name === 'style') written ??= value
    // The library writes classes as they are, and a quotation mark would end the attribute.
    else if (name === 'class') others += ` class="${value.replace(/["&<>]/g, '_')}"`
    else if (keepsAll || KEPT.has(name)) others += ` ${name}="${value.replaceAll('"', '&quot;')}"`
    return undefined
  })
  return { others, style: written === undefined ? undefined : toStyle(written) }
}

const CHARS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi
/** Stand for what the library writes in two ways. */
const STANDS = { '&': '\ue000', '\u00a0': '\ue001' } as const

/** @returns the style with its references decoded; null where the library would change its meaning */
function toStyle(written: string): string | null {
  if (/&[a-z#]/i.test(written.replace(REFERENCE, ''))) return null
  const style = written
    .replace(REFERENCE, (_, name?: string, decimal?: string, hex?: string) =>
      name === undefined
        ? decode(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal))
        : (CHARS[name.toLowerCase()] ?? ''),
    )
    .replace(/"([^"']*)"/g, "'$1'")
    .replace(/[&\u00a0]/g, (char) => STANDS[char as keyof typeof STANDS])
  return style.includes('"') || style.includes('\ufffd') ? null : style
}

/** A number that is no character, or that parsers read as another one, gives U+FFFD. */
function decode(code: number): string {
  return code < 32 || (code > 126 && code < 160) || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)
    ? '\ufffd'
    : String.fromCodePoint(code)
}

/** Reads what the library made of a shape. @returns the style of each start tag; undefined where it has none */
export function readStyles(inlined: string): (string | undefined)[] {
  const styles: (string | undefined)[] = []
  for (const [, attributes = ''] of inlined.matchAll(TAG)) {
    const place = PLACE.exec(attributes)?.[1]
    // Parsers repeat elements that other elements end; the first one is that of the tag.
    if (place !== undefined) styles[Number(place)] ??= /\sstyle="([^"]*)"/.exec(attributes)?.[1]
  }
  return styles
}

/** Writes styles into the start tags of the mail; everything else stays as it is. */
export function writeStyles(html: string, { parts, styles, end }: StyleShape, found: (string | undefined)[]): string {
  let place = 0
  const written = parts.map((part) => {
    if (part.kind !== 'start') return part.written
    const style = found[place]
    const isChanged = style !== undefined && style.trim() !== '' && style !== styles[place]
    place++
    return isChanged ? withStyle(part, escapeStyle(style)) : part.written
  })
  return written.join('') + html.slice(end)
}

function withStyle({ written, name, attributes }: MarkupPart, style: string): string {
  let hasStyle = false
  const changed = replaceAttributes(attributes, (key) => {
    if (key !== 'style' || hasStyle) return undefined
    hasStyle = true
    return style
  })
  const rest = written.slice(1 + name.length + attributes.length)
  return `<${name}${hasStyle ? changed : `${attributes} style="${style}"`}${rest}`
}

function escapeStyle(style: string): string {
  return style
    .replaceAll(STANDS['&'], '&')
    .replaceAll(STANDS['\u00a0'], '\u00a0')
    .replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? char)
}
