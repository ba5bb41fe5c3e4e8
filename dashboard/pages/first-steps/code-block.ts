// Renders code in a region that the keyboard can scroll, with a button that copies it.

import { html, type TemplateResult } from 'lit'
import { copyText } from '../../elements/bits.ts'
import { icon } from '../../elements/icon.ts'

/** @param name What the code is, for its label and that of the button. */
export function codeBlock(code: string, name: string): TemplateResult {
  return html`<div class="code-block">
    <pre tabindex="0" role="region" aria-label=${name}><code>${code}</code></pre>
    <button type="button" class="icon-button" aria-label=${`Copy ${name}`} title=${`Copy ${name}`} @click=${copyText(code)}>${icon('copy')}</button>
  </div>`
}
