// <nc-renewal>: asks for the password over the page when the session has ended, and warns before it ends. The page stays.

import { ownPath } from '../routing/prefix.ts'
import '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import { html, nothing, type TemplateResult } from 'lit'
import type { Me } from '../../contract/resources/own-account.ts'
import { ApiFailure } from '../api/client.ts'
import { needsCode, type PeopleApi, singleSignOnStart } from '../api/people.ts'
import { enterButton } from '../elements/enter-button.ts'
import { textField, textOf } from '../elements/fields.ts'
import { icon } from '../elements/icon.ts'
import { faultView } from '../elements/states.ts'
import { Attempt } from '../lib/attempt.ts'
import { formatClock } from '../lib/format.ts'
import { LightElement } from '../lib/light-element.ts'
import { askForPasskey, canUsePasskeys } from '../lib/passkey.ts'
import { loadComponents } from './pages.ts'

const WARN_MS = 5 * 60_000

type Step = 'password' | 'code'

export class NcRenewal extends LightElement {
  static override properties = {
    people: { attribute: false },
    me: { attribute: false },
    step: { state: true },
    isOpen: { state: true },
    hasEnded: { state: true },
    warns: { state: true },
  }

  /** Its calls ask for no renewal themselves. */
  declare people: PeopleApi
  declare me: Me
  declare protected step: Step
  declare protected isOpen: boolean
  declare protected hasEnded: boolean
  declare protected warns: boolean

  readonly #attempt = new Attempt(this)
  #timer: ReturnType<typeof setTimeout> | undefined
  #isRenewed = false
  #running: { promise: Promise<boolean>; end(isRenewed: boolean): void } | undefined

  constructor() {
    super()
    this.step = 'password'
    this.isOpen = this.hasEnded = this.warns = false
  }

  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener('focus', this.#onFocus)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('focus', this.#onFocus)
    clearTimeout(this.#timer)
    this.#running?.end(false)
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('me')) this.#planWarning()
  }

  #planWarning(): void {
    clearTimeout(this.#timer)
    const leftMs = Date.parse(this.me.session.expiresAt) - Date.now()
    this.warns = leftMs <= WARN_MS
    if (!this.warns) this.#timer = setTimeout(() => this.#planWarning(), leftMs - WARN_MS)
  }

  /**
   * Asks for the sign-in; all calls that wait share one answer. @param isWanted Whether the person has begun the call: a
   * poll asks no second time after "Not now".
   * @returns Whether the person is signed in again.
   */
  renew(isWanted: boolean): Promise<boolean> {
    if (this.#running === undefined) {
      if (this.hasEnded && !isWanted) return Promise.resolve(false)
      let end = (_isRenewed: boolean) => {}
      const promise = new Promise<boolean>((resolve) => {
        end = resolve
      })
      this.#running = { promise, end }
      this.hasEnded = true
      this.#open()
    }
    return this.#running.promise
  }

  readonly #open = (): void => {
    void loadComponents()
    this.#attempt.clear()
    Object.assign(this, { step: 'password', isOpen: true })
  }

  #end(isRenewed: boolean): void {
    this.isOpen = false
    this.#running?.end(isRenewed)
    this.#running = undefined
  }

  /** The pages of another person would mix with this one's. */
  #keep(me: Me): void {
    if (me.person.id !== this.me.person.id) {
      location.assign(ownPath('/dashboard'))
      return
    }
    this.dispatchEvent(new CustomEvent('renewed', { detail: me }))
    if (this.isOpen) this.#isRenewed = true
    else this.hasEnded = false
    this.#end(true)
  }

  /** The person may have signed in in another tab. */
  readonly #onFocus = async (): Promise<void> => {
    if (!this.hasEnded && !this.warns) return
    const me = await this.people.me().catch(() => undefined)
    if (me !== undefined && me.session.id !== this.me.session.id) this.#keep(me)
  }

  async #send(form: FormData): Promise<void> {
    if (this.step === 'code') return this.#keep(await this.people.sendCode(textOf(form, 'code')))
    const answer = await this.people.signIn(textOf(form, 'email'), String(form.get('password') ?? ''))
    if (!needsCode(answer)) return this.#keep(answer)
    this.step = 'code'
    void this.focusOn('#renewal-code')
  }

  readonly #onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    await this.#attempt.run(async () => {
      try {
        await this.#send(form)
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.status !== 401) throw error
        if (error.body.reason === 'challenge-ended') this.step = 'password'
        throw this.step === 'code' ? error : new ApiFailure(401, { message: 'The password is wrong.' })
      }
    })
  }

  readonly #onPasskey = (): void => {
    void this.#attempt.run(async () => {
      this.#keep(await this.people.signInByPasskey(await askForPasskey(await this.people.passkeyOptions())))
    })
  }

  readonly #onHidden = (event: Event): void => {
    if (event.target !== event.currentTarget) return
    // Only now: the dialog has given the focus back to the page.
    if (this.#isRenewed) this.#isRenewed = this.hasEnded = false
    else this.#end(false)
  }

  override render(): TemplateResult {
    return html`${this.hasEnded || this.warns ? this.#band() : nothing} ${this.hasEnded || this.warns ? this.#dialog() : nothing}`
  }

  #band(): TemplateResult {
    const at = formatClock(this.me.session.expiresAt)
    const text = this.hasEnded ? 'Your session has ended. What you typed is still here.' : `Your session ends at ${at}.`
    return html`<div class="band" role="status">
      ${icon('warning')} <span>${text}</span>
      <button type="button" class="link-button" @click=${this.#open}>Sign in again</button>
    </div>`
  }

  #dialog(): TemplateResult {
    const { organisationId } = this.me.session
    return html`<wa-dialog label="Sign in again" ?open=${this.isOpen} @wa-after-hide=${this.#onHidden}>
      <form class="dialog-form" @submit=${this.#onSubmit}>
        <p class="dialog-text">
          ${this.hasEnded ? 'Your session has ended.' : 'Your session ends soon.'} The page stays as it is: what you began goes on after the sign-in.
        </p>
        ${organisationId === null ? this.#fields() : signOn(organisationId)} ${enterButton} ${faultView(this.#attempt.error)}
        <div class="dialog-buttons">
          <wa-button size="s" appearance="outlined" data-dialog="close">Not now</wa-button>
          ${organisationId === null ? this.#buttons() : nothing}
        </div>
      </form>
    </wa-dialog>`
  }

  #fields(): TemplateResult {
    const { email } = this.me.person
    if (this.step === 'code') {
      return textField('renewal', {
        name: 'code',
        label: 'Code',
        autocomplete: 'one-time-code',
        required: true,
        hint: 'The six digits of your app, or one of your recovery codes.',
      })
    }
    return html`${textField('renewal', { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email, required: true })}
      ${textField('renewal', { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', required: true, autofocus: true })}`
  }

  #buttons(): TemplateResult {
    const passkey = html`<wa-button size="s" appearance="outlined" @click=${this.#onPasskey}>${icon('key', 'start')}Passkey</wa-button>`
    return html`${this.step === 'password' && canUsePasskeys() ? passkey : nothing}
      <wa-button size="s" type="submit" variant="brand" ?loading=${this.#attempt.isBusy}>Sign in</wa-button>`
  }
}

/** The provider has its own page; this one notices the new session when it has the focus again. */
const signOn = (organisationId: string): TemplateResult => html`<p>
  <a class="link" href=${singleSignOnStart(organisationId)} target="_blank">Open the single sign-on in another tab</a>, then come back to this one.
</p>`

customElements.define('nc-renewal', NcRenewal)
