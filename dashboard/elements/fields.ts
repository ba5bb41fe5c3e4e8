// Renders the fields of forms: text, text of several lines, choice and tick, each with its label and hint.

import { html, nothing, type TemplateResult } from 'lit'
import { keyed } from 'lit/directives/keyed.js'

/** What browsers and password managers fill in. */
export type AutoFill =
  | 'username'
  | 'current-password'
  | 'new-password'
  | 'name'
  | 'one-time-code'
  | 'organization'
  | 'off'

export interface TextField {
  name: string
  label: string
  /** The path of its value in the body, where that ends in another name. */
  path?: string
  type?: 'email' | 'password' | 'text' | 'url' | 'number'
  autocomplete?: AutoFill
  /** Values to choose from; others may be typed. */
  list?: readonly string[]
  value?: string
  hint?: unknown
  required?: boolean
  isMono?: boolean
  /** A secret in several lines; a password is one by its type. The form is emptied of it when it was saved. */
  isSecret?: boolean
  /** More than one makes a text of several lines. */
  rows?: number
  maxLength?: number
  /** Of a number: `any` takes decimals. */
  step?: 'any'
  placeholder?: string
  autofocus?: boolean
  disabled?: boolean
  /** Why the value cannot be taken; stands below the field. */
  fault?: string | undefined
  onInput?: (value: string) => void
}

const idOf = (scope: string, name: string): string => (scope === '' ? name : `${scope}-${name}`)

/**
 * @param scope Prefix of the ids, so that two forms of a page have none in common; '' for a page with one form. A field of
 * another scope or name is another element: what was typed into one is never shown in the other.
 */
export function textField(scope: string, field: TextField): TemplateResult {
  const { name, label, value = '', hint, required = false, isMono = false, rows = 1, list } = field
  const id = idOf(scope, name)
  const notes = [...(field.fault === undefined ? [] : [`${id}-fault`]), ...(hint === undefined ? [] : [`${id}-hint`])]
  const described = notes.length === 0 ? nothing : notes.join(' ')
  const invalid = field.fault === undefined ? nothing : 'true'
  const classes = isMono ? 'input mono' : 'input'
  const input = ({ target }: Event) => field.onInput?.((target as HTMLInputElement).value)
  const view = html`<div class="field">
    <label for=${id}>${label}</label>
    ${
      rows > 1
        ? html`<textarea id=${id} name=${name} data-path=${field.path ?? nothing} ?data-secret=${field.isSecret} class=${classes} rows=${rows} .value=${value} ?required=${required} placeholder=${field.placeholder ?? nothing} aria-describedby=${described} aria-invalid=${invalid} spellcheck="false" ?disabled=${field.disabled} @input=${input}></textarea>`
        : html`<input id=${id} name=${name} data-path=${field.path ?? nothing} class=${classes} type=${field.type ?? 'text'} .value=${value} ?required=${required} maxlength=${field.maxLength ?? nothing} step=${field.step ?? nothing} placeholder=${field.placeholder ?? nothing} list=${list === undefined ? nothing : `${id}-list`} aria-describedby=${described} aria-invalid=${invalid} autocomplete=${field.autocomplete ?? 'off'} autocapitalize="none" spellcheck="false" ?autofocus=${field.autofocus} ?disabled=${field.disabled} @input=${input} />`
    }
    ${list === undefined ? nothing : html`<datalist id=${`${id}-list`}>${list.map((one) => html`<option value=${one}></option>`)}</datalist>`}
    ${field.fault === undefined ? nothing : html`<p class="field-fault" id=${`${id}-fault`}>${field.fault}</p>`}
    ${hint === undefined ? nothing : html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
  </div>`
  return html`${keyed(id, view)}`
}

/** @returns A text field that must be filled in, unless it says otherwise, of a page with one such form. */
export const field = (spec: TextField): TemplateResult => textField('', { required: true, ...spec })

export const NEW_PASSWORD: TextField = {
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'A few words are easier to remember than symbols.',
}

export interface ChoiceField {
  name: string
  label: string
  value: string
  choices: readonly (readonly [value: string, label: string])[]
  hint?: unknown
  onChange?: (value: string) => void
}

export function choiceField(
  scope: string,
  { name, label, value, choices, hint, onChange }: ChoiceField,
): TemplateResult {
  const id = idOf(scope, name)
  const changed = ({ target }: Event) => onChange?.((target as HTMLSelectElement).value)
  const view = html`<div class="field">
    <label for=${id}>${label}</label>
    <select id=${id} name=${name} class="select" aria-describedby=${hint === undefined ? nothing : `${id}-hint`} @change=${changed}>
      ${choices.map(([one, words]) => html`<option value=${one} .selected=${one === value}>${words}</option>`)}
    </select>
    ${hint === undefined ? nothing : html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
  </div>`
  return html`${keyed(id, view)}`
}

export function tickField(name: string, label: string, isTicked: boolean, hint?: string): TemplateResult {
  return html`<label class="check">
    <input type="checkbox" name=${name} value="true" .checked=${isTicked} />
    <span>${label}${hint === undefined ? nothing : html`<span class="row-note">${hint}</span>`}</span>
  </label>`
}

/** @returns The trimmed text of a field. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim()

/** @returns The lines of a field that have text. */
export function linesOf(form: FormData, name: string): string[] {
  return textOf(form, name)
    .split(/\s*\n\s*/)
    .filter((line) => line !== '')
}
