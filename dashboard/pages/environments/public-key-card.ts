// <nc-public-key-card>: the public key that verifies the JWTs of the customer's own backend.

import { html, type TemplateResult } from 'lit'
import { textField, textOf } from '../../elements/fields.ts'
import { claimFields, readClaims } from './claim-fields.ts'
import { EnvironmentCard } from './environment-card.ts'

class NcPublicKeyCard extends EnvironmentCard {
  override render(): TemplateResult {
    const { publicKey } = this.environment
    const remove = html`<wa-button size="s" appearance="outlined" variant="danger" @click=${this.#remove}>Remove</wa-button>`
    return this.card({
      title: 'Public key',
      name: 'public-key',
      text: 'Verifies JWTs that your backend signs, with the type “signedJwt”. Another key ends the sessions of this one.',
      fields: html`${textField('public-key', { name: 'algorithm', label: 'Algorithm', value: publicKey?.algorithm ?? '', required: true, placeholder: 'ES256' })}
        ${textField('public-key', { name: 'key', label: 'Key', value: publicKey?.key ?? '', required: true, rows: 5, isMono: true, hint: 'PEM (-----BEGIN PUBLIC KEY-----), or a public JWK as JSON. Never a private key.' })}
        ${claimFields('public-key', publicKey?.claims)}`,
      mayChange: this.mayChange,
      ...(publicKey !== null && { tools: remove }),
    })
  }

  protected override submit(form: FormData): Promise<void> {
    const publicKey = { algorithm: textOf(form, 'algorithm'), key: textOf(form, 'key'), claims: readClaims(form) }
    return this.saveSettings({ publicKey }, 'The public key is saved.')
  }

  readonly #remove = (): void => this.confirmRemoval({ publicKey: null }, 'the public key')
}

customElements.define('nc-public-key-card', NcPublicKeyCard)
