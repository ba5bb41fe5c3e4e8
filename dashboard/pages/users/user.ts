// <nc-user>: one user with profile, inbox, preferences and latest deliveries; sign-out, export and erasure.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import type { UserAnswer } from '../../../contract/resources/user.ts'
import { badge } from '../../elements/badge.ts'
import { age, copyable, facts, jsonView, pageHead, time } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { doubtBadge } from '../../elements/doubt-badge.ts'
import { icon } from '../../elements/icon.ts'
import { emptyView, failureView, loadingView, messageOf } from '../../elements/states.ts'
import { download } from '../../lib/download.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import '../suppressions/suppressed-note.ts'
import './user-inbox.ts'
import './user-preferences.ts'

interface LoadedUser {
  user: UserAnswer
  deliveries: DeliveryRecordAnswer[]
}

class NcUser extends AppPage {
  static override properties = { ...AppPage.properties, isErased: { state: true }, isExporting: { state: true } }

  declare isErased: boolean
  declare isExporting: boolean

  readonly #loaded = new Loader<LoadedUser>(this)
  readonly #confirm = createRef<NcConfirm>()
  readonly #abort = new AbortController()

  constructor() {
    super()
    this.isErased = this.isExporting = false
  }

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
        this.isErased
          ? this.#erased()
          : value === undefined
            ? html`${pageHead(this.routeId)} ${this.#loaded.state === 'failed' ? failureView(this.#loaded.error, () => this.#load()) : loadingView()}`
            : this.#content(value)
      }
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #content({ user, deliveries }: LoadedUser): TemplateResult {
    const summary = html`${user.email ?? nothing} ${doubtBadge(this.context, 'user', user.userId)}`
    return html`${pageHead(user.name ?? user.userId, summary, this.#actions(user))}
      <nc-suppressed-note .context=${this.context} .userId=${user.userId}></nc-suppressed-note>
      <div class="columns">
        <div class="column-main">
          <nc-user-inbox .context=${this.context} .userId=${user.userId}></nc-user-inbox>
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
          <nc-user-preferences .context=${this.context} .userId=${user.userId}></nc-user-preferences>
        </aside>
      </div>`
  }

  /** The record of the erasure has no ID of the user any more. */
  #erased(): TemplateResult {
    const record = this.context.link('audit-log', '', { action: 'user.erase' })
    return emptyView({
      icon: 'trash',
      title: 'The user is erased',
      text: 'The audit log has a record of it, without the ID.',
      action: html`<a class="link" href=${record}>See the record</a>`,
      isPage: true,
    })
  }

  #deliveries(deliveries: readonly DeliveryRecordAnswer[]): TemplateResult {
    return html`<table class="table">
      <thead>
        <tr><th scope="col">Campaign</th><th scope="col">Status</th><th scope="col" class="wide-only">Engagement</th><th scope="col">Time</th></tr>
      </thead>
      <tbody>
        ${deliveries.map(
          ({ messageId, userId, campaignKey, status, engagement, createdAt }) =>
            html`<tr>
              <th scope="row"><a class="row-link" href=${this.context.link('inbox', '', { userId, message: messageId })}>${campaignKey}</a></th>
              <td>${badge(status)}</td>
              <td class="wide-only">${engagement === 'none' ? html`<span class="none">–</span>` : badge(engagement)}</td>
              <td>${time(createdAt)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`
  }

  #actions(user: UserAnswer): TemplateResult {
    const { may } = this.context
    return html`${may('editor') ? html`<wa-button size="s" appearance="outlined" @click=${() => this.#signOut(user)}>${icon('sign-out', 'start')}Sign out</wa-button>` : ''}
    ${may('admin') ? html`<wa-button size="s" appearance="outlined" ?loading=${this.isExporting} @click=${() => void this.#export(user)}>${icon('download', 'start')}Export</wa-button>` : ''}
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

  /** Reads all of it before the download begins, so that a broken one leaves no half file. */
  async #export({ userId }: UserAnswer): Promise<void> {
    const { api, notify } = this.context
    if (this.isExporting) return
    this.isExporting = true
    try {
      const answer = await api.exportUser(userId, this.#abort.signal)
      download(await answer.blob(), `user-${userId}.json`)
      notify('The export is saved. The audit log has a record of it.')
    } catch (error) {
      if (!this.#abort.signal.aborted) notify(messageOf(error))
    } finally {
      this.isExporting = false
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#abort.abort()
  }

  #erase({ userId }: UserAnswer): void {
    const { api, setTitle } = this.context
    this.#confirm.value?.ask({
      title: 'Erase this user',
      text: html`<p>Profile, inbox, deliveries, runs and preferences are deleted for good. Counters of campaigns stay. This cannot be undone.</p>`,
      button: 'Erase',
      isDangerous: true,
      typed: userId,
      run: async () => {
        await api.eraseUser(userId)
        setTitle('User')
        this.isErased = true
        void this.focusOn('h1')
      },
    })
  }
}

customElements.define('nc-user', NcUser)
