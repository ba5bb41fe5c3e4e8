// <nc-settings-card>: locale, time zone, retention and contact of the organisation. Asks before details are deleted.

import { html, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { OrganisationSettings } from '../../../contract/resources/organisation-settings.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { field, textOf } from '../../elements/fields.ts'
import { FormCard } from '../../elements/form-card.ts'
import type { AppContext } from '../../shell/context.ts'

class NcSettingsCard extends FormCard {
  static override properties = {
    context: { attribute: false },
    settings: { attribute: false },
  }

  declare context: AppContext
  /** Null until they are created: organisations of earlier releases have none. */
  declare settings: OrganisationSettings | null

  readonly #confirm = createRef<NcConfirm>()

  override render(): TemplateResult {
    const { locale = navigator.language, timeZone = ownTimeZone(), retentionDays, contactEmail } = this.settings ?? {}
    const off = { autocomplete: 'off' } as const
    return this.card({
      title: 'Settings',
      name: 'settings',
      fields: html`<div class="field-pairs">
        ${field({ ...off, name: 'locale', label: 'Locale', type: 'text', value: locale, hint: 'Such as en or pt-BR, for users who have none.' })}
        ${field({ ...off, name: 'timeZone', label: 'Time zone', type: 'text', value: timeZone, hint: 'For days and quiet hours of users who have none.', list: ZONES })}
        ${field({ ...off, name: 'retentionDays', label: 'Retention in days', type: 'number', value: String(retentionDays ?? ''), hint: this.settings === null ? 'Empty: as before.' : 'Details that are older are deleted; counters stay.', required: this.settings !== null })}
        ${field({ ...off, name: 'contactEmail', label: 'Contact', type: 'email', value: contactEmail ?? '', hint: 'The people who run it. May be empty.', required: false })}
      </div>`,
      button: this.settings === null ? 'Create the settings' : undefined,
      mayChange: this.context.may('admin'),
      result: html`<nc-confirm ${ref(this.#confirm)}></nc-confirm>`,
    })
  }

  protected override async submit(form: FormData): Promise<'asked' | undefined> {
    const days = textOf(form, 'retentionDays')
    const next = {
      locale: textOf(form, 'locale'),
      timeZone: textOf(form, 'timeZone'),
      contactEmail: textOf(form, 'contactEmail') || null,
      ...(days !== '' && { retentionDays: Number(days) }),
    }
    // Nothing that is stored is lost by a slip. Without settings, the page does not know the present retention.
    const before = this.settings?.retentionDays ?? Number.POSITIVE_INFINITY
    if (next.retentionDays !== undefined && next.retentionDays < before) {
      this.#askForRetention(next)
      return 'asked'
    }
    await this.#save(next)
    return undefined
  }

  #askForRetention(next: Partial<OrganisationSettings>): void {
    const days = String(next.retentionDays)
    const former = this.settings === null ? '' : ` instead of ${this.settings.retentionDays}`
    this.#confirm.value?.ask({
      title: `Keep ${days} days${former}`,
      text: html`<p>Events, runs, deliveries and messages that are older are deleted for good. Counters of campaigns stay.</p>`,
      button: 'Save and delete',
      isDangerous: true,
      typed: days,
      run: () => this.#save(next),
    })
  }

  async #save(settings: Partial<OrganisationSettings>): Promise<void> {
    const { organisation } = this.context
    await (this.settings === null ? organisation.createSettings(settings) : organisation.changeSettings(settings))
    this.settle()
    this.context.notify('The settings are saved.')
    this.dispatchEvent(new Event('settings-saved'))
  }
}

const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
const ZONES = Intl.supportedValuesOf('timeZone')

customElements.define('nc-settings-card', NcSettingsCard)
