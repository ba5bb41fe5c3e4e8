// Renders the form of the step `email`: its parts by locale, unless it was read, and behind "More" the envelope.

import { html, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { type Path, readAt } from '../../../../editor/step-tree.ts'
import { textOf } from '../form-context.ts'
import { edit, type Form, frame, isGiven, more, templateField } from '../form-field.ts'
import { EMAIL_PARTS } from '../locale-gaps.ts'
import '../locale-tabs.ts'
import '../mail-body.ts'
import { inboxStepsBefore, recordOf } from '../step-edits.ts'
import { ENVELOPE, envelopeForm } from './envelope-form.ts'

export const EMAIL_FIELDS = ['subject', 'preheader', 'html', 'markdown', 'text', 'locales', 'unless', ...ENVELOPE]

export function emailForm(form: Form, path: Path): TemplateResult {
  const parts = (own: Path, locale: string | null) => html`
    ${templateField(form, { path: [...own, 'subject'], label: 'Subject', isRequired: locale === null })}
    ${templateField(form, { path: [...own, 'preheader'], label: 'Preheader', hint: 'Shown beside the subject in a list of mails.' })}
    <nc-mail-body .form=${form} .path=${own} .step=${path}></nc-mail-body>
    ${templateField(form, { path: [...own, 'text'], label: 'Text part', rows: 3, hint: 'For programs that show no HTML. Empty: made from the body.' })}`
  return html`
    ${unlessField(form, path)}
    <nc-locale-tabs .form=${form} .path=${path} .parts=${EMAIL_PARTS} .content=${parts}></nc-locale-tabs>
    ${more(isGiven(form, path, ENVELOPE), envelopeForm(form, path))}
  `
}

function unlessField(form: Form, path: Path): TemplateResult {
  const unless = [...path, 'unless']
  const own = [...unless, 'read']
  const value = textOf(readAt(form.draft, own))
  const before = inboxStepsBefore(form.draft, path)
  const isKnown = value === '' || before.some(({ id }) => id === value)
  const changed = ({ target }: Event) => {
    const id = (target as HTMLSelectElement).value
    const written = recordOf(readAt(form.draft, unless))
    edit(form, unless, id === '' ? undefined : { ...written, read: id }, 'Unless it was read')
  }
  const hint =
    before.length === 0 && value === ''
      ? 'An inbox step before this one makes it possible not to send to those who read its message.'
      : 'Who has read that message in time gets no mail.'
  return frame(
    form,
    { path: own, label: 'Send', hint },
    ({
      id,
      described,
      fault,
    }) => html`<select id=${id} class="select" .value=${live(value)} aria-describedby=${described ?? ''} aria-invalid=${fault === undefined ? 'false' : 'true'} @change=${changed}>
      <option value="" ?selected=${value === ''}>always</option>
      ${before.map((step) => html`<option value=${step.id} ?selected=${step.id === value}>unless “${step.id}” was read: ${step.title}</option>`)}
      ${isKnown ? '' : html`<option value=${value} selected>unless “${value}” was read</option>`}
    </select>`,
  )
}
