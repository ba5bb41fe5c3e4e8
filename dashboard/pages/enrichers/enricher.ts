// <nc-enricher>: one enricher with its settings, a test call, and its removal.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { EnricherAnswer } from '../../../contract/resources/enricher.ts'
import { copyable, facts, pageHead, time } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { icon } from '../../elements/icon.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { formatSpan } from '../../lib/format.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import './enricher-card.ts'
import './enricher-trial.ts'

class NcEnricher extends AppPage {
  readonly #enricher = new Loader<EnricherAnswer>(this)
  readonly #confirm = createRef<NcConfirm>()

  protected override firstUpdated(): void {
    this.context.setTitle(this.routeId)
    this.#load()
  }

  #load(quiet = false): void {
    void this.#enricher.load((signal) => this.context.api.enricher(this.routeId, signal), { quiet })
  }

  override render(): TemplateResult {
    const { value, state, error } = this.#enricher
    const remove = html`<wa-button size="s" appearance="outlined" variant="danger" @click=${() => this.#remove()}>${icon('trash', 'start')}Remove</wa-button>`
    const mayRemove = value !== undefined && this.context.may('admin')
    return html`<div class="page">
      <nav class="crumbs" aria-label="Breadcrumb"><a class="link" href=${this.context.link('enrichers')}>Enrichers</a></nav>
      ${pageHead(this.routeId, value?.url, mayRemove ? remove : nothing)}
      ${
        value === undefined
          ? state === 'failed'
            ? failureView(error, () => this.#load())
            : loadingView()
          : this.#content(value)
      }
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #content(enricher: EnricherAnswer): TemplateResult {
    const { context } = this
    return html`<div class="columns">
      <div class="column-main">
        ${context.may('editor') ? html`<nc-enricher-trial .context=${context} .name=${enricher.name}></nc-enricher-trial>` : nothing}
        <nc-enricher-card .context=${context} .enricher=${enricher} @enricher-saved=${() => this.#load(true)}></nc-enricher-card>
      </div>
      <aside class="column-side" aria-label="About this enricher">
        <section class="card">
          ${facts([
            ['Name', copyable(enricher.name, 'name')],
            ['Address', enricher.url],
            ['Time limit', formatSpan(enricher.timeoutMs)],
            ['Kept for', enricher.cacheSeconds === 0 ? 'Never kept' : formatSpan(enricher.cacheSeconds * 1000)],
            ['Created', time(enricher.createdAt)],
            ['Changed', time(enricher.updatedAt)],
          ])}
        </section>
      </aside>
    </div>`
  }

  #remove(): void {
    const { api, notify, router, link } = this.context
    const name = this.routeId
    this.#confirm.value?.ask({
      title: 'Remove this enricher',
      text: html`<p>Steps of campaigns that name it fail from then on, until there is one of this name again.</p>`,
      button: 'Remove',
      isDangerous: true,
      typed: name,
      async run() {
        await api.removeEnricher(name)
        notify(`The enricher ${name} is removed.`)
        router.go(link('enrichers'))
      },
    })
  }
}

customElements.define('nc-enricher', NcEnricher)
