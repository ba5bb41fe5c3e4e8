// <nc-message-preview>: a message in the widget's own elements, in the list, opened, and as a toast. Nothing in it acts.

import { css, html, LitElement, nothing, type TemplateResult } from 'lit'
import type { InboxMessage, MessageContent } from '../../contract/api.ts'
import { AppearanceSheet } from '../../widget/elements/appearance.ts'
import { createPanelI18n } from '../../widget/elements/panel/i18n.ts'
import { createMarkdown, type DrawMarkdown } from '../../widget/elements/panel/message/markdown-view.ts'
import { NcToasts } from '../../widget/elements/panel/toasts/toasts.ts'
import type { ConfigFields } from '../api/tenant.ts'
import { applyLook, createConfigI18n } from './config-look.ts'
import { messageLook } from './message-look.ts'

/** The times of a delivery that a message of the inbox has. */
export interface PreviewedDelivery {
  messageId: string
  createdAt: string
  expiresAt: string | null
  readAt: string | null
  openedAt: string | null
  clickedAt: string | null
}

/** A toast that stands in the page: it neither covers the page nor goes after a while. */
class NcStandingToast extends NcToasts {
  protected override updated(): void {}
}
NcStandingToast.register('nc-standing-toast')

const previewStyles = css`
  :host { display: block; margin-block-start: 8px }
  .preview { border: 1px solid var(--_line); border-radius: 12px; background: var(--_surface); overflow: hidden }
  .preview + .preview { margin-block-start: 12px }
  .preview-name { margin: 0; padding: 7px 14px; border-block-end: 1px solid var(--_line); color: var(--_muted); font-size: .857em }
  /* The page scrolls, and there is nothing to do here. */
  .preview .detail { position: static; height: auto; animation: none }
  .preview .detail-scroll { overflow: visible; height: auto }
  .preview .toolbar { display: none }
  .preview .toasts { display: block; position: static; width: auto; max-width: none; padding: 14px 14px 4px; background: var(--_raised) }
  .preview .toast { animation: none }
`

class NcMessagePreview extends LitElement {
  static override styles = [...messageLook, ...NcToasts.styles, previewStyles]
  static override properties = {
    delivery: { attribute: false },
    content: { attribute: false },
    look: { attribute: false },
    locale: { attribute: false },
    showsToast: { attribute: false },
  }

  declare delivery: PreviewedDelivery
  declare content: MessageContent
  /** Of a notification config; undefined: that of the widget itself. */
  declare look: ConfigFields['widget'] | undefined
  /** The language of the widget's own words. */
  declare locale: string
  declare showsToast: boolean

  readonly #words = createConfigI18n(
    this,
    () => ({ look: this.look, locale: this.locale }),
    () => this.requestUpdate(),
  )
  readonly #i18n = createPanelI18n(this.#words)
  readonly #appearance = new AppearanceSheet()
  #markdown: DrawMarkdown | undefined

  constructor() {
    super()
    this.locale = 'en'
    this.showsToast = false
  }

  override render(): TemplateResult {
    const { shadowRoot } = this
    if (shadowRoot !== null) this.#markdown ??= createMarkdown(shadowRoot)
    this.#words.follow()
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
      ${
        this.showsToast
          ? html`<div class="preview">
              <p class="preview-name">As a toast</p>
              <nc-standing-toast .messages=${[common.message]} .texts=${this.#i18n}></nc-standing-toast>
            </div>`
          : nothing
      }
    </div>`
  }

  protected override updated(): void {
    applyLook(this.#appearance, this.renderRoot as ShadowRoot, this.look)
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
