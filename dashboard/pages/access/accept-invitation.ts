// <nc-accept-invitation>: joins an organisation by a one-time link.

import { html, type TemplateResult } from 'lit'
import { AccessPage, field, NEW_PASSWORD, tokenOfLink } from './access-form.ts'

class NcAcceptInvitation extends AccessPage {
  protected override async submit({ name = '', password = '' }: Readonly<Record<string, string>>): Promise<void> {
    this.context.signedIn(await this.context.people.acceptInvitation(tokenOfLink(), password, name.trim()))
  }

  override render(): TemplateResult {
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
