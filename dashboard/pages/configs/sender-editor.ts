// Renders the fields of a config's mails: the sender, and what is tracked.

import { html, nothing, type TemplateResult } from 'lit'
import type { EmailLook } from '../../../contract/resources/notification-config.ts'

type SenderField = 'senderName' | 'senderAddress' | 'replyTo' | 'logoUrl' | 'accentColor' | 'addressLine'

const FIELDS: readonly [name: SenderField, label: string, type: 'text' | 'email', hint: string][] = [
  ['senderName', 'Sender’s name', 'text', 'Shown in the list of mails. Empty: that of the integration.'],
  ['senderAddress', 'Sender’s address', 'email', 'The provider must know it. Empty: that of the integration.'],
  ['replyTo', 'Answers go to', 'email', 'Empty: the sender’s address.'],
  ['logoUrl', 'Logo', 'text', 'The address of a picture, for mails without a layout of your own.'],
  ['accentColor', 'Accent colour', 'text', 'Such as #aa3300, for buttons and links. Empty: that of the inbox.'],
  ['addressLine', 'Postal address', 'text', 'Stands below each mail.'],
]

const TRACKED = [
  ['opens', 'Openings', 'By an invisible picture. Some mail programs load it for everybody, others for nobody.'],
  ['clicks', 'Clicks', 'Links lead through an address of this server or of the provider.'],
] as const

/** @param faultOf Returns what is wrong with a field, by its path within `email`. @param more Stands below the fields. */
export function senderEditor(
  email: EmailLook,
  onChange: (change: Partial<EmailLook>) => void,
  faultOf: (path: string) => string | undefined,
  more: unknown,
): TemplateResult {
  const { tracking } = email
  return html`<section class="card" aria-labelledby="sender-title">
      <header class="card-head"><h2 id="sender-title">Sender</h2></header>
      <div class="card-fields">
        ${FIELDS.map(([name, label, type, hint]) => {
          const change = ({ target }: Event) => {
            const value = (target as HTMLInputElement).value.trim()
            onChange({ [name]: value === '' ? null : value })
          }
          const fault = faultOf(name)
          return html`<div class="field">
            <label for=${`mail-${name}`}>${label}</label>
            <input id=${`mail-${name}`} class="input" type=${type} maxlength=${type === 'email' ? 320 : 200} autocomplete="off" spellcheck="false" .value=${email[name] ?? ''} aria-invalid=${fault === undefined ? nothing : 'true'} aria-describedby=${`mail-${name}-fault mail-${name}-hint`} @input=${change} />
            <p class="field-fault" id=${`mail-${name}-fault`} ?hidden=${fault === undefined}>${fault}</p>
            <p class="hint" id=${`mail-${name}-hint`}>${hint}</p>
          </div>`
        })}
        ${more}
      </div>
    </section>
    <section class="card" aria-labelledby="tracking-title">
      <header class="card-head"><h2 id="tracking-title">Tracking</h2></header>
      <div class="card-fields">
        ${TRACKED.map(([name, label, hint]) => {
          const change = ({ target }: Event) =>
            onChange({ tracking: { ...tracking, [name]: (target as HTMLInputElement).checked } })
          return html`<label class="check">
            <input type="checkbox" .checked=${tracking[name]} @change=${change} />
            <span>${label}<span class="row-note">${hint}</span></span>
          </label>`
        })}
      </div>
    </section>`
}
