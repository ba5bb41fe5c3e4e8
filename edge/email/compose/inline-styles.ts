// Writes the rules of style elements into the elements that they mean: many mail programs read nothing else.

import { inline } from '@css-inline/css-inline'
import { createCache } from '../../lib/cache.ts'
import { measureMarkup } from '../../lib/markup.ts'
import { estimateMs } from './inline-cost.ts'
import { findUnreadable } from './style-selectors.ts'
import { readStyles, type StyleShape, shapeOf, writeStyles } from './style-shape.ts'

/** Why styles are not, or not all, written into their elements. */
export interface StyleFault {
  message: string
  /** The place in the HTML (0-based); null for the whole of it. */
  at: number | null
}

/** The library is recursive: some 4,000 levels end the process. Parsers add rows and bodies to tables: twice the levels. */
const MAX_DEPTH = 500
/** As estimated: one to three times the real time, of which a sandbox has a second. */
const MAX_MS = 300
/** Styles that are tried one by one when the library refuses one: each takes 40 µs. */
const MAX_TRIED = 2000
const MAX_FAULTS = 20
/** Of all shapes that are kept. */
const MAX_CHARS = 4 * 1024 * 1024

interface Inlined {
  /** Of each start tag; undefined where it stays as it is. */
  styles: (string | undefined)[]
  /** Places of start tags that stay as they are, as their style cannot be read. */
  left: number[]
  fault: string | null
  /** Selectors that the library does not read. */
  unread: string[]
}

/** Mails of one layout and step have the same elements and styles: the library reads them once, not for each mail. */
const inlined = createCache<string, Inlined>({
  maxSize: MAX_CHARS,
  sizeOf: ({ styles }, shape) => styles.reduce((sum, style) => sum + (style?.length ?? 0) + 8, 1 + shape.length),
})

/**
 * Style elements stay as well: media queries and states live there. Nothing but attributes `style` is changed. An
 * attribute that cannot be read stays as it is.
 */
export function inlineStyles(html: string): { html: string; faults: StyleFault[] } {
  const source = shapeOf(html)
  const known = inlined.get(source.shape) ?? inlineShape(html, source)
  inlined.set(source.shape, known)
  return { html: writeStyles(html, source, known.styles), faults: listFaults(html, source, known) }
}

function inlineShape(html: string, { shape, styles, left }: StyleShape): Inlined {
  const none = { styles: [], left: [], unread: [] }
  // The library reads the styles of elements alone that a rule means.
  const unreadable = () => [...left, ...listUnreadable(styles)]
  if (!/<style\b/i.test(shape)) return { ...none, left: unreadable(), fault: null }
  const { depth } = measureMarkup(shape, { selfCloses: false })
  if (depth > MAX_DEPTH)
    return { ...none, fault: `Styles are not inlined: elements are nested more than ${MAX_DEPTH} levels deep.` }
  const sheets = (shape.match(/<style\b[\s\S]*?(?:<\/style|$)/gi) ?? []).join('\n')
  if (estimateMs(shape, sheets) > MAX_MS) {
    return { ...none, fault: 'Styles are not inlined: the style sheets have too many rules for so many elements.' }
  }
  const unread = findUnreadable(sheets.replace(/<\/?style[^>]*>?/gi, ''))
  const whole = tryInline(shape)
  if (whole !== undefined) return { styles: readStyles(whole), left: unreadable(), fault: null, unread }
  const bad = new Set(
    [...new Set(styles)].filter((style, at) => style !== undefined && (at >= MAX_TRIED || isUnreadable(style))),
  )
  const readable = shapeOf(html, new Set(placesOf(bad, styles)))
  const rest = tryInline(readable.shape)
  if (rest === undefined) return { ...none, fault: 'Styles are not inlined: the library cannot read the style sheets.' }
  return { styles: readStyles(rest), left: readable.left, fault: null, unread }
}

/** Without signs that another one has to end, a declaration is read. */
const PLAIN = /^\s*(?:[-\w]+\s*:[^{}"'\\()]*)?$/
const isPlain = (style: string) => style.split(';').every((declaration) => PLAIN.test(declaration))

/** @returns the places of start tags whose style cannot be read */
function listUnreadable(styles: StyleShape['styles']): number[] {
  const odd = [...new Set(styles)].filter((style) => style !== undefined && !isPlain(style)).slice(0, MAX_TRIED)
  return placesOf(new Set(odd.filter((style) => style !== undefined && isUnreadable(style))), styles)
}

const placesOf = (bad: ReadonlySet<string | undefined>, styles: StyleShape['styles']) =>
  styles.flatMap((style, place) => (bad.has(style) ? [place] : []))

const isUnreadable = (style: string) => tryInline(`<style>p{a:b}</style><p style="${style}">x</p>`) === undefined

/** @returns undefined for styles that the library cannot read: it refuses the whole page for one attribute */
function tryInline(html: string): string | undefined {
  try {
    return inline(html, { keepStyleTags: true, loadRemoteStylesheets: false })
  } catch {
    return undefined
  }
}

function listFaults(html: string, { parts, end }: StyleShape, { left, fault, unread }: Inlined): StyleFault[] {
  const faults: StyleFault[] = fault === null ? [] : [{ message: fault, at: null }]
  if (left.length > 0) {
    const isListed = new Set(left.slice(0, MAX_FAULTS))
    let [place, at] = [0, 0]
    for (const { kind, written } of parts) {
      if (kind === 'start' && isListed.has(place++)) faults.push({ message: UNREADABLE, at })
      at += written.length
    }
  }
  for (const selector of unread.slice(0, MAX_FAULTS)) {
    const at = html.indexOf(selector)
    faults.push({ message: NOT_READ.replace('{}', () => selector.slice(0, 100)), at: at < 0 ? null : at })
  }
  if (end < html.length) faults.push({ message: UNCLEAR, at: end })
  return faults
}

const UNREADABLE = 'The style attribute of this element cannot be read, so it stays as it is: write `property: value`.'
const NOT_READ =
  'This rule cannot be inlined, so programs that read no style sheets show nothing of it: {}. Name elements, classes and IDs.'
const UNCLEAR =
  'Programs read the markup from here on in different ways: styles are not inlined, links are not followed, addresses without a host stay as they are, and printed values need quotation marks.'
