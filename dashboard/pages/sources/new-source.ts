// <nc-new-source>: the fields of a new source: its platform, its name, and the secret where the platform dictates it.

import { html, nothing, type TemplateResult } from 'lit'
import { CONNECTOR_PLATFORMS, type ConnectorPlatform } from '../../../contract/tenant.ts'
import type { NewSource } from '../../api/sources.ts'
import { textField, textOf } from '../../elements/fields.ts'
import { LightElement } from '../../lib/light-element.ts'
import { PLATFORMS } from './platforms.ts'
import { givenSecretOf, secretField } from './secret-field.ts'

class NcNewSource extends LightElement {
  static override properties = { chosen: { state: true } }

  declare protected chosen: ConnectorPlatform

  constructor() {
    super()
    this.chosen = 'segment'
  }

  override render(): TemplateResult {
    const words = PLATFORMS[this.chosen]
    return html`<fieldset class="choices">
        <legend>Platform</legend>
        ${CONNECTOR_PLATFORMS.map((platform) => this.#choice(platform))}
      </fieldset>
      ${textField('new-source', { name: 'name', label: 'Name', required: true, maxLength: 100, hint: 'For you: such as “Shop” or “Sandbox”.' })}
      ${words.dictatesSecret ? secretField('new-source', words, { required: false, hint: LATER }) : nothing}`
  }

  #choice(platform: ConnectorPlatform): TemplateResult {
    const { title, about } = PLATFORMS[platform]
    const choose = () => {
      this.chosen = platform
    }
    return html`<label class="choice">
      <input type="radio" name="provider" value=${platform} .checked=${platform === this.chosen} @change=${choose} />
      <span>${title}<span class="row-note">${about}</span></span>
    </label>`
  }
}

/** @returns What the form of these fields asks for. */
export const newSourceOf = (form: FormData): NewSource => ({
  name: textOf(form, 'name'),
  provider: textOf(form, 'provider') as ConnectorPlatform,
  ...givenSecretOf(form),
})

const LATER = 'Leave it empty where the platform shows it only once it has the address: you enter it in the next step.'

customElements.define('nc-new-source', NcNewSource)
