// <nc-template-input>: a text with variables. `{{` opens the list of known ones, and so does its button.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { LightElement } from '../../../lib/light-element.ts'
import type { KnownPath } from './form-context.ts'
import { Suggestions } from './suggestions.ts'
import { findTyped, matchPaths, writeVariable } from './template-completion.ts'
import { applyTyped } from './text-change.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

class NcTemplateInput extends LightElement {
  static override properties = {
    value: {},
    name: {},
    label: {},
    described: {},
    isInvalid: { type: Boolean },
    rows: { type: Number },
    known: { attribute: false },
    placeholder: {},
    onText: { attribute: false },
  }

  declare value: string
  /** The id of the field. */
  declare name: string
  declare label: string
  declare described: string | undefined
  declare isInvalid: boolean
  /** More than one makes a text of several lines. */
  declare rows: number
  declare known: readonly KnownPath[]
  declare placeholder: string | undefined
  declare onText: (text: string) => void

  readonly #list = new Suggestions(this, ({ path }) => this.#insert(path))
  /** Where the cursor goes with the next update. */
  #cursor: number | undefined

  constructor() {
    super()
    this.value = ''
    this.rows = 1
    this.known = []
  }

  get #field(): Field | null {
    return this.querySelector<Field>('input, textarea')
  }

  readonly #onInput = ({ target }: Event): void => {
    this.#tell((target as Field).value)
    this.#suggest()
  }

  #tell(typed: string): void {
    // An update of this element may come before the page has given the new value.
    this.value = applyTyped(this.value, typed)
    this.onText(this.value)
  }

  #suggest(): void {
    const field = this.#field
    if (field === null) return
    const typed = findTyped(field.value, field.selectionStart ?? 0)
    this.#list.show(typed === undefined ? [] : matchPaths(this.known, typed.typed))
  }

  #insert(path: string): void {
    const field = this.#field
    const cursor = field?.selectionStart ?? 0
    const typed = field === null ? undefined : findTyped(field.value, cursor)
    if (field === null || typed === undefined) return
    const written = writeVariable(field.value, typed, cursor, path)
    this.#write(written.text, written.cursor)
  }

  #write(text: string, cursor: number): void {
    this.#cursor = cursor
    const field = this.#field
    if (field !== null) field.value = text
    this.#tell(text)
    this.requestUpdate()
  }

  protected override updated(_changed: PropertyValues): void {
    if (this.#cursor === undefined) return
    this.#field?.focus()
    this.#field?.setSelectionRange(this.#cursor, this.#cursor)
    this.#cursor = undefined
  }

  readonly #onButton = async (): Promise<void> => {
    const field = this.#field
    if (field === null) return
    // Before the first focus, the cursor of a field is at its end or its beginning, as browsers differ.
    const at = this.#hadFocus ? (field.selectionStart ?? field.value.length) : field.value.length
    this.#write(`${field.value.slice(0, at)}{{ ${field.value.slice(at)}`, at + 3)
    await this.updateComplete
    this.#suggest()
  }

  #hadFocus = false
  /** Stays once it is so: the field under the cursor is not another one suddenly. */
  #hasLines = false

  override render(): TemplateResult {
    const { name, value, label, described, isInvalid } = this
    // A field of one line would take the ends of lines out of a text.
    if (/[\r\n]/.test(value)) this.#hasLines = true
    const rows = this.#hasLines ? Math.max(this.rows, 2) : this.rows
    const active = this.#list.activeId(name) ?? nothing
    const shared = {
      described: described ?? nothing,
      invalid: isInvalid ? 'true' : nothing,
      key: (event: KeyboardEvent) => this.#list.onKey(event),
      focus: () => {
        this.#hadFocus = true
      },
    }
    const field =
      rows > 1
        ? html`<textarea id=${name} class="input" rows=${rows} .value=${live(value)} placeholder=${this.placeholder ?? nothing} aria-describedby=${shared.described} aria-invalid=${shared.invalid} aria-autocomplete="list" aria-haspopup="listbox" aria-controls=${`${name}-options`} aria-activedescendant=${active} autocomplete="off" @input=${this.#onInput} @click=${() => this.#list.close()} @keydown=${shared.key} @focus=${shared.focus}></textarea>`
        : html`<input id=${name} class="input" type="text" .value=${live(value)} placeholder=${this.placeholder ?? nothing} aria-describedby=${shared.described} aria-invalid=${shared.invalid} aria-autocomplete="list" aria-haspopup="listbox" aria-controls=${`${name}-options`} aria-activedescendant=${active} autocomplete="off" @input=${this.#onInput} @click=${() => this.#list.close()} @keydown=${shared.key} @focus=${shared.focus} />`
    return html`<div class="combobox template-input">
      ${field}
      <button type="button" class="variable-button" aria-label=${`Insert a variable: ${label}`} title="Insert a variable" @mousedown=${(event: Event) => event.preventDefault()} @click=${this.#onButton}>{ }</button>
      ${this.#list.render(name, 'Variables')}
    </div>`
  }
}

customElements.define('nc-template-input', NcTemplateInput)
