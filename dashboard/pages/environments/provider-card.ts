// <nc-provider-card>: the identity provider whose JWTs sign users in.

import { html, type TemplateResult } from 'lit'
import { PROVIDER_PRESETS } from '../../../contract/identity-providers.ts'
import { CLIENT_CLAIMS, type ClientClaim } from '../../../contract/tenant.ts'
import { choiceField, textField, textOf } from '../../elements/fields.ts'
import { claimFields, readClaims } from './claim-fields.ts'
import { EnvironmentCard } from './environment-card.ts'

const PRESETS = [['', 'None'], ...PROVIDER_PRESETS.map(({ name, label }) => [name, label] as const)] as const
const CLAIMS = CLIENT_CLAIMS.map((claim) => [claim, claim] as const)

class NcProviderCard extends EnvironmentCard {
  #preset = ''

  override render(): TemplateResult {
    const { identityProvider: stored } = this.environment
    const provider = PROVIDER_PRESETS.find(({ name }) => name === this.#preset)?.provider ?? stored
    const remove = html`<wa-button size="s" appearance="outlined" variant="danger" @click=${this.#remove}>Remove</wa-button>`
    return this.card({
      title: 'Identity provider',
      name: 'provider',
      text: 'Its JWTs sign users in, with the type “jwt”. Another provider ends the sessions of this one.',
      fields: html`${choiceField('provider', { name: 'preset', label: 'Preset', value: this.#preset, choices: PRESETS, hint: 'Fills in the fields. Put your own values in place of the names in braces.', onChange: this.#choose })}
        <div class="field-pairs">
          ${textField('provider', { name: 'issuer', label: 'Issuer', value: provider?.issuer ?? '', required: true, placeholder: 'https://login.example.com/' })}
          ${textField('provider', { name: 'audience', label: 'Audience', value: provider?.audience ?? '', required: true, hint: 'The client that its tokens are issued for.' })}
          ${choiceField('provider', { name: 'clientClaim', label: 'Claim of the audience', value: provider?.clientClaim ?? 'aud', choices: CLAIMS })}
        </div>
        ${textField('provider', { name: 'jwksUrl', label: 'Address of its key set (JWKS)', value: provider?.jwksUrl ?? '', required: true, placeholder: 'https://login.example.com/.well-known/jwks.json' })}
        ${textField('provider', { name: 'algorithms', label: 'Algorithms', value: provider?.algorithms.join(', ') ?? 'RS256', required: true, hint: 'With commas between them, such as RS256, ES256.' })}
        ${claimFields('provider', provider?.claims)}`,
      mayChange: this.mayChange,
      ...(stored !== null && { tools: remove }),
    })
  }

  protected override submit(form: FormData): Promise<void> {
    const identityProvider = {
      issuer: textOf(form, 'issuer'),
      audience: textOf(form, 'audience'),
      clientClaim: textOf(form, 'clientClaim') as ClientClaim,
      jwksUrl: textOf(form, 'jwksUrl'),
      algorithms: textOf(form, 'algorithms').split(/[\s,]+/),
      claims: readClaims(form),
    }
    return this.saveSettings({ identityProvider }, 'The identity provider is saved.')
  }

  protected override reset(): void {
    this.#preset = ''
  }

  readonly #choose = (preset: string): void => {
    this.#preset = preset
    this.requestUpdate()
  }

  readonly #remove = (): void => this.confirmRemoval({ identityProvider: null }, 'the identity provider')
}

customElements.define('nc-provider-card', NcProviderCard)
