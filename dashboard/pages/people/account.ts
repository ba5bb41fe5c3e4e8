// <nc-account>: the own sessions with "end", the password, one-time codes and passkeys.

import { html, nothing, type TemplateResult } from 'lit'
import type { DashboardSessionAnswer } from '../../../contract/resources/own-account.ts'
import { tag } from '../../elements/badge.ts'
import { age, pageHead } from '../../elements/bits.ts'
import { failureView, loadingView, messageOf } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import './one-time-codes.ts'
import './passkeys.ts'
import './password.ts'
import { browserOf } from './user-agent.ts'

class NcAccount extends AppPage {
  readonly #sessions = new Loader<DashboardSessionAnswer[]>(this)

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(quiet = false): void {
    void this.#sessions.load(async (signal) => (await this.context.people.sessions(signal)).data, { quiet })
  }

  override render(): TemplateResult {
    const { person } = this.context.me
    return html`<div class="page">
      ${pageHead('Your account', [person.name, person.email].filter((text) => text !== '').join(', '))}
      <section class="card" aria-labelledby="sessions-title">
        <header class="card-head"><h2 id="sessions-title">Sessions</h2></header>
        ${this.#content()}
      </section>
      ${this.context.me.session.organisationId === null ? this.#credentials() : SINGLE_SIGN_ON}
    </div>`
  }

  #credentials(): TemplateResult {
    const { context } = this
    return html`<nc-one-time-codes .context=${context} @sessions-ended=${() => this.#load(true)}></nc-one-time-codes>
      <nc-passkeys .context=${context}></nc-passkeys>
      <nc-password .context=${context} @sessions-ended=${() => this.#load(true)}></nc-password>`
  }

  #content(): TemplateResult {
    const sessions = this.#sessions.value
    if (this.#sessions.state === 'failed') return failureView(this.#sessions.error, () => this.#load())
    if (sessions === undefined) return loadingView(2)
    return html`<ul class="lines">
      ${sessions.map(
        (session) =>
          html`<li class="session">
            <div>
              <strong>${browserOf(session.userAgent)}</strong> ${session.isCurrent ? tag('This one') : nothing}
              <p class="row-note">Signed in ${age(session.createdAt)}, last used ${age(session.lastUsedAt)}</p>
            </div>
            <wa-button size="s" appearance="outlined" @click=${() => void this.#end(session)}>
              ${session.isCurrent ? 'Sign out' : 'End'}
            </wa-button>
          </li>`,
      )}
    </ul>`
  }

  async #end({ id, isCurrent }: DashboardSessionAnswer): Promise<void> {
    const { people, notify, signOut } = this.context
    if (isCurrent) return signOut()
    try {
      await people.endSession(id)
      notify('The session has ended.')
    } catch (error) {
      notify(messageOf(error))
    }
    this.#load(true)
  }
}

/** Its provider decides about the sign-in, and it reaches one organisation alone. */
const SINGLE_SIGN_ON = html`<section class="card" aria-labelledby="sign-on-title">
  <header class="card-head"><h2 id="sign-on-title">Single sign-on</h2></header>
  <p class="card-text">You are signed in by the single sign-on of this organisation. To change your password, one-time codes or passkeys, sign in with your password.</p>
</section>`

customElements.define('nc-account', NcAccount)
