// <nc-inbox-rows>: messages as rows of the widget, each of which leads to its delivery.

import { css, html, LitElement, type TemplateResult } from 'lit'
import type { InboxMessage } from '../../../contract/api.ts'
import { createLookI18n, messageLook } from '../../elements/message-look.ts'

const rowsStyles = css`
  :host { display: block }
  ul { margin: 0; padding: 0; list-style: none; border: 1px solid var(--_line); border-radius: 12px; overflow: hidden }
  li { position: relative; background: var(--_surface) }
  li + li { border-block-start: 1px solid var(--_line) }
  .cover { position: absolute; inset: 0; z-index: 1 }
  .cover:hover { background: color-mix(in srgb, currentColor 4%, transparent) }
  .cover:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; border-radius: 12px }
`

class NcInboxRows extends LitElement {
  static override styles = [...messageLook, rowsStyles]
  static override properties = { messages: { attribute: false }, addressOf: { attribute: false } }

  declare messages: readonly InboxMessage[]
  /** Returns the address of a message's delivery. */
  declare addressOf: (messageId: string) => string

  readonly #i18n = createLookI18n(this)

  override render(): TemplateResult {
    const [i18n, now] = [this.#i18n(), Date.now()]
    const { messages } = this
    return html`<div class="root">
      <ul>
        ${messages.map(
          (message, index) =>
            html`<li>
              <div inert>
                <nc-row .message=${message} .i18n=${i18n} .now=${now} .index=${index} .total=${messages.length}></nc-row>
              </div>
              <a class="cover" href=${this.addressOf(message.id)} aria-label=${nameOf(message)}></a>
            </li>`,
        )}
      </ul>
    </div>`
  }
}

/** The row itself is inert, so the link says what it shows. */
function nameOf({ title, body, unopened }: InboxMessage): string {
  const start = body.length > 140 ? `${body.slice(0, 140)}…` : body
  return [unopened ? 'Unopened' : 'Opened', title, start].filter((text) => text !== '').join(': ')
}

customElements.define('nc-inbox-rows', NcInboxRows)
