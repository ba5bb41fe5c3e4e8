// <nc-new-source>: the fields of a new source: platform or sender, name, settings of its signature, and a dictated secret.

import { html, nothing, type TemplateResult } from 'lit'
import type { NewSource } from '../../../contract/resources/source.ts'
import { RECIPE_NAMES, type RecipeName, SOURCE_RECIPES } from '../../../contract/source-recipes.ts'
import { CONNECTOR_PLATFORMS, type ConnectorPlatform } from '../../../contract/tenant.ts'
import { choiceField, textField, textOf } from '../../elements/fields.ts'
import { LightElement } from '../../lib/light-element.ts'
import { hmacFields, hmacSettingsOf, USUAL_SETTINGS } from './hmac-fields.ts'
import { PLATFORMS, type PlatformWords } from './platforms.ts'
import { givenSecretOf, isDictated, secretField } from './secret-field.ts'

/** Of a sender without a recipe. */
const OTHER = ''

class NcNewSource extends LightElement {
  static override properties = { chosen: { state: true }, recipe: { state: true } }

  declare protected chosen: ConnectorPlatform
  declare protected recipe: RecipeName | typeof OTHER

  constructor() {
    super()
    this.chosen = 'segment'
    this.recipe = OTHER
  }

  override render(): TemplateResult {
    const words = PLATFORMS[this.chosen]
    return html`<fieldset class="field">
        <legend>Platform</legend>
        <div class="choices">${CONNECTOR_PLATFORMS.map((platform) => this.#choice(platform))}</div>
      </fieldset>
      ${textField('new-source', { name: 'name', label: 'Name', required: true, maxLength: 100, hint: 'For you: such as “Shop” or “Sandbox”.' })}
      ${this.#recipes()}
      ${this.chosen === 'hmac' ? this.#settings() : nothing}
      ${isDictated(words) ? givenField(this.recipe === OTHER ? words : { ...words, ...SOURCE_RECIPES[this.recipe] }) : nothing}`
  }

  #recipes(): TemplateResult | typeof nothing {
    const fitting = RECIPE_NAMES.filter((name) => SOURCE_RECIPES[name].provider === this.chosen)
    if (fitting.length === 0) return nothing
    return choiceField('new-source', {
      name: 'recipe',
      label: 'Sender',
      value: this.recipe,
      choices: [[OTHER, 'Another sender'], ...fitting.map((name) => [name, SOURCE_RECIPES[name].title] as const)],
      onChange: (recipe) => {
        this.recipe = recipe as typeof this.recipe
      },
    })
  }

  #settings(): TemplateResult {
    const recipe = this.recipe === OTHER ? undefined : SOURCE_RECIPES[this.recipe]
    return hmacFields('new-source', recipe?.settings ?? USUAL_SETTINGS)
  }

  #choice(platform: ConnectorPlatform): TemplateResult {
    const { title, about } = PLATFORMS[platform]
    const choose = () => {
      this.chosen = platform
      this.recipe = OTHER
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
  ...(form.has('signedString') && { settings: hmacSettingsOf(form) }),
  ...mappingsOf(textOf(form, 'recipe')),
  ...givenSecretOf(form),
})

function mappingsOf(recipe: string): Pick<NewSource, 'mappings'> {
  const { mappings } = recipe === OTHER ? {} : SOURCE_RECIPES[recipe as RecipeName]
  return mappings === undefined ? {} : { mappings }
}

/** Left empty, it is entered on the page of the source. */
function givenField(words: PlatformWords): TemplateResult {
  const isKnown = words.secret === 'known'
  const later = `${words.title} shows it once it has the address: leave it empty, and enter it in the next step.`
  return secretField('new-source', words, { required: isKnown, hint: isKnown ? words.secretHelp : later })
}

customElements.define('nc-new-source', NcNewSource)
