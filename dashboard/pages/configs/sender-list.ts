// Renders the senders that steps may name beside the config's own: added, changed and removed, with faults at their field.

import { html, nothing, type TemplateResult } from 'lit'
import type { MailSenderName } from '../../../contract/resources/notification-config.ts'
import { icon } from '../../elements/icon.ts'

/** As the server has it. */
const MAX_SENDERS = 50

export interface SenderListProps {
  senders: readonly MailSenderName[]
  mayChange: boolean
  /** @returns what is wrong with a field, by its path within `email`. */
  faultOf(path: string): string | undefined
  onChange(senders: MailSenderName[]): void
}

export function senderList({ senders, mayChange, faultOf, onChange }: SenderListProps): TemplateResult {
  const add = () => onChange([...senders, { name: null, address: '' }])
  const replace = (at: number, change: Partial<MailSenderName>) =>
    onChange(senders.map((one, place) => (place === at ? { ...one, ...change } : one)))
  const remove = (at: number) => onChange(senders.filter((_, place) => place !== at))
  return html`<section class="card" aria-labelledby="senders-title">
    <header class="card-head"><h2 id="senders-title">Further senders</h2></header>
    <p class="card-text">Steps of campaigns may send from these addresses as well. The provider must know each of them.</p>
    ${senders.length === 0 ? html`<p class="none-found">There is no further sender.</p>` : nothing}
    <ul class="categories">
      ${senders.map(({ name, address }, at) => {
        const words = `sender ${at + 1}`
        const faults = [faultOf(`senders[${at}].name`), address === '' ? undefined : faultOf(`senders[${at}].address`)]
        const isFaulty = (place: number) => (faults[place] === undefined ? nothing : 'true')
        const textOf = ({ target }: Event) => (target as HTMLInputElement).value.trim()
        return html`<li>
          <input class="input" aria-label=${`Name of ${words}`} placeholder="Name, such as Loam Plants" maxlength="200" autocomplete="off" aria-invalid=${isFaulty(0)} aria-describedby=${`sender-faults-${at}`} ?disabled=${!mayChange} .value=${name ?? ''} @input=${(event: Event) => replace(at, { name: textOf(event) || null })} />
          <input class="input mono" type="email" aria-label=${`Address of ${words}`} placeholder="orders@shop.example" maxlength="320" autocomplete="off" spellcheck="false" aria-invalid=${isFaulty(1)} aria-describedby=${`sender-faults-${at}`} ?disabled=${!mayChange} .value=${address} @input=${(event: Event) => replace(at, { address: textOf(event) })} />
          ${mayChange ? html`<button type="button" class="icon-button" aria-label=${`Remove ${words}`} title=${`Remove ${words}`} @click=${() => remove(at)}>${icon('trash')}</button>` : nothing}
          <div class="row-faults" id=${`sender-faults-${at}`} aria-live="polite">${faults.map((fault) => (fault === undefined ? nothing : html`<p class="field-fault">${fault}</p>`))}</div>
        </li>`
      })}
    </ul>
    ${mayChange && senders.length < MAX_SENDERS ? html`<wa-button size="s" appearance="outlined" @click=${add}>${icon('plus', 'start')}Add a sender</wa-button>` : nothing}
  </section>`
}
