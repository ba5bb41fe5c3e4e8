// <nc-user>: one user with profile, inbox, preferences and what happened; sign-out, export and erasure.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { UserAnswer } from '../../../contract/resources/user.ts'
import { age, copyable, type Fact, facts, pageHead } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { doubtBadge } from '../../elements/doubt-badge.ts'
import { icon } from '../../elements/icon.ts'
import { emptyView, failureView, loadingView, messageOf } from '../../elements/states.ts'
import { tabsView } from '../../elements/tabs.ts'
import { download } from '../../lib/download.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import '../suppressions/suppressed-note.ts'
import type { ProfileSaved } from './profile-card.ts'
import './profile-card.ts'
import './user-inbox.ts'
import './user-life.ts'
import './user-preferences.ts'
import './user-topics.ts'

class NcUser extends AppPage {
  static override properties = { ...AppPage.properties, isErased: { state: true }, isExporting: { state: true } }

  declare isErased: boolean
  declare isExporting: boolean

  readonly #loaded = new Loader<UserAnswer>(this)
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
      const user = await api.user(userId, signal)
      setTitle(user.name ?? userId)
      return user
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

  #content(user: UserAnswer): TemplateResult {
    const summary = html`${user.email ?? nothing} ${doubtBadge(this.context, 'user', user.userId)}`
    return html`${pageHead(user.name ?? user.userId, summary, this.#actions(user))}
      <nc-suppressed-note .context=${this.context} .userId=${user.userId}></nc-suppressed-note>
      <div class="columns">
        <div class="column-main">${this.#tabs(user)}</div>
        <aside class="column-side" aria-label="About this user">
          <section class="card">
            ${facts([
              ['ID', copyable(user.userId, 'user ID')],
              ['E-mail', user.email],
              ['Locale', user.locale],
              ['Time zone', user.timeZone],
              ...Object.entries(user.externalIds).map(
                ([system, id]): Fact => [system, copyable(id, `ID at ${system}`)],
              ),
              ['Created', age(user.createdAt)],
              ['Changed', age(user.updatedAt)],
            ])}
          </section>
        </aside>
      </div>`
  }

  #tabs({ userId }: UserAnswer): TemplateResult {
    const { context } = this
    const user = this.#loaded.value
    const life = () => html`<nc-user-life .context=${context} .userId=${userId}></nc-user-life>`
    const inbox = () => html`<nc-user-inbox .context=${context} .userId=${userId}></nc-user-inbox>`
    const profile = () =>
      html`<nc-profile-card .context=${context} .user=${user} @profile-saved=${this.#onSaved}></nc-profile-card>`
    const choices = () => html`<div class="cards">
      <nc-user-preferences .context=${context} .userId=${userId}></nc-user-preferences>
      <nc-user-topics .context=${context} .userId=${userId}></nc-user-topics>
    </div>`
    return tabsView(context, [
      { name: 'life', label: 'What happened', content: life },
      { name: 'inbox', label: 'Inbox', content: inbox },
      { name: 'profile', label: 'Profile', content: profile, isKept: true },
      { name: 'preferences', label: 'Preferences and topics', content: choices },
    ])
  }

  readonly #onSaved = ({ user }: ProfileSaved): void => {
    this.#loaded.value = user
    this.context.setTitle(user.name ?? user.userId)
    this.requestUpdate()
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
