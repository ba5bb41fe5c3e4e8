// Renders the forms of the steps that wait or limit: `delay`, `waitFor`, `throttle` and `digest`.

import { html, type TemplateResult } from 'lit'
import { type Path, readAt } from '../../../../editor/step-tree.ts'
import { conditionField } from '../condition-field.ts'
import { durationField } from '../duration-field.ts'
import { edit, type Form, faultOnly, numberField, segmentsField, templateField, textField } from '../form-field.ts'
import { recordOf, replaceKeys } from '../step-edits.ts'

type Way = 'for' | 'until' | 'untilQuietHoursEnd'
const WAYS: readonly Way[] = ['for', 'until', 'untilQuietHoursEnd']
const FIRST: Readonly<Record<Way, unknown>> = { for: 'PT10M', until: '', untilQuietHoursEnd: true }

export const DELAY_FIELDS: readonly string[] = WAYS

export function delayForm(form: Form, path: Path): TemplateResult {
  const step = recordOf(readAt(form.draft, path))
  const given = WAYS.filter((way) => step[way] !== undefined && step[way] !== null)
  const current = given[0] ?? 'for'
  return html`
    ${segmentsField(form, {
      path: [...path, 'way'],
      label: 'Wait',
      choices: [
        ['for', 'For a time'],
        ['until', 'Until a time'],
        ['untilQuietHoursEnd', 'Until quiet hours end'],
      ],
      current,
      choose: (way) => edit(form, path, replaceKeys(step, WAYS, way, FIRST[way]), 'Wait'),
    })}
    ${(given.length === 0 ? [current] : given).map((way) => delayField(form, path, way))}
    ${current === 'for' ? '' : faultOnly(form, [...path, 'for'])}
  `
}

function delayField(form: Form, path: Path, way: Way): unknown {
  const own = [...path, way]
  if (way === 'for')
    return durationField(form, { path: own, label: 'How long', isRequired: true, hint: 'At most a year.' })
  if (way === 'until') {
    const hint = 'A date or a time with its offset, such as 2026-12-24 or {{ event.properties.startsAt }}.'
    return templateField(form, { path: own, label: 'Until', isRequired: true, hint })
  }
  return html`<p class="hint">Continues at once for a user who has no quiet hours now.</p>
    ${faultOnly(form, own)}`
}

export const WAIT_FOR_FIELDS = ['event', 'timeout', 'where', 'then', 'onTimeout']

export function waitForForm(form: Form, path: Path): TemplateResult {
  const { eventNames } = form.choices
  return html`
    ${textField(form, { path: [...path, 'event'], label: 'Wait for the event', isRequired: true, isMono: true, hint: 'Of the same user.', ...(eventNames && { list: eventNames }) })}
    ${conditionField(form, { path: [...path, 'where'], label: 'Only if', none: 'Each such event ends the wait.' })}
    ${durationField(form, { path: [...path, 'timeout'], label: 'At most', isRequired: true, hint: 'Then the other way is taken.' })}
  `
}

export const THROTTLE_FIELDS = ['limit', 'window']

export function throttleForm(form: Form, path: Path): TemplateResult {
  return html`
    ${numberField(form, { path: [...path, 'limit'], label: 'Runs of a user that pass', hint: 'The others end here.' })}
    ${durationField(form, { path: [...path, 'window'], label: 'Within', isRequired: true })}
  `
}

export const DIGEST_FIELDS = ['window', 'key', 'max']

export function digestForm(form: Form, path: Path): TemplateResult {
  return html`
    ${durationField(form, { path: [...path, 'window'], label: 'Gather events for', isRequired: true, hint: 'Then the run continues once, with all of them.' })}
    ${templateField(form, { path: [...path, 'key'], label: 'Apart by', hint: 'Events with different values are gathered apart, such as {{ event.properties.postId }}.' })}
    ${numberField(form, { path: [...path, 'max'], label: 'At most so many events', placeholder: '1000' })}
  `
}
