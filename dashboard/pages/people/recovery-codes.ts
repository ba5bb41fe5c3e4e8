// Renders new recovery codes, which are shown once, with ways to keep them.

import { html, type TemplateResult } from 'lit'
import { copyText } from '../../elements/bits.ts'
import { icon } from '../../elements/icon.ts'
import { download } from '../../lib/download.ts'

/** @param done Forgets the codes. */
export function recoveryCodesView(codes: readonly string[], done: () => void): TemplateResult {
  const text = `${codes.join('\n')}\n`
  const save = () => download(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt')
  return html`<div class="once" role="group" aria-labelledby="recovery-title">
    <h3 id="recovery-title" tabindex="-1">Your recovery codes</h3>
    <p class="hint">Each takes the place of a one-time code, once. Keep them outside of your phone: they are not shown again.</p>
    <ol class="code-list">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ol>
    <div class="card-foot">
      <wa-button size="s" appearance="outlined" @click=${copyText(text)}>${icon('copy', 'start')}Copy</wa-button>
      <wa-button size="s" appearance="outlined" @click=${save}>${icon('download', 'start')}Download</wa-button>
      <wa-button size="s" variant="brand" @click=${done}>I have kept them</wa-button>
    </div>
  </div>`
}
