// Renders the fields by which lists are filtered: a choice, a text, and a time.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { toInstant, toLocal } from '../lib/instant.ts'

export interface FilterField {
  label: string
  /** Undefined: the filter is not set. */
  value: string | undefined
  /** undefined removes the filter. */
  change(value: string | undefined): void
}

export type Choice = readonly [value: string, label: string]

const onChange =
  ({ change }: FilterField) =>
  ({ target }: Event) =>
    change((target as HTMLInputElement | HTMLSelectElement).value.trim() || undefined)

/** A value of the address that is no choice is one more choice, so that the field shows it. */
export function choiceFilter(field: FilterField, choices: readonly Choice[]): TemplateResult {
  const { label, value = '' } = field
  const isOther = value !== '' && !choices.some(([one]) => one === value)
  return html`<div class="filter">
    <select class="select" aria-label=${label} data-set=${value === '' ? nothing : ''} .value=${live(value)} @change=${onChange(field)}>
      <option value="" ?selected=${value === ''}>${label}: all</option>
      ${choices.map(([one, words]) => html`<option value=${one} ?selected=${value === one}>${words}</option>`)}
      ${isOther ? html`<option value=${value} selected>${value}</option>` : nothing}
    </select>
  </div>`
}

export function textFilter(field: FilterField): TemplateResult {
  return html`<label class="filter">
    <span class="sr">${field.label}</span>
    <input class="input" type="text" placeholder=${field.label} spellcheck="false" .value=${live(field.value ?? '')} @change=${onChange(field)} />
  </label>`
}

/** The value is an instant, which each reader sees in the own time zone. */
export function timeFilter({ label, value, change }: FilterField): TemplateResult {
  const set = ({ target }: Event) => change(toInstant((target as HTMLInputElement).value))
  const local = value === undefined ? '' : toLocal(value)
  return html`<label class="filter filter-time">
    <span class="filter-label">${label}</span>
    <input class="input" type="datetime-local" .value=${live(local)} @change=${set} />
  </label>`
}
