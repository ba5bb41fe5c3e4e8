// <nc-provider-card>: the identity provider whose JWTs sign users in.

import { html, type TemplateResult } from 'lit'
import { textField, textOf } from '../../elements/fields.ts'
import { claimFields, readClaims } from './claim-fields.ts'
import { EnvironmentCard } from './environment-card.ts'

class NcProviderCard extends EnvironmentCard {
  override render(): TemplateResult {
    const { identityProvider: provider } = this.environment
    const remove = html`<wa-button size="s" appearance="outlined" variant="danger" @click=${this.#remove}>Remove</wa-button>`
    return this.card({
      title: 'Identity provider',
      name: 'provider',
      text: 'Its JWTs sign users in, with the type “jwt”. Another provider ends the sessions of this one.',
      fields: html`<div class="field-pairs">
          ${textField('provider', { name: 'issuer', label: 'Issuer', value: provider?.issuer ?? '', required: true, placeholder: 'https://login.example.com/' })}
          ${textField('provider', { name: 'audience', label: 'Audience', value: provider?.audience ?? '', required: true })}
        </div>
        ${textField('provider', { name: 'jwksUrl', label: 'Address of its key set (JWKS)', value: provider?.jwksUrl ?? '', required: true, placeholder: 'https://login.example.com/.well-known/jwks.json' })}
        ${textField('provider', { name: 'algorithms', label: 'Algorithms', value: provider?.algorithms.join(', ') ?? 'RS256', required: true, hint: 'With commas between them, such as RS256, ES256.' })}
        ${claimFields('provider', provider?.claims)}`,
      button: 'Save',
      mayChange: this.mayChange,
      ...(provider !== null && { tools: remove }),
    })
  }

  protected override submit(form: FormData): Promise<void> {
    const identityProvider = {
      issuer: textOf(form, 'issuer'),
      audience: textOf(form, 'audience'),
      jwksUrl: textOf(form, 'jwksUrl'),
      algorithms: textOf(form, 'algorithms').split(/[\s,]+/),
      claims: readClaims(form),
    }
    return this.saveSettings({ identityProvider }, 'The identity provider is saved.')
  }

  readonly #remove = (): void => this.confirmRemoval({ identityProvider: null }, 'the identity provider')
}

customElements.define('nc-provider-card', NcProviderCard)
