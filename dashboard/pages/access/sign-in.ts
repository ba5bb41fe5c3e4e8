// <nc-sign-in>: e-mail address and password, then a code where it is on; or a passkey, or the single sign-on.

import { html, nothing, type TemplateResult } from 'lit'
import { ApiFailure } from '../../api/client.ts'
import { singleSignOnStart } from '../../api/people.ts'
import { field } from '../../elements/fields.ts'
import { icon } from '../../elements/icon.ts'
import { askForPasskey, canUsePasskeys } from '../../lib/passkey.ts'
import { ownPath } from '../../routing/prefix.ts'
import { CodePage } from './code-page.ts'
import { signOnError } from './sign-on-errors.ts'

type Fields = Readonly<Record<string, string>>

class NcSignIn extends CodePage {
  static override properties = { ...CodePage.properties, asksOrganisation: { state: true } }

  declare asksOrganisation: boolean

  constructor() {
    super()
    this.asksOrganisation = false
  }

  protected override async submit(fields: Fields): Promise<void> {
    if (this.asksOrganisation) location.assign(singleSignOnStart((fields.organisation ?? '').trim()))
    else await super.submit(fields)
  }

  protected override async sendFirst({ email = '', password = '' }: Fields) {
    try {
      return await this.context.people.signIn(email, password)
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 401) throw new ApiFailure(401, { message: WRONG })
      throw error
    }
  }

  protected override readonly beginAnew = (): void => {
    this.wantsCode = this.asksOrganisation = false
    void this.focusOn('#email')
  }

  readonly #askOrganisation = (): void => {
    this.asksOrganisation = true
    void this.focusOn('#organisation')
  }

  async #usePasskey(): Promise<void> {
    const { people, signedIn } = this.context
    await signedIn(await people.signInByPasskey(await askForPasskey(await people.passkeyOptions())))
  }

  protected override firstForm(): TemplateResult {
    return this.asksOrganisation ? this.#organisationForm() : this.#passwordForm()
  }

  #passwordForm(): TemplateResult {
    const fields = html`${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' })}
      ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
      <a class="link field-link" href=${ownPath('/dashboard/forgot-password')}>Forgot your password?</a>`
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
    const passkey = () => void this.attempt.run(() => this.#usePasskey())
    return html`<div class="access-ways">
      ${canUsePasskeys() ? html`<wa-button appearance="outlined" class="wide" @click=${passkey}>${icon('key', 'start')}Sign in with a passkey</wa-button>` : nothing}
      <wa-button appearance="outlined" class="wide" @click=${this.#askOrganisation}>${icon('members', 'start')}Single sign-on</wa-button>
    </div>`
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

  protected override wayBack(): TemplateResult {
    return this.#back('Use another account')
  }

  #back(label: string): TemplateResult {
    return html`<button type="button" class="link-button" @click=${this.beginAnew}>${label}</button>`
  }

  protected override firstUpdated(): void {
    void this.focusOn('#email')
    // Where nobody can sign in yet. When the question fails, the form stays.
    this.context.people.setUpState().then(
      ({ open }) => open && this.context.router.go(ownPath('/dashboard/set-up')),
      () => {},
    )
  }
}

/** The same for both, as the server says: nobody learns which addresses have an account. */
const WRONG = 'The e-mail address or the password is wrong.'

customElements.define('nc-sign-in', NcSignIn)
