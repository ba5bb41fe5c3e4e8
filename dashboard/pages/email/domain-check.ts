// <nc-domain-check>: what DNS says about the domains of the senders (SPF, DKIM, DMARC), with the records to copy.

import { html, LitElement, nothing, type TemplateResult } from 'lit'
import type { DomainFinding } from '../../../contract/resources/email-domain.ts'
import { badge, type Tone } from '../../elements/badge.ts'
import { copyable } from '../../elements/bits.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'

const TONES: Record<DomainFinding['verdict'], Tone> = { ok: 'good', missing: 'warn', wrong: 'bad', unknown: 'quiet' }

class NcDomainCheck extends LitElement {
  static override properties = { context: { attribute: false } }

  declare context: AppContext
  readonly #found = new Loader<DomainFinding[]>(this)

  protected override createRenderRoot(): HTMLElement {
    return this
  }

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(): void {
    void this.#found.load(async (signal) => (await this.context.api.emailDomains(signal)).data)
  }

  override render(): TemplateResult | typeof nothing {
    const { value, state, error } = this.#found
    if (value?.length === 0) return nothing
    return html`<section class="card" aria-labelledby="domains-title">
      <div class="card-head">
        <h2 id="domains-title">Domains of the senders</h2>
        <wa-button size="s" appearance="outlined" ?disabled=${state === 'loading'} @click=${() => this.#load()}>Check again</wa-button>
      </div>
      <p class="hint">Receivers trust mails of domains with these DNS records. Add a missing one where the domain is managed.</p>
      ${value !== undefined ? table(value) : state === 'failed' ? failureView(error, () => this.#load()) : loadingView(2)}
    </section>`
  }
}

function table(findings: readonly DomainFinding[]): TemplateResult {
  return html`<div class="table-box">
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Record</th>
          <th scope="col">State</th>
          <th scope="col">What to do</th>
        </tr>
      </thead>
      <tbody>
        ${findings.map(
          ({ domain, integration, kind, verdict, words, record }) => html`<tr>
            <th scope="row">${kind.toUpperCase()} of ${domain}${integration === null ? nothing : html`<br /><small>${integration}</small>`}</th>
            <td>${badge(verdict, TONES[verdict])}</td>
            <td>
              ${words}
              ${
                record === null
                  ? nothing
                  : html`<br />TXT record ${copyable(record.name, 'the name of the record')}<br />
                    ${copyable(record.value, 'the value of the record', shorten(record.value))}`
              }
            </td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

const SHOWN_CHARS = 60
const shorten = (text: string) => (text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text)

customElements.define('nc-domain-check', NcDomainCheck)
