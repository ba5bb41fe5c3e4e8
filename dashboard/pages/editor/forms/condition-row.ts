// Renders one row of a condition: property, operator and value.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { icon } from '../../../elements/icon.ts'
import {
  isListTest,
  isPresence,
  KINDS,
  type Kind,
  onlyKind,
  type Row,
  TEST_WORDS,
  type Test,
  testsOf,
  withKind,
  withProperty,
  withTest,
} from './condition-rows.ts'
import { type KnownPath, textOf } from './form-context.ts'
import './property-input.ts'

export interface ConditionRow {
  row: Row
  id: string
  /** In the names of its fields, such as "Only if, 2". */
  name: string
  known: readonly KnownPath[]
  mayChange: boolean
  isFaulty: boolean
  described: string | undefined
  /** Whether it keeps the condition from being written. */
  isIncomplete: boolean
  onChange(row: Row): void
  onRemove(): void
}

export function conditionRow(given: ConditionRow): TemplateResult {
  const { row, id, name, known, onChange } = given
  const choose = ({ target }: Event) => onChange(withTest(row, (target as HTMLSelectElement).value as Test))
  return html`<div class="condition-row" role="group" aria-label=${name}>
    <nc-property-input .name=${id} .value=${row.property} .label=${`Property: ${name}`} .known=${known} .isInvalid=${given.isFaulty} .described=${given.described} .onText=${(text: string) => onChange(withProperty(row, text, known))}></nc-property-input>
    <select class="select" aria-label=${`Operator: ${name}`} @change=${choose}>
      ${testsOf(row, known).map((test) => html`<option value=${test} .selected=${test === row.test}>${TEST_WORDS[test]}</option>`)}
    </select>
    ${isPresence(row.test) ? html`<span class="condition-value"></span>` : html`<span class="condition-value">${valueField(given)}</span>`}
    ${
      given.mayChange
        ? html`<button type="button" class="icon-button" aria-label=${`Remove: ${name}`} title="Remove" @click=${given.onRemove}>${icon('xmark')}</button>`
        : nothing
    }
    ${given.isIncomplete ? html`<p class="hint condition-note">This row is not complete, so the condition stays as it was.</p>` : nothing}
  </div>`
}

function valueField({ row, id, name, known, onChange }: ConditionRow): TemplateResult {
  const isText = ['contains', 'startsWith', 'endsWith'].includes(row.test)
  const kind = isText ? 'text' : row.kind
  // The type is asked only where events do not tell it, or where the row has another one.
  const asks = !isText && onlyKind(row.property, known) !== kind
  const text = ({ target }: Event) => onChange({ ...row, kind, text: (target as HTMLInputElement).value })
  const retype = ({ target }: Event) => onChange(withKind(row, (target as HTMLSelectElement).value as Kind))
  return html`${inputOf(row, kind, id, name, known, text)}${
    asks
      ? html`<select class="select condition-kind" aria-label=${`Type of the value: ${name}`} @change=${retype}>
          ${KINDS.map((one) => html`<option value=${one} .selected=${one === kind}>${one}</option>`)}
        </select>`
      : nothing
  }`
}

function inputOf(
  row: Row,
  kind: Kind,
  id: string,
  name: string,
  known: readonly KnownPath[],
  onInput: (event: Event) => void,
) {
  const label = `Value: ${name}`
  if (kind === 'nothing') return html`<span class="none">nothing</span>`
  if (isListTest(row.test)) {
    return html`<textarea class="input" rows="2" aria-label=${`${label}, one a line`} placeholder="One a line" .value=${live(row.text ?? '')} spellcheck="false" @input=${onInput}></textarea>`
  }
  if (kind === 'yes or no') {
    return html`<select class="select" aria-label=${label} @change=${onInput}>
      ${row.text === undefined ? html`<option value="" selected>Choose…</option>` : nothing}
      <option value="true" .selected=${row.text === 'true'}>yes</option>
      <option value="false" .selected=${row.text === 'false'}>no</option>
    </select>`
  }
  const examples = known.find(({ path }) => path === row.property)?.examples ?? []
  return html`<input class="input" type="text" inputmode=${kind === 'number' ? 'decimal' : 'text'} aria-label=${label} placeholder=${kind === 'number' ? 'Number' : 'Value'} .value=${live(row.text ?? '')} list=${examples.length > 0 ? `${id}-examples` : nothing} autocomplete="off" spellcheck="false" @input=${onInput} />${
    examples.length > 0
      ? html`<datalist id=${`${id}-examples`}>${examples.map((one) => html`<option value=${textOf(one)}></option>`)}</datalist>`
      : nothing
  }`
}
