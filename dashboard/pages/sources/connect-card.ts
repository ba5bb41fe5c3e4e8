// <nc-connect-card>: the steps that connect a platform to a source, until its first delivery, and the secret it dictates.

import { html, nothing, type TemplateResult } from 'lit'
import type { SourceAnswer } from '../../../contract/resources/source.ts'
import { age, copyable, stepList } from '../../elements/bits.ts'
import { FormCard } from '../../elements/form-card.ts'
import type { AppContext } from '../../shell/context.ts'
import { PLATFORMS } from './platforms.ts'
import { givenSecretOf, isDictated, secretField } from './secret-field.ts'

class NcConnectCard extends FormCard {
  static override properties = { context: { attribute: false }, source: { attribute: false } }

  declare context: AppContext
  declare source: SourceAnswer

  override render(): TemplateResult {
    const { provider, url } = this.source
    const words = PLATFORMS[provider]
    const takesSecret = isDictated(words) && this.context.may('admin')
    return this.card({
      title: `Connect ${words.title}`,
      name: 'connect',
      text: 'No delivery with a valid signature has arrived yet.',
      fields: html`${stepList(words.steps)}
        <p class="address"><span class="address-label">Address</span> ${copyable(url, 'address')}</p>
        ${takesSecret ? secretField('connect', words, { required: true, hint: this.#hint() }) : nothing}`,
      button: 'Save the secret',
      mayChange: takesSecret,
    })
  }

  /** A source begins with a value that is as old as itself. */
  #hint(): unknown {
    const { secret, createdAt, provider } = this.source
    if (secret.createdAt === createdAt) return PLATFORMS[provider].secretHelp
    return html`Entered ${age(secret.createdAt)}. Another value replaces it.`
  }

  protected override async submit(form: FormData): Promise<void> {
    await this.context.sources.replaceAtOnce(this.source.id, givenSecretOf(form))
    this.querySelector('form')?.reset()
    this.context.notify('The secret is saved. Deliveries are verified with it at once.')
    this.dispatchEvent(new Event('source-changed', { bubbles: true }))
  }
}

customElements.define('nc-connect-card', NcConnectCard)
