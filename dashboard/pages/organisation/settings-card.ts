// <nc-settings-card>: locale, time zone, retention and contact of the organisation. Asks before details are deleted.

import { html, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { OrganisationSettings } from '../../api/organisation.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { textOf } from '../../elements/fields.ts'
import { FormCard } from '../../elements/form-card.ts'
import type { AppContext } from '../../shell/context.ts'
import { field } from '../access/access-form.ts'

class NcSettingsCard extends FormCard {
  static override properties = {
    ...FormCard.properties,
    context: { attribute: false },
    settings: { attribute: false },
  }

  declare context: AppContext
  declare settings: OrganisationSettings

  readonly #confirm = createRef<NcConfirm>()

  override render(): TemplateResult {
    const { locale, timeZone, retentionDays, contactEmail } = this.settings
    const off = { autocomplete: 'off' } as const
    return this.card({
      title: 'Settings',
      name: 'settings',
      fields: html`<div class="field-pairs">
        ${field({ ...off, name: 'locale', label: 'Locale', type: 'text', value: locale, hint: 'Such as en or pt-BR, for users who have none.' })}
        ${field({ ...off, name: 'timeZone', label: 'Time zone', type: 'text', value: timeZone, hint: 'For days and quiet hours of users who have none.', list: ZONES })}
        ${field({ ...off, name: 'retentionDays', label: 'Retention in days', type: 'number', value: String(retentionDays), hint: 'Details that are older are deleted; counters stay.' })}
        ${field({ ...off, name: 'contactEmail', label: 'Contact', type: 'email', value: contactEmail ?? '', hint: 'The people who run it. May be empty.', required: false })}
      </div>`,
      button: 'Save',
      mayChange: this.context.may('admin'),
      result: html`<nc-confirm ${ref(this.#confirm)}></nc-confirm>`,
    })
  }

  protected override async submit(form: FormData): Promise<void> {
    const next = {
      locale: textOf(form, 'locale'),
      timeZone: textOf(form, 'timeZone'),
      retentionDays: Number(textOf(form, 'retentionDays')),
      contactEmail: textOf(form, 'contactEmail') || null,
    }
    // Nothing that is stored is lost by a slip.
    if (next.retentionDays < this.settings.retentionDays) this.#askForRetention(next)
    else await this.#save(next)
  }

  #askForRetention(next: OrganisationSettings): void {
    const days = String(next.retentionDays)
    this.#confirm.value?.ask({
      title: `Keep ${days} days instead of ${this.settings.retentionDays}`,
      text: html`<p>Events, runs, deliveries and messages that are older are deleted for good. Counters of campaigns stay.</p>`,
      button: 'Save and delete',
      isDangerous: true,
      typed: days,
      run: () => this.#save(next),
    })
  }

  async #save(settings: OrganisationSettings): Promise<void> {
    await this.context.organisation.changeSettings(settings)
    this.context.notify('The settings are saved.')
    this.dispatchEvent(new Event('settings-saved'))
  }
}

const ZONES = Intl.supportedValuesOf('timeZone')

customElements.define('nc-settings-card', NcSettingsCard)
