// <nc-enrichers>: the endpoints that are called for data during a run.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { EnricherAnswer } from '../../../contract/resources/enricher.ts'
import { isFound } from '../../api/is-found.ts'
import { age, pageHead } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { field } from '../../elements/fields.ts'
import { icon } from '../../elements/icon.ts'
import { emptyView, failureView, listFoot, loadingView } from '../../elements/states.ts'
import { formatCount, formatSpan } from '../../lib/format.ts'
import { InvalidInput } from '../../lib/invalid-input.ts'
import { ListLoader } from '../../lib/list-loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import { enricherFields, NEW_ENRICHER, settingsOf } from './enricher-form.ts'

const PAGE_ENRICHERS = 50

class NcEnrichers extends AppPage {
  readonly #list = new ListLoader<EnricherAnswer>(this, (cursor, signal) =>
    this.context.api.enrichers({ limit: PAGE_ENRICHERS, cursor }, signal),
  )
  readonly #confirm = createRef<NcConfirm>()

  protected override firstUpdated(): void {
    this.#list.reload()
  }

  override render(): TemplateResult {
    const add = html`<wa-button size="s" variant="brand" @click=${() => this.#add()}>${icon('plus', 'start')}Add an enricher</wa-button>`
    return html`<div class="page">
      ${pageHead('Enrichers', 'Your endpoints, which campaigns ask for data about a user.', this.context.may('admin') ? add : nothing)}
      ${this.#content()}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #content(): TemplateResult {
    const { value, state, error, reload } = this.#list
    if (state === 'failed') return failureView(error, reload)
    if (value === undefined) return loadingView(5)
    if (value.rows.length === 0) {
      return emptyView({
        icon: 'plug',
        title: 'No enrichers yet',
        text: 'A campaign can ask an endpoint of yours for data, such as the orders of a user, and use it in its texts.',
      })
    }
    return html`<div class="table-box">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Address</th>
              <th scope="col" class="number wide-only">Time limit</th>
              <th scope="col" class="number wide-only">Kept for</th>
              <th scope="col" class="wide-only">Changed</th>
            </tr>
          </thead>
          <tbody>
            ${value.rows.map((enricher) => this.#row(enricher))}
          </tbody>
        </table>
      </div>
      ${listFoot(this.#list, 'enricher')}`
  }

  #row({ name, url, timeoutMs, cacheSeconds, updatedAt }: EnricherAnswer): TemplateResult {
    return html`<tr>
      <th scope="row"><a class="row-link" href=${this.context.link('enricher', name)}>${name}</a></th>
      <td class="pre">${url}</td>
      <td class="number wide-only">${formatCount(timeoutMs)} ms</td>
      <td class="number wide-only">${cacheSeconds === 0 ? '–' : formatSpan(cacheSeconds * 1000)}</td>
      <td class="wide-only">${age(updatedAt)}</td>
    </tr>`
  }

  #add(): void {
    const { api, router, link } = this.context
    this.#confirm.value?.ask({
      title: 'Add an enricher',
      text: html`<p>Steps name it, and your SDK answers its calls.</p>`,
      fields: html`${field({ name: 'name', label: 'Name', type: 'text', autocomplete: 'off', hint: 'Such as user-orders.' })}
        ${enricherFields(NEW_ENRICHER)}`,
      button: 'Add',
      run: async (form) => {
        const name = String(form.get('name')).trim()
        // Adding replaces one of the same name.
        if (await isFound(api.enricher(name), 'enricher/not-found'))
          throw new InvalidInput(`There is an enricher of the name ${name} already.`)
        await api.putEnricher(name, settingsOf(form))
        router.go(link('enricher', name))
      },
    })
  }
}

customElements.define('nc-enrichers', NcEnrichers)
