// <nc-properties-form>: the properties of an event as fields, or as JSON.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { repeat } from 'lit/directives/repeat.js'
import type { Json, JsonObject } from '../../../../contract/json.ts'
import { icon } from '../../../elements/icon.ts'
import { segments } from '../../../elements/segments.ts'
import { messageOf } from '../../../elements/states.ts'
import { parseJsonObject } from '../../../lib/json-object.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { textOfValue, valueOfText } from './property-values.ts'

/** The properties are others now. */
export class PropertiesChanged extends Event {
  readonly properties: JsonObject
  constructor(properties: JsonObject) {
    super('properties-changed')
    this.properties = properties
  }
}

const FORMS = [
  ['fields', 'Fields'],
  ['json', 'JSON'],
] as const

class NcPropertiesForm extends LightElement {
  static override properties = {
    properties: { attribute: false },
    names: { attribute: false },
    form: { state: true },
    fault: { state: true },
  }

  declare properties: JsonObject
  /** Names that events of this kind have had. */
  declare names: readonly string[]
  declare form: (typeof FORMS)[number][0]
  /** Why the JSON is none. */
  declare fault: string | undefined

  constructor() {
    super()
    this.names = []
    this.form = 'fields'
  }

  #give(properties: JsonObject): void {
    this.properties = properties
    this.dispatchEvent(new PropertiesChanged(properties))
  }

  #set(name: string, value: Json): void {
    this.#give({ ...this.properties, [name]: value })
  }

  #remove(name: string): void {
    const { [name]: _removed, ...others } = this.properties
    this.#give(others)
    void this.focusOn('#property-new-name')
  }

  readonly #add = (event: Event): void => {
    event.preventDefault()
    const [name, value] = ['name', 'value'].map((part) => this.querySelector<HTMLInputElement>(`#property-new-${part}`))
    const key = name?.value.trim() ?? ''
    if (name === null || name === undefined || value === null || value === undefined || key === '') return
    this.#set(key, valueOfText(value.value))
    name.value = ''
    value.value = ''
    name.focus()
  }

  readonly #onJson = ({ target }: Event): void => {
    try {
      const properties = parseJsonObject(
        (target as HTMLTextAreaElement).value,
        'This is no JSON object, such as {"total": 74}. The preview still has the former values.',
      )
      this.fault = undefined
      this.#give(properties)
    } catch (error) {
      this.fault = messageOf(error)
    }
  }

  override render(): TemplateResult {
    const choose = (form: (typeof FORMS)[number][0]) => {
      this.form = form
      this.fault = undefined
    }
    return html`<div class="properties">
      <div class="properties-head"><span class="label">Properties</span>${segments('Properties as', FORMS, this.form, choose)}</div>
      ${this.form === 'json' ? this.#json() : this.#fields()}
    </div>`
  }

  #json(): TemplateResult {
    // What is typed stays as it is: another form of the same JSON would move the cursor.
    return html`<div class="field">
      <textarea class="input mono" rows="8" spellcheck="false" aria-label="Properties as JSON" aria-invalid=${this.fault === undefined ? nothing : 'true'} @input=${this.#onJson}>${JSON.stringify(this.properties, null, 2)}</textarea>
      <p class="field-fault" role="status">${this.fault ?? nothing}</p>
    </div>`
  }

  #fields(): TemplateResult {
    const unused = this.names.filter((name) => !(name in this.properties))
    return html`<div class="property-list">
      ${repeat(
        Object.entries(this.properties),
        ([name]) => name,
        ([name, value]) => this.#row(name, value as Json),
      )}
      <form class="property-row" @submit=${this.#add}>
        <input class="input" id="property-new-name" aria-label="Name of a new property" placeholder="Name" list="property-names" autocomplete="off" autocapitalize="none" spellcheck="false" />
        <input class="input" id="property-new-value" aria-label="Value of the new property" placeholder="Value" autocomplete="off" spellcheck="false" />
        <button class="icon-button" type="submit" aria-label="Add the property" title="Add the property">${icon('plus')}</button>
        <datalist id="property-names">${unused.map((name) => html`<option value=${name}></option>`)}</datalist>
      </form>
    </div>`
  }

  #row(name: string, value: Json): TemplateResult {
    const change = ({ target }: Event) => this.#set(name, valueOfText((target as HTMLInputElement).value, value))
    return html`<div class="property-row">
      <span class="property-name" title=${name}>${name}</span>
      <input class="input" aria-label=${`Value of ${name}`} .value=${live(textOfValue(value))} autocomplete="off" spellcheck="false" @input=${change} />
      <button type="button" class="icon-button" aria-label=${`Remove ${name}`} title=${`Remove ${name}`} @click=${() => this.#remove(name)}>${icon('xmark')}</button>
    </div>`
  }
}

customElements.define('nc-properties-form', NcPropertiesForm)
