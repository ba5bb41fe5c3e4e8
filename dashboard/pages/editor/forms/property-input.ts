// <nc-property-input>: the property of a condition, completed from those that events of the campaign had.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { LightElement } from '../../../lib/light-element.ts'
import type { KnownPath } from './form-context.ts'
import { Suggestions } from './suggestions.ts'
import { matchPaths } from './template-completion.ts'

class NcPropertyInput extends LightElement {
  static override properties = {
    name: {},
    value: {},
    label: {},
    known: { attribute: false },
    isInvalid: { type: Boolean },
    described: {},
    onText: { attribute: false },
  }

  declare name: string
  declare value: string
  declare label: string
  declare known: readonly KnownPath[]
  declare isInvalid: boolean
  declare described: string | undefined
  declare onText: (text: string) => void

  readonly #list = new Suggestions(this, ({ path }) => this.#tell(path))

  constructor() {
    super()
    this.value = ''
    this.known = []
  }

  #tell(text: string): void {
    // An update of this element may come before the form has given the new value.
    this.value = text
    this.onText(text)
  }

  /** All paths where the text is one of them, so that another can be chosen. */
  #open(text: string): void {
    const isWhole = this.known.some(({ path }) => path === text)
    this.#list.show(matchPaths(this.known, isWhole ? '' : text))
  }

  readonly #onInput = ({ target }: Event): void => {
    const { value } = target as HTMLInputElement
    this.#tell(value)
    const found = matchPaths(this.known, value)
    this.#list.show(found.length === 1 && found[0]?.path === value ? [] : found)
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (this.#list.onKey(event) || event.key !== 'ArrowDown') return
    event.preventDefault()
    this.#open(this.value)
  }

  override render(): TemplateResult {
    const { name, value, label } = this
    return html`<div class="combobox">
      <input id=${name} class="input mono" type="text" role="combobox" .value=${live(value)} placeholder="Property" aria-label=${label} aria-autocomplete="list" aria-expanded=${this.#list.isOpen} aria-controls=${`${name}-options`} aria-activedescendant=${this.#list.activeId(name) ?? nothing} aria-invalid=${this.isInvalid ? 'true' : nothing} aria-describedby=${this.described ?? nothing} autocomplete="off" autocapitalize="none" spellcheck="false" @input=${this.#onInput} @keydown=${this.#onKey} @click=${() => this.#open(this.value)} />
      ${this.#list.render(name, 'Properties')}
    </div>`
  }
}

customElements.define('nc-property-input', NcPropertyInput)
