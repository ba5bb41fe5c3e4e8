// <nc-user>: the profile of a user, the latest deliveries, sign-out and erasure.

import { html, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { DeliveryRecordAnswer, UserAnswer } from '../../../contract/management-schemas.ts'
import { badge } from '../../elements/badge.ts'
import { age, copyable, facts, jsonView, pageHead, time } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { icon } from '../../elements/icon.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'

interface LoadedUser {
  user: UserAnswer
  deliveries: DeliveryRecordAnswer[]
}

class NcUser extends AppPage {
  readonly #loaded = new Loader<LoadedUser>(this)
  readonly #confirm = createRef<NcConfirm>()

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(): void {
    const { api, setTitle } = this.context
    const userId = this.routeId
    setTitle(userId)
    void this.#loaded.load(async (signal) => {
      const [user, page] = await Promise.all([api.user(userId, signal), api.deliveries({ userId, limit: 10 }, signal)])
      return { user, deliveries: page.data }
    })
  }

  override render(): TemplateResult {
    const { value } = this.#loaded
    return html`<div class="page">
      <nav class="crumbs" aria-label="Breadcrumb"><a class="link" href=${this.context.link('users')}>Users</a></nav>
      ${
        value === undefined
          ? html`${pageHead(this.routeId)} ${this.#loaded.state === 'failed' ? failureView(this.#loaded.error, () => this.#load()) : loadingView()}`
          : this.#content(value)
      }
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #content({ user, deliveries }: LoadedUser): TemplateResult {
    return html`${pageHead(user.name ?? user.userId, user.email ?? undefined, this.#actions(user))}
      <div class="columns">
        <div class="column-main">
          <section class="card" aria-labelledby="user-deliveries">
            <header class="card-head">
              <h2 id="user-deliveries">Latest deliveries</h2>
              <a class="link" href=${this.context.link('inbox', '', { userId: user.userId })}>All of them</a>
            </header>
            ${deliveries.length === 0 ? html`<p class="none-found">This user got no message yet.</p>` : this.#deliveries(deliveries)}
          </section>
          <section class="card" aria-labelledby="user-attributes">
            <header class="card-head"><h2 id="user-attributes">Attributes</h2></header>
            ${jsonView(user.attributes, 'Attributes of the user as JSON')}
          </section>
        </div>
        <aside class="column-side" aria-label="Profile">
          <section class="card">
            ${facts([
              ['ID', copyable(user.userId, 'user ID')],
              ['Name', user.name],
              ['E-mail', user.email],
              ['Locale', user.locale],
              ['Time zone', user.timeZone],
              ['Created', age(user.createdAt)],
              ['Changed', age(user.updatedAt)],
            ])}
          </section>
        </aside>
      </div>`
  }

  #deliveries(deliveries: readonly DeliveryRecordAnswer[]): TemplateResult {
    return html`<table class="table">
      <thead>
        <tr><th scope="col">Campaign</th><th scope="col">Status</th><th scope="col">Engagement</th><th scope="col">Time</th></tr>
      </thead>
      <tbody>
        ${deliveries.map(
          ({ messageId, userId, campaignKey, status, engagement, createdAt }) =>
            html`<tr>
              <th scope="row"><a class="row-link" href=${this.context.link('inbox', '', { userId, message: messageId })}>${campaignKey}</a></th>
              <td>${badge(status)}</td>
              <td>${engagement === 'none' ? html`<span class="none">–</span>` : badge(engagement)}</td>
              <td>${time(createdAt)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`
  }

  #actions(user: UserAnswer): TemplateResult {
    const { may } = this.context
    return html`${may('editor') ? html`<wa-button size="s" appearance="outlined" @click=${() => this.#signOut(user)}>${icon('sign-out', 'start')}Sign out</wa-button>` : ''}
    ${may('admin') ? html`<wa-button size="s" appearance="outlined" variant="danger" @click=${() => this.#erase(user)}>${icon('trash', 'start')}Erase</wa-button>` : ''}`
  }

  #signOut({ userId }: UserAnswer): void {
    const { api, notify } = this.context
    this.#confirm.value?.ask({
      title: 'Sign this user out',
      text: html`<p>All widget sessions of this user end, and their sockets are closed. The page signs in again with a new token.</p>`,
      button: 'Sign out',
      async run() {
        const { ended } = await api.signOutUser(userId)
        notify(`${ended} ${ended === 1 ? 'session has' : 'sessions have'} ended.`)
      },
    })
  }

  #erase({ userId }: UserAnswer): void {
    const { api, notify, router, link } = this.context
    this.#confirm.value?.ask({
      title: 'Erase this user',
      text: html`<p>Profile, inbox, deliveries, runs and preferences are deleted for good. Counters of campaigns stay. This cannot be undone.</p>`,
      button: 'Erase',
      isDangerous: true,
      typed: userId,
      async run() {
        await api.eraseUser(userId)
        notify('The user is erased.')
        router.go(link('users'))
      },
    })
  }
}

customElements.define('nc-user', NcUser)
