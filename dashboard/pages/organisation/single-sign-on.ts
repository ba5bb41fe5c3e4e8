// <nc-single-sign-on>: the identity provider of the organisation, which admins see and owners set.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { SingleSignOnAnswer, SingleSignOnSettings } from '../../../contract/resources/single-sign-on.ts'
import { NEW_MEMBER_ROLES } from '../../../contract/role.ts'
import { ApiFailure } from '../../api/client.ts'
import { copyable, facts, time } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import { ownPath } from '../../routing/prefix.ts'
import '../../elements/confirm-dialog.ts'
import { choiceField, field, textOf } from '../../elements/fields.ts'
import { FormCard } from '../../elements/form-card.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'
import './domain-proofs.ts'

class NcSingleSignOn extends FormCard {
  static override properties = { context: { attribute: false } }

  declare context: AppContext

  /** Null where the organisation has none. */
  readonly #settings = new Loader<SingleSignOnAnswer | null>(this)
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
    const { value, state, error } = this.#settings
    if (state === 'failed') return this.#frame(failureView(error, () => this.#load()))
    if (value === undefined) return this.#frame(loadingView(3))
    const mayChange = this.context.may('owner')
    if (value === null && !mayChange)
      return this.#frame(html`<p class="none-found">Not set up. An owner may do it.</p>`)
    return this.card({
      title: TITLE,
      name: 'sign-on',
      text: html`Members sign in at your own OpenID Connect provider. Register this address there: ${copyable(value?.redirectUri ?? this.#redirectUri, 'redirect address')}`,
      fields: fieldsOf(value),
      button: value === null ? 'Set up' : undefined,
      mayChange,
      tools:
        value === null
          ? nothing
          : html`<wa-button size="s" appearance="outlined" variant="danger" @click=${() => this.#remove()}>Remove</wa-button>`,
      result: html`${value === null ? nothing : this.#settingsView(value)}<nc-confirm ${ref(this.#confirm)}></nc-confirm>`,
    })
  }

  #settingsView(settings: SingleSignOnAnswer): TemplateResult {
    return html`${facts([
      ['Sign-in begins', copyable(settings.startUrl, 'address of the sign-in')],
      ['Changed', time(settings.updatedAt)],
    ])}
    <nc-domain-proofs .context=${this.context} .settings=${settings} @domain-checked=${() => this.#load(true)}></nc-domain-proofs>`
  }

  #frame(content: TemplateResult): TemplateResult {
    return html`<section class="card" aria-labelledby="sign-on-title">
      <header class="card-head"><h2 id="sign-on-title">${TITLE}</h2></header>
      ${content}
    </section>`
  }

  /** The server answers it once the provider is set, but the provider wants it before. */
  get #redirectUri(): string {
    return `${location.origin}${ownPath('/v1/dashboard/auth/oidc')}/${encodeURIComponent(this.context.org.id)}/callback`
  }

  protected override async submit(form: FormData): Promise<'asked' | undefined> {
    const wanted = settingsOf(form)
    const current = this.#settings.value ?? undefined
    const endsLinks =
      current !== undefined && (current.issuer !== wanted.issuer || current.clientId !== wanted.clientId)
    if (endsLinks) {
      this.#askForOther(wanted)
      return 'asked'
    }
    await this.#save(wanted)
    return undefined
  }

  #askForOther(wanted: SingleSignOnSettings): void {
    this.#confirm.value?.ask({
      title: 'Change the identity provider',
      text: html`<p>All links of members to the former provider are removed, and the sessions that it began end.</p>`,
      button: 'Change',
      isDangerous: true,
      run: () => this.#save(wanted),
    })
  }

  async #save(wanted: SingleSignOnSettings): Promise<void> {
    await this.context.organisation.setSingleSignOn(wanted)
    const secret = this.querySelector<HTMLInputElement>('#clientSecret')
    if (secret !== null) secret.value = ''
    this.settle()
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

function settingsOf(form: FormData): SingleSignOnSettings {
  const clientSecret = textOf(form, 'clientSecret')
  return {
    issuer: textOf(form, 'issuer'),
    clientId: textOf(form, 'clientId'),
    domains: textOf(form, 'domains')
      .split(/[\s,]+/)
      .filter((domain) => domain !== ''),
    newMemberRole: NEW_MEMBER_ROLES.find((role) => role === textOf(form, 'newMemberRole')) ?? null,
    ...(clientSecret !== '' && { clientSecret }),
  }
}

function fieldsOf(current: SingleSignOnAnswer | null): TemplateResult {
  const off = { autocomplete: 'off' } as const
  return html`<div class="field-pairs">
    ${field({ ...off, name: 'issuer', label: 'Issuer', type: 'url', value: current?.issuer ?? '', hint: 'This server must be able to read its discovery document.' })}
    ${field({ ...off, name: 'clientId', label: 'Client ID', type: 'text', value: current?.clientId ?? '', hint: 'As the provider names this service.' })}
    ${field({ name: 'clientSecret', label: 'Client secret', type: 'password', autocomplete: 'new-password', hint: current === null ? 'It is stored sealed, and never shown.' : 'Empty: the stored one stays.', required: current === null })}
    ${field({ ...off, name: 'domains', label: 'Domains of e-mail addresses', type: 'text', value: current?.domains.join(', ') ?? '', hint: 'With commas between them.' })}
    ${choiceField('sign-on', {
      name: 'newMemberRole',
      label: 'Other people of these domains',
      value: current?.newMemberRole ?? '',
      choices: [['', 'Stay outside'], ...NEW_MEMBER_ROLES.map((role) => [role, `Become ${role}`] as const)],
      hint: 'Those who are neither members nor invited.',
    })}
  </div>`
}

const TITLE = 'Single sign-on'

customElements.define('nc-single-sign-on', NcSingleSignOn)
