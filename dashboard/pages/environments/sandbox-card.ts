// <nc-sandbox-card>: which mails leave an environment.

import { html, type TemplateResult } from 'lit'
import type { EmailSandbox } from '../../../contract/resources/environment.ts'
import { choiceField, linesOf, textField, textOf } from '../../elements/fields.ts'
import { EnvironmentCard } from './environment-card.ts'

const MODES = [
  ['allow', 'Only mails to these addresses and domains are sent'],
  ['redirect', 'All mails go to one address'],
  ['off', 'All mails are sent to their users'],
] as const
const HINT = 'One on each line, such as ada@shop.example or shop.example. Empty with the first choice: no mail is sent.'

class NcSandboxCard extends EnvironmentCard {
  override render(): TemplateResult {
    const { mode, addresses } = this.environment.emailSandbox
    const sendsNothing = mode === 'allow' && addresses.length === 0
    return this.card({
      title: 'E-mail sandbox',
      name: 'sandbox',
      text: sendsNothing
        ? html`<span class="side-note" role="note">No mail leaves this environment: no address is listed, so every mail ends as skipped.</span>`
        : undefined,
      fields: html`<p class="hint">Mails that may not leave this environment end as skipped, with the reason sandbox. Those in the mailbox of the server reach nobody, and stay.</p>
        ${choiceField('sandbox', { name: 'mode', label: 'Mails', value: mode, choices: MODES })}
        ${textField('sandbox', { name: 'addresses', label: 'Addresses and domains', rows: 3, isMono: true, value: addresses.join('\n'), hint: HINT })}`,
      mayChange: this.mayChange,
    })
  }

  protected override submit(form: FormData): Promise<void> {
    const mode = textOf(form, 'mode') as EmailSandbox['mode']
    const emailSandbox = { mode, addresses: linesOf(form, 'addresses') }
    return this.saveSettings({ emailSandbox }, 'The e-mail sandbox is changed.')
  }
}

customElements.define('nc-sandbox-card', NcSandboxCard)
