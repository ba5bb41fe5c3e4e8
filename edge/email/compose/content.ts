// Turns the content of a mail into HTML, and HTML into its text part.

import { compile } from 'html-to-text'
import MarkdownIt from 'markdown-it'
import { safeLink } from '../../../contract/link.ts'
import type { MailParts } from '../../../contract/schemas.ts'

/** HTML in Markdown is shown as text, and forbidden destinations are dropped, as in the inbox. */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false })
markdown.validateLink = (link) => safeLink(link) !== null

export function toHtml({ html, markdown: source }: MailParts): string {
  return html ?? markdown.render(source ?? '')
}

/**
 * Readers of plain text see each link's address behind its words.
 * Compiled once: the compilation takes several times as long as one text.
 */
export const toText: (html: string) => string = compile({
  wordwrap: 78,
  // Deeper levels are left out: the library goes into each by a call of its own.
  limits: { maxDepth: 200 },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})

/** The addresses of links in quotation marks: those that browsers and mail programs read without guessing. */
const HREF = /(<a\b[^>]*?\shref\s*=\s*)(?:"([^"]*)"|'([^']*)')/gi
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

/** Replaces the address of each link of HTML. `replace` gets and returns addresses as they are, not escaped. */
export function replaceLinks(html: string, replace: (link: string) => string): string {
  return html.replace(HREF, (_, head: string, double: string | undefined, single: string | undefined) => {
    const link = (double ?? single ?? '').replace(/&(?:amp|lt|gt|quot|#39);/g, (one) => ENTITIES[one] ?? one).trim()
    return `${head}"${replace(link).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)}"`
  })
}
