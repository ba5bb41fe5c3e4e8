// <nc-sign-in>: e-mail address and password, then a code where it is on; or a passkey, or the single sign-on.

import { html, nothing, type TemplateResult } from 'lit'
import { ApiFailure } from '../../api/client.ts'
import { needsCode, singleSignOnStart } from '../../api/people.ts'
import { icon } from '../../elements/icon.ts'
import { askForPasskey, canUsePasskeys } from '../../lib/passkey.ts'
import { AccessPage, field } from './access-form.ts'
import { signOnError } from './sign-on-errors.ts'

type Step = 'password' | 'code' | 'organisation'
type Fields = Readonly<Record<string, string>>

/** The first field of each step, which takes the focus. */
const FIRST_FIELDS: Record<Step, string> = { password: '#email', code: '#code', organisation: '#organisation' }

class NcSignIn extends AccessPage {
  static override properties = { ...AccessPage.properties, step: { state: true } }

  declare step: Step

  constructor() {
    super()
    this.step = 'password'
  }

  readonly #goTo = (step: Step): void => {
    this.step = step
    void this.focusOn(FIRST_FIELDS[step])
  }

  protected override async submit(fields: Fields): Promise<void> {
    if (this.step === 'password') return this.#sendPassword(fields)
    if (this.step === 'code') return this.#sendCode(fields)
    location.assign(singleSignOnStart((fields.organisation ?? '').trim()))
  }

  async #sendPassword({ email = '', password = '' }: Fields): Promise<void> {
    try {
      const answer = await this.context.people.signIn(email, password)
      if (!needsCode(answer)) return this.context.signedIn(answer)
      this.#goTo('code')
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 401) throw new ApiFailure(401, { message: WRONG })
      throw error
    }
  }

  async #sendCode({ code = '' }: Fields): Promise<void> {
    try {
      this.context.signedIn(await this.context.people.sendCode(code.trim()))
    } catch (error) {
      if (error instanceof ApiFailure && error.body.reason === 'challenge-ended') this.#goTo('password')
      throw error
    }
  }

  async #usePasskey(): Promise<void> {
    const { people, signedIn } = this.context
    signedIn(await people.signInByPasskey(await askForPasskey(await people.passkeyOptions())))
  }

  override render(): TemplateResult {
    if (this.step === 'code') return this.#codeForm()
    return this.step === 'organisation' ? this.#organisationForm() : this.#passwordForm()
  }

  #passwordForm(): TemplateResult {
    const fields = html`${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' })}
      ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
      <a class="link field-link" href="/dashboard/forgot-password">Forgot your password?</a>`
    return this.form('Sign in', 'Sign in', fields, this.#refusal(), this.#otherWays())
  }

  /** Why the single sign-on has sent the browser back. */
  #refusal(): TemplateResult | typeof nothing {
    const { query } = this.context
    const [error, correlationId] = [query.get('error'), query.get('correlationId')]
    if (error === null) return nothing
    return html`<span class="form-error" role="alert">${signOnError(error)}</span>
      ${correlationId === null ? nothing : html`<span class="hint access-detail">Correlation ID: <code>${correlationId}</code></span>`}`
  }

  #otherWays(): TemplateResult {
    const passkey = () => void this.attempt(() => this.#usePasskey())
    return html`<div class="access-ways">
      ${canUsePasskeys() ? html`<wa-button appearance="outlined" class="wide" @click=${passkey}>${icon('key', 'start')}Sign in with a passkey</wa-button>` : nothing}
      <wa-button appearance="outlined" class="wide" @click=${() => this.#goTo('organisation')}>${icon('members', 'start')}Single sign-on</wa-button>
    </div>`
  }

  #codeForm(): TemplateResult {
    const fields = html`${field({
      name: 'code',
      label: 'Code',
      type: 'text',
      autocomplete: 'one-time-code',
      hint: 'The six digits of your app, or one of your recovery codes.',
    })}
      ${this.#back('Use another account')}`
    return this.form('Enter your code', 'Sign in', fields)
  }

  #organisationForm(): TemplateResult {
    const fields = html`${field({
      name: 'organisation',
      label: 'Organisation ID',
      type: 'text',
      autocomplete: 'off',
      value: this.context.query.get('organisation') ?? '',
      hint: 'It begins with org_. An owner of your organisation knows it.',
    })}
      ${this.#back('Sign in another way')}`
    return this.form('Single sign-on', 'Continue', fields, 'You sign in at the identity provider of your organisation.')
  }

  #back(label: string): TemplateResult {
    return html`<button type="button" class="link-button" @click=${() => this.#goTo('password')}>${label}</button>`
  }

  protected override firstUpdated(): void {
    void this.focusOn(FIRST_FIELDS[this.step])
  }
}

/** The same for both, as the server says: nobody learns which addresses have an account. */
const WRONG = 'The e-mail address or the password is wrong.'

customElements.define('nc-sign-in', NcSignIn)
