// <nc-domain-proofs>: the domains of the single sign-on, whether each is proved, and the record that proves it.

import { html, nothing, type TemplateResult } from 'lit'
import type { DomainProof, SingleSignOnAnswer } from '../../../contract/resources/single-sign-on.ts'
import { badge } from '../../elements/badge.ts'
import { copyable, facts, time } from '../../elements/bits.ts'
import { faultView } from '../../elements/states.ts'
import { Attempt } from '../../lib/attempt.ts'
import { LightElement } from '../../lib/light-element.ts'
import type { AppContext } from '../../shell/context.ts'

/** Sends `domain-checked` after each check that found the record. */
class NcDomainProofs extends LightElement {
  static override properties = { context: { attribute: false }, settings: { attribute: false } }

  declare context: AppContext
  declare settings: SingleSignOnAnswer

  readonly #attempt = new Attempt(this)
  /** The domain of the last check, whose failure is shown beside it. */
  #checked = ''

  override render(): TemplateResult {
    return html`<h3 id="domains-title">Domains</h3>
      <p class="card-text">
        The provider signs in people of a proved domain at once. Others accept it first, signed in by their own password.
      </p>
      <ul class="lines" aria-labelledby="domains-title">
        ${this.settings.domainProofs.map((proof) => this.#row(proof))}
      </ul>`
  }

  #row(proof: DomainProof): TemplateResult {
    const { domain, provedBy, missingSince } = proof
    const isOpen = provedBy === null || missingSince !== null
    return html`<li class="domain-proof">
      <p class="domain-state"><strong>${domain}</strong>${stateOf(proof)}</p>
      ${isOpen ? this.#record(proof) : nothing}
    </li>`
  }

  #record({ domain, record, missingSince }: DomainProof): TemplateResult {
    const { isBusy, error } = this.#attempt
    const isChecked = this.#checked === domain
    return html`<p class="hint">
        ${missingSince === null ? 'Set this TXT record at your DNS provider.' : html`The record is missing since ${time(missingSince)}. Set it again: after a week the proof ends.`}
      </p>
      ${facts([
        ['Name', copyable(record.name, `name of the record of ${domain}`)],
        ['Value', copyable(record.value, `value of the record of ${domain}`)],
      ])}
      ${
        this.context.may('owner')
          ? html`<wa-button size="s" appearance="outlined" ?loading=${isBusy && isChecked} @click=${() => this.#check(domain)}>Check now<span class="sr"> ${domain}</span></wa-button>`
          : nothing
      }
      ${isChecked ? faultView(error) : nothing}`
  }

  #check(domain: string): void {
    this.#checked = domain
    void this.#attempt.run(async () => {
      await this.context.organisation.proveDomain(domain)
      this.context.notify(`${domain} is proved.`)
      this.dispatchEvent(new Event('domain-checked'))
    })
  }
}

function stateOf({ provedBy, missingSince }: DomainProof): TemplateResult {
  if (missingSince !== null) return badge('record-missing', 'bad')
  if (provedBy === null) return badge('not-proved', 'warn')
  return html`${badge('proved', 'good')}${provedBy === 'operator' ? html` <span class="row-note">by the operator of this service</span>` : nothing}`
}

customElements.define('nc-domain-proofs', NcDomainProofs)
