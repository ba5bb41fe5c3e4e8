// <nc-set-up>: makes the first organisation and its owner, while there is no member.

import { html, nothing, type TemplateResult } from 'lit'
import { field, NEW_PASSWORD } from '../../elements/fields.ts'
import { ownPath } from '../../routing/prefix.ts'
import { AccessPage, tokenOfLink } from './access-form.ts'

class NcSetUp extends AccessPage {
  static override properties = { ...AccessPage.properties, state: { state: true } }

  /** Undefined until the server has answered. */
  declare state: { open: boolean; needsCode: boolean } | undefined

  constructor() {
    super()
    this.state = undefined
  }

  protected override async submit(fields: Readonly<Record<string, string>>): Promise<void> {
    const { organisationName = '', name = '', email = '', password = '' } = fields
    const code = (fields.code ?? tokenOfLink()).trim()
    const wanted = { organisationName: organisationName.trim(), name: name.trim(), email, password }
    await this.context.signedIn(await this.context.people.setUp({ ...wanted, ...(code !== '' && { code }) }))
  }

  override render(): TemplateResult {
    if (this.state?.open === false) return this.#done()
    const asksForCode = this.state?.needsCode === true && tokenOfLink() === ''
    const fields = html`${field({ name: 'organisationName', label: 'Organisation', type: 'text', autocomplete: 'organization' })}
      ${field({ name: 'name', label: 'Your name', type: 'text', autocomplete: 'name' })}
      ${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' })}
      ${field({ ...NEW_PASSWORD, label: 'Password' })}
      ${asksForCode ? field({ name: 'code', label: 'Set-up code', type: 'text', autocomplete: 'off', hint: CODE }) : nothing}`
    return this.form('Set up', 'Create', fields, 'This makes the first organisation, with you as its owner.')
  }

  #done(): TemplateResult {
    return html`<div class="access">
      <div class="access-mark" aria-hidden="true"></div>
      <h1 tabindex="-1">Set up</h1>
      <p class="access-text">This installation is set up already.</p>
      <a class="link" href=${ownPath('/sign-in')}>Sign in</a>
    </div>`
  }

  protected override firstUpdated(): void {
    void this.focusOn('#organisationName')
    // Where the question fails, the form is shown: its own call says why.
    this.context.people.setUpState().then(
      (state) => {
        this.state = state
      },
      () => {},
    )
  }
}

const CODE = 'On the server, “nc member set-up” prints it.'

customElements.define('nc-set-up', NcSetUp)
