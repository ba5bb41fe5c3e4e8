// <nc-source-signature>: how deliveries are signed, tried with a pasted request: both signatures side by side.

import { html, nothing, type TemplateResult } from 'lit'
import type { SignatureTrialAnswer } from '../../../contract/resources/source.ts'
import { badge } from '../../elements/badge.ts'
import { facts } from '../../elements/bits.ts'
import { textField } from '../../elements/fields.ts'
import { hmacFields, hmacSettingsOf, USUAL_SETTINGS } from './hmac-fields.ts'
import { SourceCard } from './source-card.ts'

class NcSourceSignature extends SourceCard {
  static override properties = { ...SourceCard.properties, answer: { state: true } }

  declare protected answer: SignatureTrialAnswer | undefined

  override render(): TemplateResult {
    const { provider, settings } = this.source
    const isHmac = provider === 'hmac'
    return this.card({
      title: 'Signature',
      name: 'signature',
      text: 'Paste a request as it came, to see both signatures side by side. The trial changes nothing, and is in the audit log.',
      fields: html`${isHmac ? hmacFields('signature', settings ?? USUAL_SETTINGS) : nothing}
        ${textField('signature', {
          name: 'request',
          label: 'A request: headers, an empty line, the body',
          rows: 8,
          isMono: true,
          placeholder: isHmac
            ? 'X-Signature: …\n\n{"id": …}'
            : 'webhook-id: …\nwebhook-timestamp: …\nwebhook-signature: v1,…\n\n{"type": …}',
        })}`,
      button: 'Try it',
      mayChange: this.mayChange,
      tools: isHmac
        ? html`<wa-button size="s" appearance="outlined" ?disabled=${this.attempt.isBusy} @click=${this.#save}>Save the settings</wa-button>`
        : nothing,
      result: html`<div role="status">${this.answer === undefined ? nothing : resultView(this.answer)}</div>`,
    })
  }

  protected override async submit(form: FormData): Promise<void> {
    this.answer = undefined
    const settings = this.source.provider === 'hmac' ? hmacSettingsOf(form) : undefined
    this.answer = await this.context.sources.attemptSignature(
      this.source.id,
      String(form.get('request') ?? ''),
      settings,
    )
  }

  readonly #save = (): void => {
    const form = this.querySelector('form')
    if (form === null || !form.reportValidity()) return
    const settings = hmacSettingsOf(new FormData(form))
    void this.attempt.run(() =>
      this.saveSettings({ settings }, 'The settings are saved. Deliveries follow them at once.'),
    )
  }
}

function resultView(answer: SignatureTrialAnswer): TemplateResult {
  const { ok, matches, reason, expected, received, signedString, timestamp } = answer
  const code = (text: string | null) =>
    text === null || text === '' ? null : html`<code class="wrapped">${text}</code>`
  return html`<div class="check-result" data-ok=${ok ? '' : nothing}>
    <p>${badge(ok ? 'accepted' : 'refused', ok ? 'good' : 'bad')} ${reason ?? 'It would be taken.'} ${matches && !ok ? 'The signature itself is right.' : nothing}</p>
    ${facts([
      ['Expected', code(expected)],
      ['Received', received.length === 0 ? null : received.map((one) => html`<div>${code(one)}</div>`)],
      ['Time', code(timestamp)],
    ])}
    ${signedString === null ? nothing : html`<p>What is signed:</p><pre class="json" tabindex="0" aria-label="What is signed">${signedString}</pre>`}
  </div>`
}

customElements.define('nc-source-signature', NcSourceSignature)
