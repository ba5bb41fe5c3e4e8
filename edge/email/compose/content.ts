// Turns the content of a mail into HTML, and HTML into its text part.

import { compile, type SelectorDefinition } from 'html-to-text'
import MarkdownIt, { type Token } from 'markdown-it'
import { isImageLink, safeLink } from '../../../contract/link.ts'
import type { MailParts } from '../../../contract/resources/mail.ts'

/** The largest tables of a mail together: 5,000 cells take 0.2 s, and 65,000, which a template may print, take 1 s. */
const MAX_CELLS = 5000

/** HTML in Markdown is shown as text, lines end where the author ends them, and forbidden links are dropped, as in the inbox. */
function createMarkdown() {
  const markdown = new MarkdownIt({ html: false, breaks: true, linkify: false, typographer: false })
  // Refused links are removed with their brackets, which stay where this returns false.
  markdown.validateLink = () => true
  markdown.core.ruler.push('links', ({ tokens, env }) =>
    dropLinks(tokens, (env as { appSchemes: readonly string[] }).appSchemes),
  )
  markdown.core.ruler.push('buttons', ({ tokens }) => markButtons(tokens))
  markdown.renderer.rules.table_open = () => '<table class="grid">\n'
  // Outlook draws the background of cells alone, so a button is a table. */
  markdown.renderer.rules.button_open = () =>
    '<table role="presentation" class="button" cellpadding="0" cellspacing="0" border="0"><tr><td>'
  markdown.renderer.rules.button_close = () => '</td></tr></table>\n'
  return markdown
}

const withTables = createMarkdown()
const withoutTables = createMarkdown().disable('table')

/** @param appSchemes Schemes of apps that links may have */
export function toHtml({ html, markdown: source }: MailParts, appSchemes: readonly string[]): string {
  if (html !== null && html !== undefined) return html
  const markdown = source ?? ''
  return (countCells(markdown) > MAX_CELLS ? withoutTables : withTables).render(markdown, { appSchemes })
}

/** The row below the header of a table, within quotes and lists too; it has a `-`. */
const DELIMITERS = /^[\s>|:+*\d.)-]*$/

/** Returns at most how many cells tables have: each row has as many as the header, also where it is shorter. */
function countCells(markdown: string): number {
  const lines = markdown.split('\n')
  let cells = 0
  let rows = 0
  for (let at = lines.length - 1; at > 0; at--) {
    const line = lines[at] as string
    rows = line.trim() === '' ? 0 : rows + 1
    if (line.includes('-') && DELIMITERS.test(line) && lines[at - 1]?.includes('|'))
      cells += rows * line.split('|').length
  }
  return cells
}

/** Leaves the words of links that are not allowed, and the text of pictures. */
function dropLinks(tokens: Token[], appSchemes: readonly string[]): void {
  for (const token of tokens) {
    if (token.children !== null) token.children = keepAllowed(token.children, appSchemes)
  }
}

function keepAllowed(tokens: Token[], appSchemes: readonly string[]): Token[] {
  let isDropped = false
  return tokens.flatMap((token) => {
    if (token.type === 'link_open') {
      isDropped = safeLink(token.attrGet('href'), appSchemes) === null
      return isDropped ? [] : [token]
    }
    if (token.type === 'link_close' && isDropped) {
      isDropped = false
      return []
    }
    if (token.type !== 'image') return [token]
    const link = safeLink(token.attrGet('src'))
    return link !== null && isImageLink(link) ? [token] : keepAllowed(token.children ?? [], appSchemes)
  })
}

/** A paragraph that is one bold link, `**[Track it](…)**`, becomes a button. */
function markButtons(tokens: Token[]): void {
  tokens.forEach((token, at) => {
    const [open, close] = [tokens[at - 1], tokens[at + 1]]
    if (token.type !== 'inline' || open?.type !== 'paragraph_open' || close?.type !== 'paragraph_close') return
    const parts = (token.children ?? []).filter(({ type, content }) => type !== 'text' || content !== '')
    const inner = parts.slice(1, -1)
    const isBold = parts[0]?.type === 'strong_open' && parts.at(-1)?.type === 'strong_close'
    const isLink =
      inner[0]?.type === 'link_open' && inner.findIndex(({ type }) => type === 'link_close') === inner.length - 1
    if (!isBold || !isLink) return
    token.children = inner
    open.type = 'button_open'
    close.type = 'button_close'
  })
}

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
/** Cells of HTML follow each other: their widths are the author's, and a span of a million columns takes all memory. */
const HTML_TABLES = [
  { selector: 'tr', format: 'block' },
  { selector: 'td', format: 'inlineSurround', options: { suffix: ' ' } },
  { selector: 'th', format: 'inlineSurround', options: { suffix: ' ' } },
]
const MARKDOWN_TABLES = [{ selector: 'table.grid', format: 'dataTable', options: { uppercaseHeaderCells: false } }]

/** Without its scheme, which the library removes, a link to an e-mail address: its fields are for programs. */
const FIELDS_OF_MAIL = /^((?:mailto:)?[^/?#:]*@[^/?#:]*)?\?.*$/is
const readable = (link: string) => link.replace(FIELDS_OF_MAIL, '$1')

/** Compiled once: their selectors cost more than a mail. */
const TO_TEXT = { html: compileToText(HTML_TABLES), markdown: compileToText(MARKDOWN_TABLES) }

function compileToText(tables: SelectorDefinition[]) {
  return compile({
    wordwrap: 78,
    // Deeper levels are left out: the library goes into each by a call of its own.
    limits: { maxDepth: 200 },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, pathRewrite: readable } },
      ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
      ...tables,
    ],
  })
}

/** Readers of plain text see each link's address behind its words, of a mail its recipients. `source`: what the HTML was made from. */
export function toText(html: string, source: 'html' | 'markdown'): string {
  return TO_TEXT[source](html)
}
