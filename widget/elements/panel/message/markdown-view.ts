// Draws Markdown: every text is a text node, every link was checked. A part of its own, for the first message that has any.

import { css, html, type TemplateResult } from 'lit'
import { type Block, type Inline, parseMarkdown } from '../../../lib/markdown.ts'
import { adopt } from '../../../lib/sheet.ts'

/** Draws a link; what happens on a click is the detail's business. */
export type DrawLink = (link: string, children: unknown) => TemplateResult

/** The body of a message, as it is to be read. */
export type DrawMarkdown = (body: string, drawLink: DrawLink) => TemplateResult[]

export function createMarkdown(shadow: ShadowRoot): DrawMarkdown {
  adopt(shadow, markdownStyles.styleSheet as CSSStyleSheet)
  return (body, drawLink) => drawBlocks(parseMarkdown(body), drawLink)
}

function drawBlocks(blocks: Block[], drawLink: DrawLink): TemplateResult[] {
  const words = (tokens: Inline[]): unknown[] => tokens.map(draw)
  const draw = (token: Inline): unknown => {
    if (token.type === 'text') return token.text
    if (token.type === 'break') return html`<br />`
    if (token.type === 'code') return html`<code>${token.text}</code>`
    if (token.type === 'strong') return html`<strong>${words(token.children)}</strong>`
    if (token.type === 'link') return drawLink(token.link, words(token.children))
    return html`<em>${words(token.children)}</em>`
  }
  return blocks.map((block) => {
    if (block.type === 'rule') return html`<hr />`
    if (block.type === 'code') return html`<pre><code>${block.text}</code></pre>`
    if (block.type === 'quote') return html`<blockquote>${words(block.children)}</blockquote>`
    if (block.type === 'heading') return html`<h3>${words(block.children)}</h3>`
    if (block.type === 'list') {
      const items = block.items.map((item) => html`<li>${words(item)}</li>`)
      return block.ordered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`
    }
    return html`<p>${words(block.children)}</p>`
  })
}

const markdownStyles = css`
.prose h3 { font-size: 1.036em; font-weight: 650 }
.prose ul, .prose ol { padding-inline-start: 1.4em }
.detail-scroll:dir(rtl) :is(ul, ol):dir(ltr) { padding: 0; list-style-position: inside }
.prose li { margin-block: .2em }
.prose a { color: var(--_accent); text-underline-offset: 3px; border-radius: 3px }
.prose code { padding: .12em .36em; border-radius: 5px; background: var(--_raised); font: .88em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.prose pre { padding: 12px 14px; border-radius: 10px; background: var(--_raised); overflow-x: auto }
.prose pre code { padding: 0; background: none }
.prose blockquote { padding-inline-start: 14px; border-inline-start: 3px solid var(--_line); color: var(--_muted) }
.prose hr { border: 0; border-block-start: 1px solid var(--_line) }
.prose a:focus-visible { outline-offset: 2px }
`
