// <nc-integration-test>: sends a test mail, and shows the provider's own answer.

import { html, nothing, type TemplateResult } from 'lit'
import type { EmailIntegrationTestAnswer } from '../../../contract/resources/email-integration.ts'
import { badge } from '../../elements/badge.ts'
import { facts } from '../../elements/bits.ts'
import { textField, textOf } from '../../elements/fields.ts'
import { FormCard } from '../../elements/form-card.ts'
import type { AppContext } from '../../shell/context.ts'

class NcIntegrationTest extends FormCard {
  static override properties = {
    context: { attribute: false },
    integrationId: { attribute: false },
    answer: { state: true },
  }

  declare context: AppContext
  declare integrationId: string
  declare protected answer: EmailIntegrationTestAnswer | undefined

  override render(): TemplateResult {
    return this.card({
      title: 'Send a test',
      name: 'test',
      text: 'A short mail goes out now, by this integration alone.',
      fields: textField('test', { name: 'to', label: 'To', type: 'email', required: true, autocomplete: 'off' }),
      button: 'Send',
      mayChange: true,
      result: html`<div role="status">${this.answer === undefined ? nothing : answerView(this.answer)}</div>`,
    })
  }

  protected override async submit(form: FormData): Promise<void> {
    this.answer = undefined
    this.answer = await this.context.api.testIntegration(this.integrationId, { to: textOf(form, 'to') })
  }
}

function answerView({ ok, providerMessageId, error }: EmailIntegrationTestAnswer): TemplateResult {
  return html`<h3 class="card-section">Answer</h3>
    ${facts([
      ['Result', badge(ok ? 'taken' : 'refused', ok ? 'good' : 'bad')],
      ['Provider’s id', providerMessageId],
      ['In its words', error],
    ])}`
}

customElements.define('nc-integration-test', NcIntegrationTest)
