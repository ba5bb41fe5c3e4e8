// Writes the rules of style elements into the elements that they mean: many mail programs read nothing else.

import { inline } from '@css-inline/css-inline'
import { createCache } from '../../lib/cache.ts'
import { measureMarkup } from '../../lib/markup.ts'
import { fillShape, shapeOf, splitShape } from './markup-shape.ts'

/** The library is recursive: some 4,000 levels end the process. Parsers add rows and bodies to tables: twice the levels. */
const MAX_DEPTH = 500
/** Its time grows with the elements and with the square of the declarations: at most some 150 ms. */
const MAX_COST = 3e7
/** Of all shapes that are kept. */
const MAX_CHARS = 4 * 1024 * 1024

/** Mails of one layout and step have the same elements and styles: the library reads them once, not for each mail. */
const inlined = createCache<string, string[]>({
  maxSize: MAX_CHARS,
  sizeOf: (pieces, shape) => shape.length + pieces.reduce((sum, piece) => sum + piece.length, 0),
})

/**
 * Style elements stay as well: media queries and states live there. What is nested too deeply, or has too many styles
 * for its size, is returned unchanged.
 */
export function inlineStyles(html: string): string {
  const found = shapeOf(html)
  if (found === undefined) return inlineAll(html)
  const { shape, values } = found
  const pieces = inlined.get(shape) ?? splitShape(inlineAll(shape))
  inlined.set(shape, pieces)
  return fillShape(pieces, values)
}

function inlineAll(html: string): string {
  const { depth, elements } = measureMarkup(html, { selfCloses: false })
  const cost = countDeclarations(html) ** 2 * elements
  if (depth > MAX_DEPTH || cost > MAX_COST) return html
  return inline(html, { keepStyleTags: true, loadRemoteStylesheets: false })
}

function countDeclarations(html: string): number {
  const styles = html.match(/<style\b[\s\S]*?(?:<\/style|$)/gi) ?? []
  return styles.reduce((sum, style) => sum + (style.match(/[;{]/g)?.length ?? 0), 0)
}
