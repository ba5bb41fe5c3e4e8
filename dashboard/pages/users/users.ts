// <nc-users>: the users of the environment, newest first, found by the beginning of id, e-mail or name.

import { html, type TemplateResult } from 'lit'
import type { UserAnswer } from '../../../contract/resources/user.ts'
import { age, pageHead } from '../../elements/bits.ts'
import { addressSearch } from '../../elements/search-form.ts'
import { emptyView, failureView, listFoot, loadingView } from '../../elements/states.ts'
import { ListLoader } from '../../lib/list-loader.ts'
import { AppPage } from '../../shell/page-element.ts'

const PAGE_USERS = 50

class NcUsers extends AppPage {
  readonly #list = new ListLoader<UserAnswer>(this, (cursor, signal) =>
    this.context.api.users({ q: this.#beginning || undefined, limit: PAGE_USERS, cursor }, signal),
  )

  get #beginning(): string {
    return this.context.query.get('q') ?? ''
  }

  protected override willUpdate(): void {
    this.#list.reloadFor(this.#beginning)
  }

  override render(): TemplateResult {
    return html`<div class="page">
      ${pageHead('Users', 'The recipients of your notifications.')}
      ${addressSearch(this.context, {
        label: 'Beginning of ID, e-mail address or name',
        placeholder: 'ID, e-mail address or name',
      })}
      ${this.#content()}
    </div>`
  }

  #content(): TemplateResult {
    const { value, state, error, reload } = this.#list
    if (state === 'failed') return failureView(error, reload)
    if (value === undefined || state === 'loading') return loadingView(10)
    if (value.rows.length === 0) return this.#empty()
    return html`<div class="table-box">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">User</th>
              <th scope="col" class="wide-only">E-mail address</th>
              <th scope="col" class="wide-only">Locale</th>
              <th scope="col" class="wide-only">Created</th>
            </tr>
          </thead>
          <tbody>
            ${value.rows.map((user) => this.#row(user))}
          </tbody>
        </table>
      </div>
      ${listFoot(this.#list, 'user')}`
  }

  #row({ userId, name, email, locale, createdAt }: UserAnswer): TemplateResult {
    return html`<tr>
      <th scope="row">
        <a class="row-link" href=${this.context.link('user', userId)}>${name ?? userId}</a>
        ${name === null ? '' : html`<span class="row-note">${userId}</span>`}
        ${email === null ? '' : html`<span class="row-note narrow-only">${email}</span>`}
      </th>
      <td class="pre wide-only">${email ?? html`<span class="none">–</span>`}</td>
      <td class="wide-only">${locale ?? html`<span class="none">–</span>`}</td>
      <td class="wide-only">${age(createdAt)}</td>
    </tr>`
  }

  #empty(): TemplateResult {
    return this.#beginning === ''
      ? emptyView({
          icon: 'users',
          title: 'No users yet',
          text: 'The first event for a user makes one, and so does the first sign-in of the widget.',
        })
      : emptyView({
          icon: 'search',
          title: 'No user matches',
          text: 'The beginning of an ID, an e-mail address or a name is compared.',
        })
  }
}

customElements.define('nc-users', NcUsers)
