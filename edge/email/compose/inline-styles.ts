// Writes the rules of style elements into the elements that they mean: many mail programs read nothing else.

import { inline } from '@css-inline/css-inline'
import { measureMarkup } from '../../lib/markup.ts'

/** The library is recursive: some 4,000 levels end the process. Parsers add rows and bodies to tables: twice the levels. */
const MAX_DEPTH = 500
/** Its time grows with the elements and with the square of the declarations: at most some 150 ms. */
const MAX_COST = 3e7

/**
 * Style elements stay as well: media queries and states live there. What is nested too deeply, or has too many styles
 * for its size, is returned unchanged.
 */
export function inlineStyles(html: string): string {
  const { depth, elements } = measureMarkup(html, { selfCloses: false })
  const cost = countDeclarations(html) ** 2 * elements
  if (depth > MAX_DEPTH || cost > MAX_COST) return html
  return inline(html, { keepStyleTags: true, loadRemoteStylesheets: false })
}

function countDeclarations(html: string): number {
  const styles = html.match(/<style\b[\s\S]*?(?:<\/style|$)/gi) ?? []
  return styles.reduce((sum, style) => sum + (style.match(/[;{]/g)?.length ?? 0), 0)
}
