// <nc-shown-once>: shows new secret values with copy buttons in a dialog that one button closes. From then on the page has them no more.

import '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import { html, nothing, type TemplateResult } from 'lit'
import { LeaveGuard } from '../lib/leave-guard.ts'
import { LightElement } from '../lib/light-element.ts'
import { copyable, facts, stepList } from './bits.ts'

export interface ShownValues {
  title: string
  text: string
  values: readonly (readonly [name: string, value: string])[]
  /** What to do with the values, in this order. */
  steps?: readonly string[]
  /** Called when the values are gone; the focus belongs to the page again. */
  onClosed?: () => void
}

export class NcShownOnce extends LightElement {
  static override properties = { shown: { state: true }, isOpen: { state: true } }

  declare shown: ShownValues | undefined
  declare isOpen: boolean

  constructor() {
    super()
    this.isOpen = false
    new LeaveGuard(this, () => (this.isOpen ? 'Leave? The values are not shown again.' : undefined))
  }

  show(shown: ShownValues): void {
    Object.assign(this, { shown, isOpen: true })
  }

  override render(): TemplateResult | typeof nothing {
    const { shown } = this
    if (shown === undefined) return nothing
    return html`<wa-dialog class="without-cross" label=${shown.title} ?open=${this.isOpen} @wa-hide=${this.#onHide} @wa-after-hide=${this.#onHidden}>
      <div class="dialog-form shown-once">
        <p class="dialog-text">${shown.text}</p>
        ${facts(shown.values.map(([name, value]) => [name, copyable(value, name)]))}
        ${shown.steps === undefined ? nothing : stepList(shown.steps)}
        <div class="dialog-buttons">
          <wa-button size="s" variant="brand" data-dialog="close">Done</wa-button>
        </div>
      </div>
    </wa-dialog>`
  }

  /** Escape, the cross and a press beside the dialog would lose the values by a slip: only our button closes. */
  readonly #onHide = (event: CustomEvent<{ source: Element }>): void => {
    if (event.target !== event.currentTarget) return
    if (event.detail.source.closest('[data-dialog=close]') === null) event.preventDefault()
  }

  readonly #onHidden = (event: Event): void => {
    if (event.target !== event.currentTarget) return
    const onClosed = this.shown?.onClosed
    Object.assign(this, { isOpen: false, shown: undefined })
    // The dialog gives the focus back first.
    setTimeout(() => onClosed?.())
  }
}

customElements.define('nc-shown-once', NcShownOnce)
