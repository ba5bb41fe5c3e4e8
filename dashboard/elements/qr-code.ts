// <nc-qr-code>: a text as a QR code, on a white ground in both schemes, because cameras expect dark on light.

import { QrCreator } from '@konnorr/qr-creator'
import { html, type TemplateResult } from 'lit'
import { LightElement } from '../lib/light-element.ts'

/** Twice as many pixels as the styles show, for screens of high density. */
const PIXELS = 352

class NcQrCode extends LightElement {
  static override properties = { text: { attribute: false }, label: {} }

  declare text: string
  declare label: string

  override render(): TemplateResult {
    return html`<canvas class="qr-code" role="img" aria-label=${this.label}></canvas>`
  }

  protected override updated(): void {
    const canvas = this.querySelector('canvas')
    const options = { text: this.text, size: PIXELS, quiet: 2, fill: '#000', background: '#fff' } as const
    if (canvas !== null) QrCreator.render({ ...options, radius: 0, ecLevel: 'M' }, canvas)
  }
}

customElements.define('nc-qr-code', NcQrCode)
