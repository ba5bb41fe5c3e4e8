// <nc-profile-card>: the profile of a user, to change it. Only the changed fields are sent.

import { html, type TemplateResult } from 'lit'
import type { UserAnswer } from '../../../contract/resources/user.ts'
import { textField } from '../../elements/fields.ts'
import { FormCard } from '../../elements/form-card.ts'
import type { AppContext } from '../../shell/context.ts'
import { changeOf, readProfile, refuseOverwriting } from './profile-change.ts'

/** The user as the server has stored it. */
export class ProfileSaved extends Event {
  readonly user: UserAnswer

  constructor(user: UserAnswer) {
    super('profile-saved')
    this.user = user
  }
}

class NcProfileCard extends FormCard {
  static override properties = { context: { attribute: false }, user: { attribute: false } }

  declare context: AppContext
  declare user: UserAnswer

  /** As it was read last, for conflicts alone: a second attempt replaces what the first one was refused for. */
  #base: UserAnswer | undefined

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('user')) this.#base = this.user
  }

  override render(): TemplateResult {
    const { name, email, locale, timeZone, attributes, externalIds } = this.user
    const ids = Object.entries(externalIds).map(([system, id]) => `${system}: ${id}`)
    return this.card({
      title: 'Profile',
      name: 'profile',
      text: 'Events and sign-ins change it too. What you do not change here stays as they leave it.',
      fields: html`<div class="field-pairs">
          ${textField('profile', { name: 'name', label: 'Name', value: name ?? '', maxLength: 256 })}
          ${textField('profile', { name: 'email', label: 'E-mail address', value: email ?? '', maxLength: 320 })}
          ${textField('profile', { name: 'locale', label: 'Locale', value: locale ?? '', placeholder: 'That of the organisation', maxLength: 64 })}
          ${textField('profile', { name: 'timeZone', label: 'Time zone', value: timeZone ?? '', placeholder: 'That of the organisation', maxLength: 64 })}
        </div>
        ${textField('profile', { name: 'attributes', label: 'Attributes', value: JSON.stringify(attributes, null, 2), rows: 8, isMono: true, hint: 'A JSON object. Templates and conditions read it as user.attributes.' })}
        ${textField('profile', { name: 'externalIds', label: 'External IDs', value: ids.join('\n'), rows: 3, isMono: true, hint: 'One a line, the system first, such as stripe: cus_1. Each belongs to one user.' })}`,
      mayChange: this.context.may('editor'),
    })
  }

  protected override async submit(form: FormData): Promise<void> {
    const { api, notify } = this.context
    const change = changeOf(this.user, readProfile(form))
    const base = this.#base ?? this.user
    const now = await api.user(this.user.userId)
    this.#base = now
    refuseOverwriting(base, now, change)
    const saved = await api.putUser(this.user.userId, change)
    notify('The profile is saved.')
    this.dispatchEvent(new ProfileSaved(saved))
  }
}

customElements.define('nc-profile-card', NcProfileCard)
