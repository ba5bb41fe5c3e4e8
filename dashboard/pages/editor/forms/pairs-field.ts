// <nc-pairs-field>: names with texts, such as headers of a mail. A name that stands twice or is empty is not written yet.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { isObject, readAt } from '../../../editor/step-tree.ts'
import { icon } from '../../../elements/icon.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { DraftValue } from './draft-value.ts'
import { textOf } from './form-context.ts'
import { edit, type FieldSpec, type Form, groupFrame, type Tied } from './form-field.ts'

type Pair = readonly [name: string, value: string]

export interface PairsSpec extends FieldSpec {
  /** Of one pair, such as "Header". */
  item: string
}

/** @returns the object; undefined while a name is empty or stands twice */
export function objectOf(pairs: readonly Pair[]): Readonly<Record<string, string>> | undefined {
  const names = new Set(pairs.map(([name]) => name))
  return names.size < pairs.length || names.has('') ? undefined : Object.fromEntries(pairs)
}

/** Whether rows of names and texts can show a value. */
export const isPairs = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (isObject(value) &&
    Object.entries(value).every(([name, one]) => name !== '' && typeof one === 'string' && !/[\r\n]/.test(one)))

class NcPairsField extends LightElement {
  static override properties = { form: { attribute: false }, spec: { attribute: false } }

  declare form: Form
  declare spec: PairsSpec
  #pairs: readonly Pair[] = []
  readonly #value = new DraftValue<unknown>()

  protected override willUpdate(): void {
    const value = readAt(this.form.draft, this.spec.path) ?? undefined
    if (!this.#value.isNew(value)) return
    this.#pairs = isObject(value) ? Object.entries(value).map(([name, one]) => [name, textOf(one)]) : []
  }

  #edit(pairs: readonly Pair[]): void {
    this.#pairs = pairs
    this.requestUpdate()
    // A new pair is not written before it has a name.
    const last = pairs.at(-1)
    const named = last?.[0] === '' ? pairs.slice(0, -1) : pairs
    const value = objectOf(named)
    if (value === undefined || JSON.stringify(value) === JSON.stringify(this.#value.current ?? {})) return
    const written = named.length === 0 ? undefined : value
    this.#value.edit(written)
    edit(this.form, this.spec.path, written, this.spec.label)
  }

  readonly #add = (): void => {
    this.#edit([...this.#pairs, ['', '']])
    void this.updateComplete.then(() => [...this.querySelectorAll<HTMLElement>('.pair-name')].at(-1)?.focus())
  }

  override render(): TemplateResult {
    return groupFrame(
      this.form,
      this.spec,
      (tied) => html`${this.#pairs.map((pair, at) => this.#pair(tied, pair, at))}
      ${
        this.form.mayChange
          ? html`<button type="button" id=${tied.id} class="link-button" @click=${this.#add}>${icon('plus')}Add</button>`
          : this.#pairs.length === 0
            ? html`<p class="none">None.</p>`
            : nothing
      }`,
    )
  }

  #pair({ id }: Tied, [name, value]: Pair, at: number): TemplateResult {
    const { form, spec } = this
    const label = `${spec.item} ${at + 1}`
    const fault = name === '' ? undefined : form.faultAt([...spec.path, name])
    const isTwice = this.#pairs.filter(([other]) => other === name).length > 1
    const note = fault?.message ?? (isTwice ? 'Another one has this name, so this one is not written.' : undefined)
    const noteId = `${id}-note-${at}`
    const setName = ({ target }: Event) =>
      this.#edit(this.#pairs.with(at, [(target as HTMLInputElement).value.trim(), value]))
    const setValue = (text: string) => this.#edit(this.#pairs.with(at, [name, text]))
    const described = note === undefined ? undefined : noteId
    return html`<div class="pair" role="group" aria-label=${label}>
      <input class="input mono pair-name" type="text" aria-label=${`Name: ${label}`} placeholder="Name" .value=${live(name)} aria-invalid=${note === undefined ? nothing : 'true'} aria-describedby=${described ?? nothing} autocomplete="off" autocapitalize="none" spellcheck="false" @input=${setName} />
      <div class="field">
        <label class="sr" for=${`${id}-value-${at}`}>Value: ${label}</label>
        <nc-template-input .name=${`${id}-value-${at}`} .value=${value} .label=${label} .known=${form.known} .isInvalid=${fault !== undefined} .described=${described} .placeholder=${'Value'} .onText=${setValue}></nc-template-input>
      </div>
      ${form.mayChange ? html`<button type="button" class="icon-button" aria-label=${`Remove: ${label}`} title="Remove" @click=${() => this.#edit(this.#pairs.toSpliced(at, 1))}>${icon('xmark')}</button>` : nothing}
      ${note === undefined ? nothing : html`<p class="field-fault pair-note" id=${noteId}>${note}</p>`}
    </div>`
  }
}

customElements.define('nc-pairs-field', NcPairsField)

export const pairsField = (form: Form, spec: PairsSpec): TemplateResult =>
  html`<nc-pairs-field .form=${form} .spec=${spec}></nc-pairs-field>`
