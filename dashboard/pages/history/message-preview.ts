// <nc-message-preview>: the stored content of a message in the widget's own elements, as the user saw it. Nothing in it acts.

import { css, html, LitElement, type TemplateResult } from 'lit'
import type { InboxMessage, MessageContent } from '../../../contract/api.ts'
import { createMarkdown, type DrawMarkdown } from '../../../widget/elements/panel/message/markdown-view.ts'
import { createLookI18n, messageLook } from '../../elements/message-look.ts'

/** The times of a delivery that a message of the inbox has. */
export interface PreviewedDelivery {
  messageId: string
  createdAt: string
  expiresAt: string | null
  readAt: string | null
  openedAt: string | null
  clickedAt: string | null
}

const previewStyles = css`
  :host { display: block; margin-block-start: 8px }
  .preview { border: 1px solid var(--_line); border-radius: 12px; background: var(--_surface); overflow: hidden }
  .preview + .preview { margin-block-start: 12px }
  .preview-name { margin: 0; padding: 7px 14px; border-block-end: 1px solid var(--_line); color: var(--_muted); font-size: .857em }
  /* The page scrolls, and there is nothing to do here. */
  .preview .detail { position: static; height: auto; animation: none }
  .preview .detail-scroll { overflow: visible; height: auto }
  .preview .toolbar { display: none }
`

class NcMessagePreview extends LitElement {
  static override styles = [...messageLook, previewStyles]
  static override properties = { delivery: { attribute: false }, content: { attribute: false } }

  declare delivery: PreviewedDelivery
  declare content: MessageContent

  readonly #i18n = createLookI18n(this)
  #markdown: DrawMarkdown | undefined

  override render(): TemplateResult {
    const { shadowRoot } = this
    if (shadowRoot !== null) this.#markdown ??= createMarkdown(shadowRoot)
    const message = this.#message()
    const common = { message, i18n: this.#i18n(), now: Date.now() }
    return html`<div class="root" inert>
      <div class="preview">
        <p class="preview-name">In the list</p>
        <nc-row .message=${common.message} .i18n=${common.i18n} .now=${common.now} .index=${0} .total=${1}></nc-row>
      </div>
      <div class="preview">
        <p class="preview-name">Opened</p>
        <nc-detail class="detail" .message=${common.message} .i18n=${common.i18n} .now=${common.now} .markdown=${this.#markdown}></nc-detail>
      </div>
    </div>`
  }

  #message(): InboxMessage {
    const { messageId: id, ...times } = this.delivery
    return {
      ...this.content,
      ...times,
      id,
      seq: 0,
      unopened: times.openedAt === null,
      archivedAt: null,
      snoozedUntil: null,
    }
  }
}

customElements.define('nc-message-preview', NcMessagePreview)
