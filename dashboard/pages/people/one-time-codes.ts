// <nc-one-time-codes>: switches one-time codes of the own account on and off, and makes new recovery codes.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { FactorProof, NewTotpAnswer, SecondFactorAnswer } from '../../../contract/resources/own-account.ts'
import { badge } from '../../elements/badge.ts'
import { copyable, time } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { FormCard } from '../../elements/form-card.ts'
import '../../elements/qr-code.ts'
import { field } from '../../elements/fields.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { LeaveGuard } from '../../lib/leave-guard.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'
import { recoveryCodesView } from './recovery-codes.ts'

class NcOneTimeCodes extends FormCard {
  static override properties = {
    context: { attribute: false },
    begun: { state: true },
    codes: { state: true },
  }

  declare context: AppContext
  /** The secret that waits for its first code. */
  declare begun: NewTotpAnswer | undefined
  /** New recovery codes, until the person has kept them. */
  declare codes: readonly string[] | undefined

  readonly #state = new Loader<SecondFactorAnswer>(this)
  readonly #confirm = createRef<NcConfirm>()

  constructor() {
    super()
    new LeaveGuard(this, () =>
      this.codes === undefined ? undefined : 'Leave? The recovery codes are not shown again.',
    )
  }

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(quiet = false): void {
    void this.#state.load((signal) => this.context.account.secondFactor(signal), { quiet })
  }

  override render(): TemplateResult {
    const { begun } = this
    return begun === undefined ? this.#overview() : this.#firstCode(begun)
  }

  #overview(): TemplateResult {
    return html`<section class="card" aria-labelledby="codes-title">
      <header class="card-head"><h2 id="codes-title" tabindex="-1">One-time codes</h2></header>
      ${this.#content()}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </section>`
  }

  #content(): TemplateResult {
    const { value, state, error } = this.#state
    if (state === 'failed') return failureView(error, () => this.#load())
    if (value === undefined) return loadingView(2)
    if (this.codes !== undefined) return recoveryCodesView(this.codes, () => this.#forget())
    return value.totp.isOn ? this.#on(value) : this.#off()
  }

  #off(): TemplateResult {
    return html`<p class="card-text">After the password, the sign-in asks for six digits that an app on your phone shows.</p>
      <wa-button size="s" variant="brand" @click=${() => this.#begin()}>Switch on</wa-button>`
  }

  #on({ totp, recoveryCodesLeft }: SecondFactorAnswer): TemplateResult {
    return html`<p class="card-text">
        ${badge('on', 'good')} ${totp.since === null ? nothing : html`since ${time(totp.since)}`}
        <span class="row-note">${recoveryCodesLeft === 1 ? '1 recovery code is' : `${recoveryCodesLeft} recovery codes are`} left.</span>
      </p>
      <div class="card-foot">
        <wa-button size="s" appearance="outlined" @click=${() => this.#renew()}>New recovery codes</wa-button>
        <wa-button size="s" appearance="outlined" variant="danger" @click=${() => this.#switchOff()}>Switch off</wa-button>
      </div>`
  }

  #firstCode({ secret, url, expiresAt }: NewTotpAnswer): TemplateResult {
    return this.card({
      title: 'One-time codes',
      name: 'codes',
      text: html`Scan the picture with your app, or type the secret into it. Then enter the code that it shows, until ${time(expiresAt)}.`,
      fields: html`<nc-qr-code .text=${url} label="QR code of the secret, which also follows as text"></nc-qr-code>
        <p>${copyable(secret, 'secret')}</p>
        ${field({ name: 'first-code', label: 'Code', type: 'text', autocomplete: 'one-time-code' })}`,
      button: 'Switch on',
      mayChange: true,
      tools: html`<wa-button size="s" appearance="outlined" @click=${() => this.#forget()}>Cancel</wa-button>`,
    })
  }

  protected override async submit(form: FormData): Promise<void> {
    const { recoveryCodes } = await this.context.account.confirmTotp(String(form.get('first-code')).trim())
    this.begun = undefined
    this.#show(recoveryCodes, 'One-time codes are on. Your other sessions have ended.')
    this.dispatchEvent(new Event('sessions-ended'))
  }

  #begin(): void {
    this.#confirm.value?.ask({
      title: 'Switch on one-time codes',
      text: html`<p>All your other sessions end once the first code is confirmed.</p>`,
      fields: PASSWORD,
      button: 'Continue',
      run: async (form) => {
        this.attempt.clear()
        this.begun = await this.context.account.beginTotp(String(form.get('proof-password')))
      },
      afterwards: () => void this.focusOn('#first-code'),
    })
  }

  #renew(): void {
    this.#confirm.value?.ask({
      title: 'New recovery codes',
      text: html`<p>The present ones stop working.</p>`,
      fields: PROOF,
      button: 'Make new codes',
      run: async (form) => {
        const { recoveryCodes } = await this.context.account.renewRecoveryCodes(proofOf(form))
        this.#show(recoveryCodes, 'The former recovery codes do not work any more.')
      },
      afterwards: () => void this.focusOn('#recovery-title'),
    })
  }

  #switchOff(): void {
    this.#confirm.value?.ask({
      title: 'Switch off one-time codes',
      text: html`<p>From then on, your password alone signs you in. Recovery codes stop working.</p>`,
      fields: PROOF,
      button: 'Switch off',
      isDangerous: true,
      run: async (form) => {
        await this.context.account.switchTotpOff(proofOf(form))
        this.context.notify('One-time codes are off.')
        this.#load(true)
      },
    })
  }

  #show(codes: readonly string[], notice: string): void {
    this.codes = codes
    this.context.notify(notice)
    this.#load(true)
    void this.focusOn('#recovery-title')
  }

  /** The secret and the codes are nowhere else in the page. */
  #forget(): void {
    this.codes = this.begun = undefined
    void this.focusOn('#codes-title')
  }
}

const PASSWORD = field({
  name: 'proof-password',
  label: 'Your password',
  type: 'password',
  autocomplete: 'current-password',
})
const PROOF = html`${PASSWORD}
  ${field({ name: 'proof-code', label: 'Code', type: 'text', autocomplete: 'one-time-code', hint: 'Six digits of your app, or a recovery code.' })}`

const proofOf = (form: FormData): FactorProof => ({
  password: String(form.get('proof-password')),
  code: String(form.get('proof-code')).trim(),
})

customElements.define('nc-one-time-codes', NcOneTimeCodes)
