// Markdown tokens as templates: every text is a text node, every link was checked (contract section 5).

import { html, type TemplateResult } from 'lit/html.js'
import type { Block, Inline } from '../../../lib/markdown.ts'

/** Draws a link; what happens on a click is the detail's business. */
export type DrawLink = (link: string, children: unknown) => TemplateResult

export function drawBlocks(blocks: Block[], drawLink: DrawLink): TemplateResult[] {
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
