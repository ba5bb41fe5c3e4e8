// <nc-sign-in>: e-mail address and password, then a code for people who switched one-time codes on.

import { html, type TemplateResult } from 'lit'
import { ApiFailure } from '../../api/client.ts'
import { needsCode } from '../../api/people.ts'
import { AccessPage, field } from './access-form.ts'

class NcSignIn extends AccessPage {
  static override properties = { ...AccessPage.properties, wantsCode: { state: true } }

  declare wantsCode: boolean

  constructor() {
    super()
    this.wantsCode = false
  }

  protected override submit(fields: Readonly<Record<string, string>>): Promise<void> {
    return this.wantsCode ? this.#sendCode(fields) : this.#sendPassword(fields)
  }

  async #sendPassword({ email = '', password = '' }: Readonly<Record<string, string>>): Promise<void> {
    try {
      const answer = await this.context.people.signIn(email, password)
      if (!needsCode(answer)) return this.context.signedIn(answer)
      this.wantsCode = true
      void this.focusOn('#code')
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 401) throw new ApiFailure(401, { message: WRONG })
      throw error
    }
  }

  async #sendCode({ code = '' }: Readonly<Record<string, string>>): Promise<void> {
    try {
      this.context.signedIn(await this.context.people.sendCode(code.trim()))
    } catch (error) {
      if (error instanceof ApiFailure && error.body.reason === 'challenge-ended') this.#startAgain()
      throw error
    }
  }

  readonly #startAgain = (): void => {
    this.wantsCode = false
    void this.focusOn('#email')
  }

  override render(): TemplateResult {
    return this.wantsCode ? this.#codeForm() : this.#passwordForm()
  }

  #passwordForm(): TemplateResult {
    const fields = html`${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' })}
      ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
      <a class="link field-link" href="/dashboard/forgot-password">Forgot your password?</a>`
    const wasRefused = this.context.query.has('error')
    return wasRefused ? this.form('Sign in', 'Sign in', fields, REFUSED) : this.form('Sign in', 'Sign in', fields)
  }

  #codeForm(): TemplateResult {
    const fields = html`${field({
      name: 'code',
      label: 'Code',
      type: 'text',
      autocomplete: 'one-time-code',
      hint: 'The six digits of your app, or one of your recovery codes.',
    })}
      <button type="button" class="link field-link" @click=${this.#startAgain}>Use another account</button>`
    return this.form('Enter your code', 'Sign in', fields)
  }

  protected override firstUpdated(): void {
    void this.focusOn('#email')
  }
}

/** The same for both, as the server says: nobody learns which addresses have an account. */
const WRONG = 'The e-mail address or the password is wrong.'
const REFUSED = 'The single sign-on did not succeed. Try again, or ask an owner of your organisation.'

customElements.define('nc-sign-in', NcSignIn)
