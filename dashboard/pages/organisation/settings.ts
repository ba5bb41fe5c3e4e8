// <nc-organisation>: the settings of the organisation, its region, and its single sign-on.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { OrganisationDetail, OrganisationSettings } from '../../api/organisation.ts'
import { Attempt } from '../../elements/attempt.ts'
import { copyable, facts, pageHead, time } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { enterButton } from '../../elements/enter-button.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import { field } from '../access/access-form.ts'
import './single-sign-on.ts'

class NcOrganisation extends AppPage {
  readonly #organisation = new Loader<OrganisationDetail>(this)
  readonly #attempt = new Attempt(this)
  readonly #confirm = createRef<NcConfirm>()

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(quiet = false): void {
    void this.#organisation.load((signal) => this.context.organisation.read(signal), { quiet })
  }

  override render(): TemplateResult {
    const { value, state, error } = this.#organisation
    return html`<div class="page">
      ${pageHead('Organisation', this.context.org.name)}
      ${
        value === undefined
          ? state === 'failed'
            ? failureView(error, () => this.#load())
            : loadingView(6)
          : this.#content(value)
      }
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #content(organisation: OrganisationDetail): TemplateResult {
    const { context } = this
    const { settings } = organisation
    return html`<div class="columns">
      <div class="column-main">
        <section class="card" aria-labelledby="settings-title">
          <header class="card-head"><h2 id="settings-title">Settings</h2></header>
          ${settings === null ? html`<p class="none-found">There are none yet.</p>` : context.may('admin') ? this.#form(settings) : settingsFacts(settings)}
        </section>
        ${context.may('admin') ? html`<nc-single-sign-on .context=${context}></nc-single-sign-on>` : nothing}
      </div>
      <aside class="column-side" aria-label="About this organisation">
        <section class="card">
          ${facts([
            ['ID', copyable(organisation.id, 'organisation ID')],
            ['Region', organisation.region?.toUpperCase() ?? 'Not chosen'],
            ['Host', organisation.host],
            ['Your role', organisation.role],
            ['Created', time(organisation.createdAt)],
          ])}
          <p class="hint">The region was chosen once, and stays.</p>
        </section>
      </aside>
    </div>`
  }

  #form({ retentionDays, locale, timeZone, contactEmail }: OrganisationSettings): TemplateResult {
    return html`<form class="narrow-form" @submit=${this.#onSubmit}>
      <div class="form-grid">
        ${field({ name: 'locale', label: 'Locale', type: 'text', autocomplete: 'off', value: locale, hint: LOCALE })}
        ${field({ name: 'timeZone', label: 'Time zone', type: 'text', autocomplete: 'off', value: timeZone, hint: ZONE, list: ZONES })}
        ${field({ name: 'retentionDays', label: 'Retention in days', type: 'number', autocomplete: 'off', value: String(retentionDays), hint: RETENTION })}
        ${field({ name: 'contactEmail', label: 'Contact', type: 'email', autocomplete: 'off', value: contactEmail ?? '', hint: CONTACT, required: false })}
      </div>
      ${enterButton}
      <p class="form-error" role="alert">${this.#attempt.error}</p>
      <wa-button size="s" type="submit" variant="brand" ?loading=${this.#attempt.isBusy}>Save</wa-button>
    </form>`
  }

  readonly #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(event.target as HTMLFormElement)) as Record<string, string>
    const { locale = '', timeZone = '', retentionDays = '', contactEmail = '' } = fields
    const next = {
      locale: locale.trim(),
      timeZone: timeZone.trim(),
      retentionDays: Number(retentionDays),
      contactEmail: contactEmail.trim() === '' ? null : contactEmail.trim(),
    }
    const before = this.#organisation.value?.settings?.retentionDays ?? next.retentionDays
    // Nothing that is stored is lost by a slip.
    if (next.retentionDays < before) this.#askForRetention(next, before)
    else void this.#attempt.run(() => this.#save(next))
  }

  #askForRetention(next: OrganisationSettings, before: number): void {
    const { retentionDays } = next
    this.#confirm.value?.ask({
      title: `Keep ${retentionDays} days instead of ${before}`,
      text: html`<p>Events, runs, deliveries and inbox messages that are older are deleted for good. Counters of campaigns stay.</p>`,
      button: 'Save and delete',
      isDangerous: true,
      typed: String(retentionDays),
      run: () => this.#save(next),
    })
  }

  async #save(settings: OrganisationSettings): Promise<void> {
    await this.context.organisation.changeSettings(settings)
    this.context.notify('The settings are saved.')
    this.#load(true)
  }
}

function settingsFacts({ retentionDays, locale, timeZone, contactEmail }: OrganisationSettings): TemplateResult {
  return html`${facts([
    ['Locale', locale],
    ['Time zone', timeZone],
    ['Retention', `${retentionDays} days`],
    ['Contact', contactEmail],
  ])}
    <p class="hint">Admins and owners change them.</p>`
}

const ZONES = Intl.supportedValuesOf('timeZone')
const LOCALE = 'Such as en or pt-BR, for users who have none.'
const ZONE = 'For days and quiet hours of users who have none.'
const RETENTION = 'Details that are older are deleted; counters stay.'
const CONTACT = 'An e-mail address of the people who run it. May be empty.'

customElements.define('nc-organisation', NcOrganisation)
