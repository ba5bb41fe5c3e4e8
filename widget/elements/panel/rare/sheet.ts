// Base class of the sheets below the list: a heading with a button to close, over a dimmed panel.

import { html, type PropertyValues, type TemplateResult } from 'lit'
import type { Translate } from '../../../lib/translations.ts'
import { iconButton } from '../icons.ts'
import { PanelPiece } from '../panel-piece.ts'
import { rareStyles } from './rare.styles.ts'

/** Fires `close` when it is dismissed, also by a press on the dimmed panel. */
export abstract class Sheet extends PanelPiece {
  static override readonly styles = [rareStyles]
  static override readonly properties = { t: { attribute: false } }

  declare t: Translate

  protected abstract readonly name: string
  protected abstract content(): TemplateResult
  protected readonly look: string = ''

  protected override render(): TemplateResult {
    const title = this.t(this.name)
    return html`<div class="scrim" @click=${this.close}></div>
      <section class="sheet ${this.look}" role="group" aria-label=${title}>
        <h2 class="sheet-title">${title} ${iconButton(this.t('dismiss'), 'close', this.close)}</h2>
        ${this.content()}
      </section>`
  }

  /** It is opened to be answered. */
  protected override firstUpdated(_changed: PropertyValues): void {
    ;(this.querySelector<HTMLElement>('.choice') ?? this.querySelector('button'))?.focus()
  }

  protected readonly close = (): void => {
    this.dispatchEvent(new CustomEvent('close'))
  }
}
