// Renders a list of items that are added, removed and put in another order.

import { html, nothing, type TemplateResult } from 'lit'
import { type Path, readAt } from '../../../editor/step-tree.ts'
import { icon } from '../../../elements/icon.ts'
import { edit, type Form, faultOnly } from './form-field.ts'
import { itemsOf, moveItem } from './step-edits.ts'

export interface ListSpec {
  path: Path
  /** Of the list, such as "Actions". */
  label: string
  /** Of one item, such as "Action". */
  item: string
  /** On the button, such as "Add an action". */
  add: string
  newItem: () => unknown
  isOrdered?: boolean
  /** Rows of one field each. */
  isCompact?: boolean
  /** A list that is empty stays in the definition. */
  isRequired?: boolean
  hint?: unknown
  /** @param name Of the item in labels, such as "Action 2". */
  row(path: Path, name: string, at: number): unknown
}

export function listRows(form: Form, spec: ListSpec): TemplateResult {
  const { path, label, item, isOrdered = false } = spec
  const items = itemsOf(readAt(form.draft, path))
  const write = (next: readonly unknown[]) =>
    edit(form, path, next.length === 0 && !spec.isRequired ? undefined : next, label)
  const move = (at: number, by: -1 | 1) => write(moveItem(items, at, by))
  const tool = (words: string, name: string, does: () => void, isOff = false) =>
    html`<button type="button" class="icon-button" aria-label=${words} title=${words} ?disabled=${isOff} @click=${does}>${icon(name)}</button>`
  return html`<div class="form-list" role="group" aria-label=${label}>
    <span class="form-list-title">${label}</span>
    ${spec.hint === undefined ? nothing : html`<p class="hint">${spec.hint}</p>`} ${faultOnly(form, path)}
    ${items.map((_, at) => {
      const name = `${item} ${at + 1}`
      return html`<div class=${spec.isCompact ? 'form-line' : 'form-item'} role="group" aria-label=${name}>
        <div class="form-fields">${spec.row([...path, at], name, at)}</div>
        ${
          form.mayChange
            ? html`<div class="form-item-tools">
                ${isOrdered ? html`${tool(`Move up: ${name}`, 'chevron-up', () => move(at, -1), at === 0)}${tool(`Move down: ${name}`, 'chevron-down', () => move(at, 1), at === items.length - 1)}` : nothing}
                ${tool(`Remove: ${name}`, 'trash', () => write(items.toSpliced(at, 1)))}
              </div>`
            : nothing
        }
      </div>`
    })}
    ${
      form.mayChange
        ? html`<button type="button" class="link-button" @click=${() => write([...items, spec.newItem()])}>${icon('plus')}${spec.add}</button>`
        : items.length === 0
          ? html`<p class="none">None.</p>`
          : nothing
    }
  </div>`
}
