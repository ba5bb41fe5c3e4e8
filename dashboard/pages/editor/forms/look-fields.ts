// Renders the choice of an icon and of a priority as they look.

import { html, nothing, type TemplateResult } from 'lit'
import { NAMED_ICONS, PRIORITIES, type Priority } from '../../../../contract/delivery.ts'
import { icon as messageIcon } from '../../../../widget/elements/panel/icons.ts'
import { type Path, readAt } from '../../../editor/step-tree.ts'
import { icon } from '../../../elements/icon.ts'
import { textOf } from './form-context.ts'
import { edit, type Form, groupFrame, segmentsField, templateInput } from './form-field.ts'

export function iconField(form: Form, path: Path): TemplateResult {
  const value = textOf(readAt(form.draft, path))
  const named = NAMED_ICONS.find((name) => name === value)
  const isOther = value !== '' && named === undefined
  const spec = { path, label: 'Icon', hint: isOther ? 'The address of an image, or a variable with one.' : undefined }
  const choice = (word: string, isChosen: boolean, next: string | undefined, picture: unknown) =>
    html`<button type="button" class="icon-choice" aria-pressed=${isChosen} title=${word} ?disabled=${!form.mayChange} @click=${() => !isChosen && edit(form, path, next, 'Icon')}>${picture}<span>${word}</span></button>`
  return groupFrame(
    form,
    spec,
    (tied) => html`<div class="icon-choices">
        ${choice('None', value === '', undefined, icon('ban'))}
        ${NAMED_ICONS.map((name) => choice(toWord(name), name === named, name, html`<span class="icon-picture" data-icon=${name}>${messageIcon(name)}</span>`))}
        ${choice('Other', isOther, 'https://', icon('external'))}
      </div>
      ${isOther ? templateInput(form, { path, label: 'Icon' }, tied) : nothing}`,
  )
}

const toWord = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`

/** The marks that the inbox shows; the others have none. */
const MARKS: Partial<Record<Priority, 'up' | 'error'>> = { high: 'up', urgent: 'error' }

function priorityLook(priority: Priority): TemplateResult {
  const mark = MARKS[priority]
  return html`<span class="priority-look" data-priority=${priority}>${mark === undefined ? nothing : messageIcon(mark)}${toWord(priority)}</span>`
}

export function priorityField(form: Form, path: Path): TemplateResult {
  const value = readAt(form.draft, path)
  return segmentsField(form, {
    path,
    label: 'Priority',
    choices: PRIORITIES.map((one) => [one, priorityLook(one)] as const),
    current: PRIORITIES.find((one) => one === value) ?? 'normal',
    choose: (next) => edit(form, path, next === 'normal' ? undefined : next, 'Priority'),
  })
}
