// <nc-duration-field>: a duration as an amount of one unit; one that this does not say stays as it is written.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { readAmount, UNITS, type Unit } from '../../../editor/durations.ts'
import { readAt } from '../../../editor/step-tree.ts'
import { durationWords } from '../../../lib/duration-words.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { DraftValue } from './draft-value.ts'
import { textOf } from './form-context.ts'
import { edit, type FieldSpec, type Form, frame } from './form-field.ts'
import { type TypedDuration, typedOf, writeTyped } from './typed-duration.ts'

const AS_TEXT = 'as text'

class NcDurationField extends LightElement {
  static override properties = { form: { attribute: false }, spec: { attribute: false } }

  declare form: Form
  declare spec: FieldSpec
  #typed: TypedDuration = { amount: '', unit: 'minutes' }
  /** The value that `#typed` stands for. */
  readonly #value = new DraftValue<unknown>()

  protected override willUpdate(): void {
    const value = readAt(this.form.draft, this.spec.path) ?? undefined
    if (!this.#value.isNew(value)) return
    this.#typed = typedOf(textOf(value), this.#typed)
  }

  #edit(typed: TypedDuration): void {
    this.#typed = typed
    const text = writeTyped(typed)
    const value = text === '' && this.spec.isRequired !== true ? undefined : text
    this.requestUpdate()
    if (!this.#value.edit(value)) return
    edit(this.form, this.spec.path, value, this.spec.label)
  }

  readonly #onAmount = ({ target }: Event): void =>
    this.#edit({ ...this.#typed, amount: (target as HTMLInputElement).value })

  readonly #onUnit = ({ target }: Event): void => {
    const unit = (target as HTMLSelectElement).value
    const text = writeTyped(this.#typed)
    if (unit === AS_TEXT) this.#edit({ amount: text, unit: undefined })
    else
      this.#edit({
        amount: this.#typed.unit === undefined ? String(readAmount(text)?.amount ?? '') : this.#typed.amount,
        unit: unit as Unit,
      })
  }

  override render(): TemplateResult {
    const { amount, unit } = this.#typed
    const { label } = this.spec
    const words = durationWords(amount)
    const hint =
      unit !== undefined
        ? this.spec.hint
        : words === amount
          ? 'An ISO 8601 duration, such as PT1H30M.'
          : `That is ${words}.`
    const spec = hint === undefined ? this.spec : { ...this.spec, hint }
    return frame(
      this.form,
      spec,
      ({ id, described, fault }) => html`<div class="duration">
        <input id=${id} class=${unit === undefined ? 'input mono' : 'input'} type="text" inputmode=${unit === undefined ? 'text' : 'numeric'} .value=${live(amount)} placeholder=${spec.placeholder ?? nothing} aria-describedby=${described ?? nothing} aria-invalid=${fault === undefined ? nothing : 'true'} autocomplete="off" autocapitalize="none" spellcheck="false" @input=${this.#onAmount} />
        <select class="select" aria-label=${`Unit: ${label}`} @change=${this.#onUnit}>
          ${UNITS.map((one) => html`<option value=${one} .selected=${one === unit}>${one}</option>`)}
          <option value=${AS_TEXT} .selected=${unit === undefined}>as text</option>
        </select>
      </div>`,
    )
  }
}

customElements.define('nc-duration-field', NcDurationField)

export const durationField = (form: Form, spec: FieldSpec): TemplateResult =>
  html`<nc-duration-field .form=${form} .spec=${spec}></nc-duration-field>`
