// Renders the forms of the steps `enrich` and `exit`.

import { html, type TemplateResult } from 'lit'
import { type Path, readAt } from '../../../../editor/step-tree.ts'
import { edit, type Form, segmentsField, selectField, textField } from '../form-field.ts'
import { jsonField } from '../json-field.ts'
import { isPairs, pairsField } from '../pairs-field.ts'

export const ENRICH_FIELDS = ['enricher', 'params', 'onError']

export function enrichForm(form: Form, path: Path): TemplateResult {
  const { enrichers } = form.choices
  const enricher = { path: [...path, 'enricher'], label: 'Enricher', isRequired: true }
  const params = { path: [...path, 'params'], label: 'Values for it' }
  const onError = [...path, 'onError']
  return html`
    ${
      enrichers === undefined
        ? textField(form, { ...enricher, isMono: true })
        : selectField(form, { ...enricher, choices: enrichers.map((name) => [name, name] as const) })
    }
    ${isPairs(readAt(form.draft, params.path)) ? pairsField(form, { ...params, item: 'Value' }) : jsonField(form, params)}
    ${segmentsField(form, {
      path: onError,
      label: 'Without an answer',
      choices: [
        ['stop', 'End the run'],
        ['continue', 'Continue without it'],
      ],
      current: readAt(form.draft, onError) === 'continue' ? 'continue' : 'stop',
      choose: (next) => edit(form, onError, next === 'stop' ? undefined : next, 'Without an answer'),
    })}
  `
}

export const EXIT_FIELDS = ['reason']

export const exitForm = (form: Form, path: Path): TemplateResult =>
  textField(form, {
    path: [...path, 'reason'],
    label: 'Reason',
    maxLength: 200,
    hint: 'Stands in the history of the run.',
  })
