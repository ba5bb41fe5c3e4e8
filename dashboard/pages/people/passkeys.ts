// <nc-passkeys>: the passkeys of the own account: list, registration, new names and removal.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { PasskeyAnswer } from '../../../contract/resources/own-account.ts'
import { age } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { field } from '../../elements/fields.ts'
import { icon } from '../../elements/icon.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import { canUsePasskeys, makePasskey } from '../../lib/passkey.ts'
import type { AppContext } from '../../shell/context.ts'
import { browserOf } from './user-agent.ts'

class NcPasskeys extends LightElement {
  static override properties = { context: { attribute: false } }

  declare context: AppContext

  readonly #passkeys = new Loader<PasskeyAnswer[]>(this)
  readonly #confirm = createRef<NcConfirm>()

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(quiet = false): void {
    void this.#passkeys.load(async (signal) => (await this.context.account.passkeys(signal)).data, { quiet })
  }

  override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="passkeys-title">
      <header class="card-head">
        <h2 id="passkeys-title">Passkeys</h2>
        ${canUsePasskeys() ? html`<wa-button size="s" appearance="outlined" @click=${() => this.#add()}>${icon('plus', 'start')}Add a passkey</wa-button>` : nothing}
      </header>
      ${this.#content()}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </section>`
  }

  #content(): TemplateResult {
    const { value, state, error } = this.#passkeys
    if (state === 'failed') return failureView(error, () => this.#load())
    if (value === undefined) return loadingView(2)
    if (value.length === 0) {
      return html`<p class="none-found">None yet. A passkey signs you in with finger, face or PIN of your device, without password and code.</p>`
    }
    return html`<ul class="lines">
      ${value.map(
        (passkey) =>
          html`<li class="session">
            <div>
              <strong>${passkey.name}</strong>
              <p class="row-note">Added ${age(passkey.createdAt)}, ${passkey.lastUsedAt === null ? 'not used yet' : html`last used ${age(passkey.lastUsedAt)}`}</p>
            </div>
            <div class="line-actions">
              <wa-button size="s" appearance="plain" @click=${() => this.#rename(passkey)}>Rename<span class="sr"> ${passkey.name}</span></wa-button>
              <wa-button size="s" appearance="plain" variant="danger" @click=${() => this.#remove(passkey)}>Remove<span class="sr"> ${passkey.name}</span></wa-button>
            </div>
          </li>`,
      )}
    </ul>`
  }

  #add(): void {
    const { account, notify } = this.context
    this.#confirm.value?.ask({
      title: 'Add a passkey',
      text: html`<p>Your browser asks for finger, face or PIN next.</p>`,
      fields: html`${nameField(browserOf(navigator.userAgent))}
        ${field({ name: 'passkey-password', label: 'Your password', type: 'password', autocomplete: 'current-password' })}`,
      button: 'Continue',
      run: async (form) => {
        const name = nameOf(form)
        const options = await account.passkeyOptions(String(form.get('passkey-password')))
        await account.addPasskey(name, await makePasskey(options))
        notify(`The passkey “${name}” is added.`)
        this.#load(true)
      },
    })
  }

  #rename({ id, name }: PasskeyAnswer): void {
    const { account, notify } = this.context
    this.#confirm.value?.ask({
      title: 'Rename the passkey',
      text: nothing,
      fields: nameField(name),
      button: 'Rename',
      run: async (form) => {
        const renamed = await account.renamePasskey(id, nameOf(form))
        notify(`The passkey is “${renamed.name}” now.`)
        this.#load(true)
      },
    })
  }

  #remove({ id, name }: PasskeyAnswer): void {
    const { account, notify } = this.context
    this.#confirm.value?.ask({
      title: `Remove “${name}”`,
      text: html`<p>It signs you in no more. Your device may still offer it: remove it there as well.</p>`,
      button: 'Remove',
      isDangerous: true,
      run: async () => {
        await account.removePasskey(id)
        notify(`The passkey “${name}” is removed.`)
        this.#load(true)
      },
    })
  }
}

const nameField = (value: string): TemplateResult =>
  field({ name: 'passkey-name', label: 'Name', type: 'text', autocomplete: 'off', value })
const nameOf = (form: FormData): string => String(form.get('passkey-name')).trim()

customElements.define('nc-passkeys', NcPasskeys)
