// <nc-reset-password>: sets a new password by a one-time link.

import { html, type TemplateResult } from 'lit'
import { field, NEW_PASSWORD } from '../../elements/fields.ts'
import { AccessPage, tokenOfLink } from './access-form.ts'

class NcResetPassword extends AccessPage {
  #isDone = false

  protected override async submit({ password = '' }: Readonly<Record<string, string>>): Promise<void> {
    await this.context.people.reset(tokenOfLink(), password)
    // The token has no use any more, and belongs in no history.
    history.replaceState(null, '', location.pathname)
    this.#isDone = true
    await this.focusOn('h1')
  }

  override render(): TemplateResult {
    if (this.#isDone)
      return html`<div class="access">
        <div class="access-mark" aria-hidden="true"></div>
        <h1 tabindex="-1">Your password is changed</h1>
        <p class="access-text">All sessions of your account have ended.</p>
        <wa-button variant="brand" class="wide" href="/sign-in">Sign in</wa-button>
      </div>`
    return this.form(
      'Set a new password',
      'Set the password',
      field(NEW_PASSWORD),
      'All sessions of your account end, on every device.',
    )
  }

  protected override firstUpdated(): void {
    void this.focusOn('#password')
  }
}

customElements.define('nc-reset-password', NcResetPassword)
