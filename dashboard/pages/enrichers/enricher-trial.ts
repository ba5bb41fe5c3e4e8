// <nc-enricher-trial>: calls an enricher now, with parameters and a user, and shows what it answered.

import { html, nothing, type TemplateResult } from 'lit'
import type { EnricherTrialAnswer } from '../../api/environment-answers.ts'
import { Attempt } from '../../elements/attempt.ts'
import { badge } from '../../elements/badge.ts'
import { facts, jsonView } from '../../elements/bits.ts'
import { icon } from '../../elements/icon.ts'
import { formatSpan } from '../../lib/format.ts'
import { parseJsonObject } from '../../lib/json-object.ts'
import { LightElement } from '../../lib/light-element.ts'
import type { AppContext } from '../../shell/context.ts'
import { field } from '../access/access-form.ts'

class NcEnricherTrial extends LightElement {
  static override properties = { context: { attribute: false }, name: { attribute: false }, answer: { state: true } }

  declare context: AppContext
  declare name: string
  declare answer: EnricherTrialAnswer | undefined

  readonly #attempt = new Attempt(this)

  override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="trial-title">
      <header class="card-head"><h2 id="trial-title">Test call</h2></header>
      <form class="narrow-form" @submit=${this.#onSubmit}>
        <div class="form-grid">
          <div class="field">
            <label for="params">Parameters, as JSON</label>
            <textarea id="params" name="params" class="input mono" rows="4" spellcheck="false">{}</textarea>
          </div>
          ${field({ name: 'trial-user', label: 'User ID', type: 'text', autocomplete: 'off', value: 'test', hint: 'The endpoint is asked for data about this user.' })}
        </div>
        <p class="form-error" role="alert">${this.#attempt.error}</p>
        <wa-button size="s" type="submit" appearance="outlined" ?loading=${this.#attempt.isBusy}>${icon('play', 'start')}Call it</wa-button>
      </form>
      <div role="status">${this.answer === undefined ? nothing : answerView(this.answer)}</div>
    </section>`
  }

  readonly #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    void this.#attempt.run(async () => {
      this.answer = undefined
      const params = parseJsonObject(String(form.get('params') ?? ''), NO_OBJECT)
      const user = { id: String(form.get('trial-user') ?? '').trim() }
      this.answer = await this.context.api.testEnricher(this.name, { params, user })
    })
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
