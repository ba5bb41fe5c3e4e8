// <nc-onboarding>: region, settings and first environments of an organisation; their keys are shown by the page of the first steps.

import { html, type TemplateResult } from 'lit'
import type { CreatedEnvironment } from '../../../contract/resources/environment.ts'
import type { OrganisationAnswer } from '../../../contract/resources/organisation.ts'
import { ApiFailure } from '../../api/client.ts'
import { field } from '../../elements/fields.ts'
import { failureView, faultView, loadingView } from '../../elements/states.ts'
import { LeaveGuard } from '../../lib/leave-guard.ts'
import { Loader } from '../../lib/loader.ts'
import { handOverKeys } from '../../lib/made-keys.ts'
import { appPath } from '../../routing/routes.ts'
import { AccessPage } from './access-form.ts'

class NcOnboarding extends AccessPage {
  static override properties = { ...AccessPage.properties, made: { state: true } }

  /** The environments with their keys, which are shown once. */
  declare made: readonly CreatedEnvironment[]

  readonly #organisation = new Loader<OrganisationAnswer>(this)

  constructor() {
    super()
    this.made = []
    new LeaveGuard(this, () =>
      this.made.length === 0 || this.#isHandedOver ? undefined : 'Leave? The keys are not shown again.',
    )
  }

  /** The next page has the keys. */
  #isHandedOver = false

  get #org(): string {
    return this.context.query.get('org') ?? ''
  }

  readonly #load = async (): Promise<void> => {
    await this.#organisation.load(() => this.context.people.organisation(this.#org))
    // Done before, such as by another owner.
    if (this.#organisation.value?.onboarding.completed && this.made.length === 0)
      this.context.router.go(appPath(this.#org, 'first-steps'), { replace: true })
  }

  /** A step that was done before, here or elsewhere, is left out. */
  protected override async submit(fields: Readonly<Record<string, string>>): Promise<void> {
    const { people } = this.context
    const { onboarding } = await people.organisation(this.#org)
    const { region = '', timeZone = '', origin = '' } = fields
    const wanted = ENVIRONMENTS.filter(({ name }) => fields[name] !== undefined)
    if (wanted.length === 0) throw new ApiFailure(0, { message: 'Choose at least one environment.' })
    if (!onboarding.steps.region) await people.chooseRegion(this.#org, region)
    if (!onboarding.steps.settings) {
      await people.createSettings(this.#org, { locale: navigator.language, timeZone: timeZone.trim() })
    }
    const allowedOrigins = origin.trim() === '' ? [] : [origin.trim()]
    // One after the other, because the first one completes the onboarding. The address is of production: its fault comes first.
    for (const { name, isProduction } of wanted.toReversed()) {
      const origins = isProduction ? allowedOrigins : []
      const created = await people.createEnvironment(this.#org, { name, isProduction, allowedOrigins: origins })
      this.made = [created, ...this.made]
    }
    await this.#goOn()
  }

  override render(): TemplateResult {
    if (this.made.length > 0 && !this.attempt.isBusy) return this.#made(this.made)
    const { value, state, error } = this.#organisation
    if (state === 'failed') return html`<div class="access">${failureView(error, () => void this.#load())}</div>`
    if (value === undefined) return html`<div class="access">${loadingView()}</div>`
    return this.form(`Welcome to ${value.name}`, 'Create the environments', this.#fields(value), TEXT)
  }

  #fields({ region, regions, onboarding }: OrganisationAnswer): TemplateResult {
    const choices = region === null ? regions.map((one) => one.region) : [region]
    return html`<div class="field">
        <label for="region">Region</label>
        <select id="region" name="region" class="select" ?disabled=${region !== null} aria-describedby="region-hint">
          ${choices.map((one) => html`<option value=${one}>${one.toUpperCase()}</option>`)}
        </select>
        <p class="hint" id="region-hint">Chosen once: it cannot be changed later.</p>
      </div>
      ${onboarding.steps.settings ? '' : field({ name: 'timeZone', label: 'Time zone', type: 'text', autocomplete: 'off', value: ownTimeZone(), hint: ZONE })}
      ${field({ name: 'origin', path: 'allowedOrigins', label: 'Address of your site', type: 'text', autocomplete: 'off', hint: ORIGIN, required: false })}
      ${ENVIRONMENTS.map(({ name, text }) => html`<label class="check"><input type="checkbox" name=${name} checked /> ${name}: ${text}</label>`)}`
  }

  /** Only where the way on failed, or a further environment could not be created. */
  #made(made: readonly CreatedEnvironment[]): TemplateResult {
    return html`<div class="access">
      <div class="access-mark" aria-hidden="true"></div>
      <h1 tabindex="-1">${made.map(({ name }) => name).join(' and ')} ${made.length > 1 ? 'are' : 'is'} created</h1>
      ${faultView(this.attempt.error)}
      <wa-button variant="brand" class="wide" ?loading=${this.attempt.isBusy} @click=${() => this.attempt.run(this.#goOn)}>Go on to the keys</wa-button>
    </div>`
  }

  /** The keys are shown by the page of the first steps, in an environment that is not in production where there is one. */
  readonly #goOn = async (): Promise<void> => {
    const me = await this.context.people.me()
    const shown = this.made.find(({ isProduction }) => !isProduction) ?? this.made[0]
    handOverKeys(this.made)
    this.#isHandedOver = true
    await this.context.signedIn(
      me,
      `${appPath(this.#org, 'first-steps')}?${new URLSearchParams({ env: shown?.id ?? '' })}`,
    )
  }

  protected override firstUpdated(): void {
    void this.#load()
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('made') && this.made.length > 0) this.querySelector('h1')?.focus()
  }
}

/** Both are usual: more can be added, and either left out. */
const ENVIRONMENTS = [
  { name: 'dev', isProduction: false, text: 'to build and try things in' },
  { name: 'prod', isProduction: true, text: 'real users are in it' },
] as const

const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
const TEXT = 'Three things, and you have the keys for your site and your backend.'
const ZONE = 'For days and quiet hours of users who have none.'
const ORIGIN = 'Such as https://app.example.com: in production, only this site may show the inbox. Empty: any site may.'

customElements.define('nc-onboarding', NcOnboarding)
