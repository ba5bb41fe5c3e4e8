// <nc-new-source>: the fields of a new source: its platform, its name, and the secret where the platform dictates it.

import { html, nothing, type TemplateResult } from 'lit'
import { CONNECTOR_PLATFORMS, type ConnectorPlatform } from '../../../contract/tenant.ts'
import type { NewSource } from '../../api/sources.ts'
import { textField, textOf } from '../../elements/fields.ts'
import { LightElement } from '../../lib/light-element.ts'
import { PLATFORMS, type PlatformWords } from './platforms.ts'
import { givenSecretOf, isDictated, secretField } from './secret-field.ts'

/** A source of any HMAC has more settings than this form: it is made by the API or the command line. */
const CHOICES = CONNECTOR_PLATFORMS.filter((platform) => platform !== 'hmac')

class NcNewSource extends LightElement {
  static override properties = { chosen: { state: true } }

  declare protected chosen: ConnectorPlatform

  constructor() {
    super()
    this.chosen = 'segment'
  }

  override render(): TemplateResult {
    const words = PLATFORMS[this.chosen]
    return html`<fieldset class="field">
        <legend>Platform</legend>
        <div class="choices">${CHOICES.map((platform) => this.#choice(platform))}</div>
      </fieldset>
      ${textField('new-source', { name: 'name', label: 'Name', required: true, maxLength: 100, hint: 'For you: such as “Shop” or “Sandbox”.' })}
      ${isDictated(words) ? givenField(words) : nothing}`
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

/** Left empty, it is entered on the page of the source. */
function givenField(words: PlatformWords): TemplateResult {
  const isKnown = words.secret === 'known'
  const later = `${words.title} shows it once it has the address: leave it empty, and enter it in the next step.`
  return secretField('new-source', words, { required: isKnown, hint: isKnown ? words.secretHelp : later })
}

customElements.define('nc-new-source', NcNewSource)
