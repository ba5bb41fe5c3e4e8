// <nc-accept-invitation>: joins an organisation by a one-time link; an account with one-time codes is asked for one.

import { html, type TemplateResult } from 'lit'
import { field, NEW_PASSWORD } from '../../elements/fields.ts'
import { tokenOfLink } from './access-form.ts'
import { CodePage } from './code-page.ts'

class NcAcceptInvitation extends CodePage {
  protected override sendFirst({ name = '', password = '' }: Readonly<Record<string, string>>) {
    return this.context.people.acceptInvitation(tokenOfLink(), password, name.trim())
  }

  /** The link was used: the person is a member already. */
  protected override wayBack(): TemplateResult {
    return html`<a class="link field-link" href="/sign-in">You are a member now. Sign in later instead.</a>`
  }

  protected override firstForm(): TemplateResult {
    const fields = html`${field({
      name: 'name',
      label: 'Your name',
      type: 'text',
      autocomplete: 'name',
      hint: 'Leave it empty if you have an account already.',
      required: false,
    })}
    ${field({ ...NEW_PASSWORD, label: 'Password', hint: HINT })}`
    return this.form(
      'Accept your invitation',
      'Join',
      fields,
      'You become a member of the organisation and are signed in.',
    )
  }

  protected override firstUpdated(): void {
    void this.focusOn('#name')
  }
}

const HINT = 'That of your account. Without one, this makes your account.'

customElements.define('nc-accept-invitation', NcAcceptInvitation)
