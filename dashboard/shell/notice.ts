// <nc-notice>: a short message that goes by itself, and that screen readers announce; with a way to undo what it reports.

import { html, nothing, type TemplateResult } from 'lit'
import { messageOf } from '../elements/states.ts'
import { LightElement } from '../lib/light-element.ts'

const SHOWN_MS = 6000
/** With something to press. */
const UNDO_MS = 20_000

export class NcNotice extends LightElement {
  static override properties = { text: { state: true }, undo: { state: true } }

  declare protected text: string
  declare protected undo: (() => Promise<void>) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    this.text = ''
  }

  /** @param undo Takes back what the message reports. */
  show(text: string, undo?: () => Promise<void>): void {
    Object.assign(this, { text, undo })
    this.#plan()
  }

  /** Does not go under the pointer or the focus. */
  #plan(): void {
    clearTimeout(this.#timer)
    const end = () => {
      if (this.undo !== undefined && this.matches(':hover, :focus-within')) this.#plan()
      else Object.assign(this, { text: '', undo: undefined })
    }
    this.#timer = setTimeout(end, this.undo === undefined ? SHOWN_MS : UNDO_MS)
  }

  readonly #onUndo = async (): Promise<void> => {
    const { undo } = this
    this.undo = undefined
    try {
      await undo?.()
    } catch (error) {
      this.show(messageOf(error))
    }
  }

  override render(): TemplateResult {
    return html`<div class="notice" role="status" ?data-shown=${this.text !== ''}>
      ${this.text}
      ${this.undo === undefined ? nothing : html`<button type="button" class="notice-button" @click=${this.#onUndo}>Undo</button>`}
    </div>`
  }
}

customElements.define('nc-notice', NcNotice)
