// <nc-forgot-password>: asks for a link that sets a new password.

import { html, type TemplateResult } from 'lit'
import { field } from '../../elements/fields.ts'
import { ownPath } from '../../routing/prefix.ts'
import { AccessPage } from './access-form.ts'

class NcForgotPassword extends AccessPage {
  #answer: { sendsMail: boolean } | undefined

  protected override async submit({ email = '' }: Readonly<Record<string, string>>): Promise<void> {
    this.#answer = await this.context.people.requestReset(email)
    await this.focusOn('h1')
  }

  override render(): TemplateResult {
    const back = html`<a class="link field-link" href=${ownPath('/sign-in')}>Back to the sign-in</a>`
    if (this.#answer?.sendsMail)
      return html`<div class="access">
        <div class="access-mark" aria-hidden="true"></div>
        <h1 tabindex="-1">Check your mail</h1>
        <p class="access-text">
          If there is an account with this address, a mail with a link is on its way. The link works once, within an
          hour. Where no mail arrives, look at the folder of unwanted mail, or request another one in a few minutes.
        </p>
        ${back}
      </div>`
    if (this.#answer !== undefined)
      return html`<div class="access">
        <div class="access-mark" aria-hidden="true"></div>
        <h1 tabindex="-1">Ask your operator for the link</h1>
        <p class="access-text">
          This server sends no mail. An operator makes the link, which works once within an hour, with
          <code>nc member reset</code>. A server that only your own machine reaches has it in its log, if there is an
          account with this address.
        </p>
        ${back}
      </div>`
    const fields = html`${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' })}${back}`
    return this.form('Forgot your password?', 'Request a link', fields, 'Enter the address of your account.')
  }

  protected override firstUpdated(): void {
    void this.focusOn('#email')
  }
}

customElements.define('nc-forgot-password', NcForgotPassword)
