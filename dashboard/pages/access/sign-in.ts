// <nc-sign-in>: e-mail address and password.

import { html, type TemplateResult } from 'lit'
import { ApiFailure } from '../../api/client.ts'
import { AccessPage, field } from './access-form.ts'

class NcSignIn extends AccessPage {
  protected override async submit({ email = '', password = '' }: Readonly<Record<string, string>>): Promise<void> {
    try {
      this.context.signedIn(await this.context.people.signIn(email, password))
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 401) throw new ApiFailure(401, { message: WRONG })
      throw error
    }
  }

  override render(): TemplateResult {
    const fields = html`${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' })}
      ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
      <a class="link field-link" href="/dashboard/forgot-password">Forgot your password?</a>`
    return this.form('Sign in', 'Sign in', fields)
  }

  protected override firstUpdated(): void {
    void this.focusOn('#email')
  }
}

/** The same for both, as the server says: nobody learns which addresses have an account. */
const WRONG = 'The e-mail address or the password is wrong.'

customElements.define('nc-sign-in', NcSignIn)
