// <nc-json-field>: an object of JSON in a field, which changes only while its text is JSON.

import { html, type TemplateResult } from 'lit'
import { isObject, readAt } from '../../../editor/step-tree.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { codeInput } from './code-field.ts'
import { DraftValue } from './draft-value.ts'
import { pathsWithin } from './form-context.ts'
import { edit, type FieldSpec, type Form, frame } from './form-field.ts'

class NcJsonField extends LightElement {
  static override properties = { form: { attribute: false }, spec: { attribute: false } }

  declare form: Form
  declare spec: FieldSpec
  #text = ''
  readonly #value = new DraftValue<unknown>()
  #fault: string | undefined

  protected override willUpdate(): void {
    const value = readAt(this.form.draft, this.spec.path) ?? undefined
    if (!this.#value.isNew(value)) return
    this.#text = value === undefined ? '' : JSON.stringify(value, null, 2)
    this.#fault = undefined
  }

  readonly #onText = (text: string): void => {
    this.#text = text
    this.requestUpdate()
    const value = text.trim() === '' ? undefined : read(text)
    this.#fault =
      value === undefined || isObject(value) ? undefined : 'This is no JSON object yet, so the step stays as it was.'
    if (this.#fault !== undefined || JSON.stringify(value) === JSON.stringify(this.#value.current)) return
    this.#value.edit(value)
    edit(this.form, this.spec.path, value, this.spec.label)
  }

  override render(): TemplateResult {
    const { form, spec } = this
    const inner = pathsWithin(this.#value.current, spec.path)
    // Faults of values in the object stand at the field.
    const fault = this.#fault === undefined ? firstFault(form, inner) : { message: this.#fault }
    const own: Form = { ...form, faultAt: () => fault }
    return frame(own, spec, (tied) => {
      const { position: _position, ...plain } = tied.fault ?? { message: '' }
      return codeInput(
        form,
        { ...tied, fault: tied.fault && plain },
        {
          label: spec.label,
          language: 'json',
          text: this.#text,
          rows: 4,
          onText: this.#onText,
        },
      )
    })
  }
}

function firstFault(form: Form, paths: readonly (readonly (string | number)[])[]) {
  for (const path of paths) {
    const fault = form.faultAt(path)
    if (fault !== undefined) {
      const key = path.at(-1)
      return path === paths[0] ? fault : { message: `${key}: ${fault.message}` }
    }
  }
  return undefined
}

/** @returns null for no JSON */
function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

customElements.define('nc-json-field', NcJsonField)

export const jsonField = (form: Form, spec: FieldSpec): TemplateResult =>
  html`<nc-json-field .form=${form} .spec=${spec}></nc-json-field>`
