// Completes HTML that is only the inside of a page: mail programs look for styles in a head.

import { readMarkup } from '../../lib/markup.ts'

const IN_HEAD = new Set(['title', 'style', 'meta', 'link', 'base'])

/** @returns the HTML in `html`, `head` and `body`, or as it is where it has one of them */
export function completePage(html: string): string {
  if (/<(?:html|head|body|frameset)\b/i.test(html)) return html
  /** Where the document type ends, and where the body begins. */
  let [start, end] = [0, 0]
  let isBody = false
  let inside = ''
  let at = 0
  readMarkup(html, ({ kind, written, name }) => {
    at += written.length
    if (kind === 'start') inside = name.toLowerCase()
    const isHead =
      kind === 'other' || (kind === 'text' ? written.trim() === '' || inside !== '' : IN_HEAD.has(name.toLowerCase()))
    isBody ||= !isHead || (kind === 'text' && written.trim() !== '' && !IN_HEAD.has(inside))
    if (kind === 'end') inside = ''
    if (isBody) return
    if (/^<!doctype/i.test(written)) start = at
    end = at
  })
  const [type, head, body] = [html.slice(0, start), html.slice(start, end), html.slice(end)]
  return `${type}<html><head>${head}</head><body>${body}</body></html>`
}
