// <nc-reset-password>: sets a new password by a one-time link.

import { html, nothing, type TemplateResult } from 'lit'
import { field, NEW_PASSWORD, tickField } from '../../elements/fields.ts'
import { ownPath } from '../../routing/prefix.ts'
import { AccessPage, tokenOfLink } from './access-form.ts'

class NcResetPassword extends AccessPage {
  #done: { passkeysRemoved: number } | undefined

  protected override async submit(fields: Readonly<Record<string, string>>): Promise<void> {
    const { password = '' } = fields
    const removePasskeys = fields.removePasskeys === 'true'
    this.#done = await this.context.people.reset({ token: tokenOfLink(), password, removePasskeys })
    // The token has no use any more, and belongs in no history.
    history.replaceState(null, '', location.pathname)
    await this.focusOn('h1')
  }

  override render(): TemplateResult {
    if (this.#done !== undefined)
      return html`<div class="access">
        <div class="access-mark" aria-hidden="true"></div>
        <h1 tabindex="-1">Your password is changed</h1>
        <p class="access-text">
          All sessions of your account have ended.
          ${this.#done.passkeysRemoved === 0 ? nothing : html`All passkeys are removed: ${this.#done.passkeysRemoved}.`}
        </p>
        <wa-button variant="brand" class="wide" href=${ownPath('/sign-in')}>Sign in</wa-button>
      </div>`
    return this.form(
      'Set a new password',
      'Set the password',
      html`${field(NEW_PASSWORD)}
      ${tickField('removePasskeys', 'Remove all my passkeys', false, 'If somebody else had access to your account, they may have added one.')}`,
      'All sessions of your account end, on every device.',
    )
  }

  protected override firstUpdated(): void {
    void this.focusOn('#password')
  }
}

customElements.define('nc-reset-password', NcResetPassword)
