// <nc-onboarding>: region, settings and first environment of an organisation, then its keys, once.

import { html, type TemplateResult } from 'lit'
import type { CreatedEnvironment } from '../../../contract/resources/environment.ts'
import type { OrganisationAnswer } from '../../../contract/resources/organisation.ts'
import { ApiFailure } from '../../api/client.ts'
import { copyable, type Fact, facts } from '../../elements/bits.ts'
import { field } from '../../elements/fields.ts'
import { failureView, faultView, loadingView } from '../../elements/states.ts'
import { LeaveGuard } from '../../lib/leave-guard.ts'
import { Loader } from '../../lib/loader.ts'
import { ownPath } from '../../routing/prefix.ts'
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
      this.made.length === 0 || this.#isKept ? undefined : 'Leave? The keys are not shown again.',
    )
  }

  /** The person goes on by the button below the keys. */
  #isKept = false

  get #org(): string {
    return this.context.query.get('org') ?? ''
  }

  readonly #load = (): void => {
    void this.#organisation.load(() => this.context.people.organisation(this.#org))
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
    // One after the other: the first one completes the onboarding, and its keys are shown even when the second one fails.
    for (const { name, isProduction } of wanted) {
      this.made = [...this.made, await people.createEnvironment(this.#org, { name, isProduction, allowedOrigins })]
    }
  }

  override render(): TemplateResult {
    if (this.made.length > 0) return this.#keys(this.made)
    const { value, state, error } = this.#organisation
    if (state === 'failed') return html`<div class="access">${failureView(error, this.#load)}</div>`
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

  #keys(made: readonly CreatedEnvironment[]): TemplateResult {
    return html`<div class="access access-wide">
      <div class="access-mark" aria-hidden="true"></div>
      <h1 tabindex="-1">The keys of ${made.map(({ name }) => name).join(' and ')}</h1>
      <p class="access-text">Copy them now: an SDK secret key is not shown again.</p>
      ${faultView(this.attempt.error)} ${made.map((one) => html`${made.length > 1 ? html`<h2>${one.name}</h2>` : ''} ${this.#keysOf(one)}`)}
      <wa-button variant="brand" class="wide" @click=${this.#goOn}>Go to the dashboard</wa-button>
    </div>`
  }

  #keysOf({ name, secrets, host }: CreatedEnvironment): TemplateResult {
    const tag = `<script src="${host ?? location.origin + ownPath('')}/widget/notification-center.js" async></script>
<notification-center api-key="${secrets.frontApiKey}" user-id="…" token="…"></notification-center>`
    const rows = Object.entries(secrets).map(([kind, value]) => keyRow(name, kind, value))
    return facts([...rows, ['Tag for your page', copyable(tag, `tag of ${name}`)]])
  }

  readonly #goOn = async (): Promise<void> => {
    const me = await this.context.people.me()
    this.#isKept = true
    await this.context.signedIn(me)
  }

  protected override firstUpdated(): void {
    this.#load()
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

const KEY_NAMES: Readonly<Record<string, string>> = {
  sdkSecretKey: 'SDK secret key, for your backend',
  authSecretKey: 'Auth secret key, for user tokens',
  frontApiKey: 'Front API key, for your page (public)',
  webhookSigningSecret: 'Enricher signing secret',
}

function keyRow(environment: string, kind: string, value: string): Fact {
  const name = KEY_NAMES[kind] ?? kind
  return [name, copyable(value, `${name} of ${environment}`)]
}

const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
const TEXT = 'Three things, and you have the keys for your site and your backend.'
const ZONE = 'For days and quiet hours of users who have none.'
const ORIGIN = 'Such as https://app.example.com. Empty: any site may show the inbox.'

customElements.define('nc-onboarding', NcOnboarding)
