// <nc-sign-in>: e-mail address and password, then a code for people who switched one-time codes on.

import { html, type TemplateResult } from 'lit'
import { ApiFailure } from '../../api/client.ts'
import { field } from './access-form.ts'
import { CodePage } from './code-page.ts'

class NcSignIn extends CodePage {
  protected override async sendFirst({ email = '', password = '' }: Readonly<Record<string, string>>) {
    try {
      return await this.context.people.signIn(email, password)
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 401) throw new ApiFailure(401, { message: WRONG })
      throw error
    }
  }

  protected override readonly onChallengeEnded = (): void => {
    this.wantsCode = false
    void this.focusOn('#email')
  }

  protected override firstForm(): TemplateResult {
    const fields = html`${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' })}
      ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
      <a class="link field-link" href="/dashboard/forgot-password">Forgot your password?</a>`
    const wasRefused = this.context.query.has('error')
    return wasRefused ? this.form('Sign in', 'Sign in', fields, REFUSED) : this.form('Sign in', 'Sign in', fields)
  }

  protected override beginAgain(): TemplateResult {
    return html`<button type="button" class="link field-link" @click=${this.onChallengeEnded}>Use another account</button>`
  }

  protected override firstUpdated(): void {
    void this.focusOn('#email')
  }
}

/** The same for both, as the server says: nobody learns which addresses have an account. */
const WRONG = 'The e-mail address or the password is wrong.'
const REFUSED = 'The single sign-on did not succeed. Try again, or ask an owner of your organisation.'

customElements.define('nc-sign-in', NcSignIn)
