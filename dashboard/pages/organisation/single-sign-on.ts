// <nc-single-sign-on>: the identity provider of the organisation, which admins see and owners set.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import { ApiFailure } from '../../api/client.ts'
import { NEW_MEMBER_ROLES, type SingleSignOnAnswer, type SingleSignOnSettings } from '../../api/organisation.ts'
import { Attempt } from '../../elements/attempt.ts'
import { copyable, facts, time } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { enterButton } from '../../elements/enter-button.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { toWords } from '../../lib/format.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'
import { field } from '../access/access-form.ts'

class NcSingleSignOn extends LightElement {
  static override properties = { context: { attribute: false } }

  declare context: AppContext

  /** Null where the organisation has none. */
  readonly #settings = new Loader<SingleSignOnAnswer | null>(this)
  readonly #attempt = new Attempt(this)
  readonly #confirm = createRef<NcConfirm>()

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(quiet = false): void {
    void this.#settings.load(
      (signal) =>
        this.context.organisation.singleSignOn(signal).catch((error: unknown) => {
          if (error instanceof ApiFailure && error.body.reason === 'not-set-up') return null
          throw error
        }),
      { quiet },
    )
  }

  override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="sign-on-title">
      <header class="card-head"><h2 id="sign-on-title">Single sign-on</h2></header>
      ${this.#content()}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </section>`
  }

  #content(): TemplateResult {
    const { value, state, error } = this.#settings
    if (state === 'failed') return failureView(error, () => this.#load())
    if (value === undefined) return loadingView(3)
    const mayChange = this.context.may('owner')
    if (value === null && !mayChange) return html`<p class="none-found">Not set up. An owner may do it.</p>`
    return html`${value === null ? html`<p class="card-text">Members sign in at your own OpenID Connect provider. Register this address there: ${copyable(this.#redirectUri, 'redirect address')}</p>` : settingsView(value)}
      ${mayChange ? this.#form(value) : nothing}`
  }

  /** The server answers it once the provider is set, but the provider wants it before. */
  get #redirectUri(): string {
    return `${location.origin}/v1/dashboard/auth/oidc/${encodeURIComponent(this.context.org.id)}/callback`
  }

  #form(current: SingleSignOnAnswer | null): TemplateResult {
    return html`<form class="narrow-form" @submit=${this.#onSubmit}>
      <div class="form-grid">
        ${field({ name: 'issuer', label: 'Issuer', type: 'url', autocomplete: 'off', value: current?.issuer ?? '', hint: ISSUER })}
        ${field({ name: 'clientId', label: 'Client ID', type: 'text', autocomplete: 'off', value: current?.clientId ?? '' })}
        ${field({ name: 'clientSecret', label: 'Client secret', type: 'password', autocomplete: 'new-password', hint: current === null ? SECRET : KEPT, required: current === null })}
        ${field({ name: 'domains', label: 'Domains of e-mail addresses', type: 'text', autocomplete: 'off', value: current?.domains.join(', ') ?? '', hint: DOMAINS })}
        <div class="field">
          <label for="newMemberRole">People of these domains who are no members</label>
          <select id="newMemberRole" name="newMemberRole" class="select">
            <option value="">stay outside</option>
            ${NEW_MEMBER_ROLES.map((role) => html`<option value=${role} ?selected=${current?.newMemberRole === role}>become ${role}</option>`)}
          </select>
        </div>
      </div>
      ${enterButton}
      <p class="form-error" role="alert">${this.#attempt.error}</p>
      <div class="card-foot">
        <wa-button size="s" type="submit" variant="brand" ?loading=${this.#attempt.isBusy}>${current === null ? 'Set up' : 'Save'}</wa-button>
        ${current === null ? nothing : html`<wa-button size="s" appearance="outlined" variant="danger" @click=${() => this.#remove()}>Remove</wa-button>`}
      </div>
    </form>`
  }

  readonly #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const wanted = settingsOf(new FormData(form))
    const current = this.#settings.value ?? undefined
    const endsLinks =
      current !== undefined && (current.issuer !== wanted.issuer || current.clientId !== wanted.clientId)
    if (endsLinks) this.#askForOther(wanted, form)
    else void this.#attempt.run(() => this.#save(wanted, form))
  }

  #askForOther(wanted: Wanted, form: HTMLFormElement): void {
    this.#confirm.value?.ask({
      title: 'Change the identity provider',
      text: html`<p>All links of members to the former provider are removed, and the sessions that it began end.</p>`,
      button: 'Change',
      isDangerous: true,
      run: () => this.#save(wanted, form),
    })
  }

  async #save(wanted: Wanted, form: HTMLFormElement): Promise<void> {
    await this.context.organisation.setSingleSignOn(wanted)
    const secret = form.querySelector<HTMLInputElement>('#clientSecret')
    if (secret !== null) secret.value = ''
    this.context.notify('The single sign-on is saved.')
    this.#load(true)
  }

  #remove(): void {
    const { organisation, org, notify } = this.context
    this.#confirm.value?.ask({
      title: 'Remove the single sign-on',
      text: html`<p>All links of members are removed, and the sessions that it began end. Members without a password need a reset.</p>`,
      button: 'Remove',
      isDangerous: true,
      typed: org.name,
      run: async () => {
        await organisation.removeSingleSignOn()
        notify('The single sign-on is removed.')
        this.#load(true)
      },
    })
  }
}

type Wanted = SingleSignOnSettings & { clientSecret?: string }

function settingsOf(form: FormData): Wanted {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const role = NEW_MEMBER_ROLES.find((one) => one === text('newMemberRole')) ?? null
  const clientSecret = text('clientSecret')
  return {
    issuer: text('issuer'),
    clientId: text('clientId'),
    domains: text('domains')
      .split(/[\s,]+/)
      .filter((domain) => domain !== ''),
    newMemberRole: role,
    ...(clientSecret !== '' && { clientSecret }),
  }
}

function settingsView(settings: SingleSignOnAnswer): TemplateResult {
  return facts([
    ['Sign-in begins', copyable(settings.startUrl, 'address of the sign-in')],
    ['To register', copyable(settings.redirectUri, 'redirect address')],
    ['Issuer', settings.issuer],
    ['Domains', settings.domains.join(', ')],
    ['New members', settings.newMemberRole === null ? 'By invitation only' : toWords(settings.newMemberRole)],
    ['Changed', time(settings.updatedAt)],
  ])
}

const ISSUER = 'Its discovery document must be readable by this server.'
const SECRET = 'It is stored sealed, and never shown.'
const KEPT = 'Empty: the stored one stays.'
const DOMAINS = 'With commas between them.'

customElements.define('nc-single-sign-on', NcSingleSignOn)
