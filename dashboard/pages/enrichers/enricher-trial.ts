// <nc-enricher-trial>: calls an enricher now, with parameters and a user, and shows what it answered.

import { html, nothing, type TemplateResult } from 'lit'
import type { EnricherTrialAnswer } from '../../../contract/resources/enricher.ts'
import { badge } from '../../elements/badge.ts'
import { facts, jsonView } from '../../elements/bits.ts'
import { textField, textOf } from '../../elements/fields.ts'
import { FormCard } from '../../elements/form-card.ts'
import { formatSpan } from '../../lib/format.ts'
import { parseJsonObject } from '../../lib/json-object.ts'
import type { AppContext } from '../../shell/context.ts'

class NcEnricherTrial extends FormCard {
  static override properties = {
    context: { attribute: false },
    name: { attribute: false },
    answer: { state: true },
  }

  declare context: AppContext
  declare name: string
  declare answer: EnricherTrialAnswer | undefined

  override render(): TemplateResult {
    return this.card({
      title: 'Test call',
      name: 'trial',
      text: 'Calls the endpoint now, and keeps nothing.',
      fields: html`${textField('trial', { name: 'params', label: 'Parameters, as JSON', value: '{}', rows: 4, isMono: true })}
        ${textField('trial', { name: 'user', label: 'User ID', value: 'test', required: true })}`,
      button: 'Call it',
      mayChange: true,
      result: html`<div role="status">${this.answer === undefined ? nothing : answerView(this.answer)}</div>`,
    })
  }

  protected override async submit(form: FormData): Promise<void> {
    this.answer = undefined
    const params = parseJsonObject(textOf(form, 'params'), NO_OBJECT)
    this.answer = await this.context.api.testEnricher(this.name, { params, user: { id: textOf(form, 'user') } })
  }
}

function answerView({ ok, data, error, attempts, durationMs }: EnricherTrialAnswer): TemplateResult {
  return html`<h3 class="card-section">Answer</h3>
    ${facts([
      ['Result', badge(ok ? 'answered' : 'failed', ok ? 'good' : 'bad')],
      ['Attempts', attempts],
      ['Took', formatSpan(durationMs)],
      ['Code', error === undefined ? null : html`<code>${error.code}</code>`],
      ['Reason', error?.reason],
      ['Message', error?.message],
    ])}
    ${ok ? jsonView(data ?? null, 'Data of the answer as JSON') : nothing}`
}

const NO_OBJECT = 'The parameters are no JSON object, such as {"days": 7}.'

customElements.define('nc-enricher-trial', NcEnricherTrial)
