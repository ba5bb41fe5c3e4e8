// <nc-password>: changes the own password, which ends all other sessions.

import { html, type TemplateResult } from 'lit'
import { field, NEW_PASSWORD } from '../../elements/fields.ts'
import { FormCard } from '../../elements/form-card.ts'
import type { AppContext } from '../../shell/context.ts'

class NcPassword extends FormCard {
  static override properties = { context: { attribute: false } }

  declare context: AppContext

  override render(): TemplateResult {
    return this.card({
      title: 'Password',
      name: 'password-card',
      text: 'All other sessions end.',
      fields: html`<input type="text" name="username" autocomplete="username" .value=${this.context.me.person.email} hidden />
        ${field({ name: 'currentPassword', label: 'Current password', type: 'password', autocomplete: 'current-password' })}
        ${field(NEW_PASSWORD)}`,
      button: 'Change the password',
      mayChange: true,
    })
  }

  protected override async submit(form: FormData): Promise<void> {
    await this.context.people.changePassword(String(form.get('currentPassword')), String(form.get('password')))
    this.querySelector('form')?.reset()
    this.context.notify('Your password is changed. All other sessions have ended.')
    this.dispatchEvent(new Event('sessions-ended'))
  }
}

customElements.define('nc-password', NcPassword)
