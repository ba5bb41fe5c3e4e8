// Renders the fields of a step or a campaign: each with its label, its hint, and the fault of the API at its path.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { type Path, readAt } from '../../../editor/step-tree.ts'
import { type Fault, type FormContext, fieldId, textOf } from './form-context.ts'
import './template-input.ts'

/** What a form needs for its fields; faults are those that are shown. */
export interface Form extends FormContext {
  /** Whose fields they are, in words of changes: such as “tell”. */
  owner: string
}

export interface FieldSpec {
  path: Path
  label: string
  hint?: unknown
  /** An empty text stays in the definition, so that the API reports it. */
  isRequired?: boolean
  isMono?: boolean
  placeholder?: string
  /** The label is for screen readers alone. */
  isLabelHidden?: boolean
  /** Beside the label. */
  tools?: unknown
}

/** What ties a control to its label, its fault and its hint. */
export interface Tied {
  id: string
  described: string | undefined
  fault: Fault | undefined
}

/** @param label In words of changes: such as "Title". */
export const edit = (form: Form, path: Path, value: unknown, label: string): void =>
  form.change(path, value, `${label} of ${form.owner}`)

export function tie(form: Form, { path, hint }: Pick<FieldSpec, 'path' | 'hint'>): Tied {
  const id = fieldId(path)
  const fault = form.faultAt(path)
  const notes = [...(fault === undefined ? [] : [`${id}-fault`]), ...(hint === undefined ? [] : [`${id}-hint`])]
  return { id, fault, described: notes.length === 0 ? undefined : notes.join(' ') }
}

/** A field with a label that names one control. */
export function frame(form: Form, spec: FieldSpec, control: (tied: Tied) => unknown): TemplateResult {
  const tied = tie(form, spec)
  return html`<div class="field" data-field=${tied.id}>
    ${labelLine(html`<label class=${spec.isLabelHidden ? 'sr' : nothing} for=${tied.id}>${spec.label}</label>`, spec.tools)}
    ${control(tied)} ${notes(tied, spec.hint)}
  </div>`
}

const labelLine = (label: TemplateResult, tools: unknown): TemplateResult =>
  tools === undefined ? label : html`<div class="label-line">${label}${tools}</div>`

/** A field of several controls, which the label names together. */
export function groupFrame(form: Form, spec: FieldSpec, controls: (tied: Tied) => unknown): TemplateResult {
  const tied = tie(form, spec)
  return html`<div class="field" role="group" data-field=${tied.id} aria-labelledby=${`${tied.id}-label`} aria-describedby=${tied.described ?? nothing}>
    <span class=${spec.isLabelHidden ? 'sr' : 'field-label'} id=${`${tied.id}-label`}>${spec.label}</span>
    ${controls(tied)} ${notes(tied, spec.hint)}
  </div>`
}

function notes({ id, fault }: Tied, hint: unknown): TemplateResult {
  return html`${fault === undefined ? nothing : html`<p class="field-fault" id=${`${id}-fault`}>${fault.message}</p>`}${
    hint === undefined ? nothing : html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`
  }`
}

/** @returns The fault of a value that has no field of its own. */
export function faultOnly(form: Form, path: Path): unknown {
  const fault = form.faultAt(path)
  return fault === undefined
    ? nothing
    : html`<p class="field-fault" tabindex="-1" id=${fieldId(path)}>${fault.message}</p>`
}

const written = (text: string, isRequired: boolean | undefined): string | undefined =>
  text === '' && isRequired !== true ? undefined : text

/** A text without variables. @param list Values to choose from; others may be typed. */
export function textField(
  form: Form,
  spec: FieldSpec & { list?: readonly string[]; maxLength?: number },
): TemplateResult {
  const { path, label, isRequired, list } = spec
  const input = ({ target }: Event) => edit(form, path, written((target as HTMLInputElement).value, isRequired), label)
  return frame(form, spec, ({ id, described, fault }) => {
    const hasList = list !== undefined && list.length > 0
    return html`<input id=${id} class=${spec.isMono ? 'input mono' : 'input'} type="text" .value=${live(textOf(readAt(form.draft, path)))} list=${hasList ? `${id}-list` : nothing} maxlength=${spec.maxLength ?? nothing} placeholder=${spec.placeholder ?? nothing} aria-describedby=${described ?? nothing} aria-invalid=${fault === undefined ? nothing : 'true'} autocomplete="off" autocapitalize="none" spellcheck="false" @input=${input} />${
      hasList
        ? html`<datalist id=${`${id}-list`}>${list.map((one) => html`<option value=${one}></option>`)}</datalist>`
        : nothing
    }`
  })
}

/** A text with variables. */
export function templateField(form: Form, spec: FieldSpec & { rows?: number }): TemplateResult {
  return frame(form, spec, (tied) => templateInput(form, spec, tied))
}

/** The control of a text with variables, for a label of another place. */
export function templateInput(
  form: Form,
  spec: FieldSpec & { rows?: number },
  { id, described, fault }: Tied,
): TemplateResult {
  const { path, label, isRequired, rows = 1 } = spec
  const onText = (text: string) => edit(form, path, written(text, isRequired), label)
  return html`<nc-template-input .name=${id} .value=${textOf(readAt(form.draft, path))} .label=${label} .described=${described} .isInvalid=${fault !== undefined} .rows=${rows} .placeholder=${spec.placeholder} .known=${form.known} .onText=${onText}></nc-template-input>`
}

/** A whole number, or with decimals. What is no number stays as the text that was typed, so that the API reports it. */
export function numberField(form: Form, spec: FieldSpec): TemplateResult {
  const { path, label } = spec
  const input = ({ target }: Event) => {
    const text = (target as HTMLInputElement).value.trim()
    const isNumber = /^-?\d+(\.\d+)?$/.test(text)
    edit(form, path, text === '' ? undefined : isNumber ? Number(text) : text, label)
  }
  return frame(
    form,
    spec,
    ({ id, described, fault }) =>
      html`<input id=${id} class="input short-input" type="text" inputmode="decimal" .value=${live(textOf(readAt(form.draft, path)))} placeholder=${spec.placeholder ?? nothing} aria-describedby=${described ?? nothing} aria-invalid=${fault === undefined ? nothing : 'true'} autocomplete="off" @input=${input} />`,
  )
}

/** A choice of one value in a list. @param choices The first is that of an absent value, if it is empty. */
export function selectField(
  form: Form,
  spec: FieldSpec & { choices: readonly (readonly [value: string, label: string])[] },
): TemplateResult {
  const { path, label, choices } = spec
  const value = textOf(readAt(form.draft, path))
  // A value that is no choice is one more, so that the field shows it.
  const all = choices.some(([one]) => one === value) ? choices : [...choices, [value, value || 'Choose…'] as const]
  const changed = ({ target }: Event) =>
    edit(form, path, written((target as HTMLSelectElement).value, spec.isRequired), label)
  return frame(
    form,
    spec,
    ({
      id,
      described,
      fault,
    }) => html`<select id=${id} class="select" .value=${live(value)} aria-describedby=${described ?? nothing} aria-invalid=${fault === undefined ? nothing : 'true'} @change=${changed}>
      ${all.map(([one, words]) => html`<option value=${one} ?selected=${one === value}>${words}</option>`)}
    </select>`,
  )
}

/** A choice of few values as buttons. @param current The value that is shown as chosen. */
export function segmentsField<T extends string>(
  form: Form,
  spec: FieldSpec & { choices: readonly (readonly [value: T, label: unknown])[]; current: T; choose(value: T): void },
): TemplateResult {
  const { choices, current, choose } = spec
  return groupFrame(
    form,
    spec,
    ({ id }) => html`<div class="segments">
      ${choices.map(([value, words], at) => html`<button type="button" class="segment" id=${at === 0 ? id : nothing} aria-pressed=${value === current} ?disabled=${!form.mayChange} @click=${() => value !== current && choose(value)}>${words}</button>`)}
    </div>`,
  )
}

/** Rare fields behind one line. @param isOpen Whether one of them is set, or has a fault. */
export function more(isOpen: boolean, content: unknown, words = 'More'): TemplateResult {
  return html`<details class="form-more" ?open=${isOpen}>
    <summary>${words}</summary>
    <div class="form-fields">${content}</div>
  </details>`
}

/** Whether one of the keys at a path has a value or a fault. */
export function isGiven(form: Form, path: Path, keys: readonly string[]): boolean {
  return keys.some((key) => {
    const value = readAt(form.draft, [...path, key])
    return (value !== undefined && value !== null) || form.faultAt([...path, key]) !== undefined
  })
}
