// <nc-topic>: the members of a topic, the latest first; looks up one, adds and removes.

import { html, nothing, type TemplateResult } from 'lit'
import { pageHead } from '../../elements/bits.ts'
import { textField, textOf } from '../../elements/fields.ts'
import { FormCard } from '../../elements/form-card.ts'
import { addressSearch } from '../../elements/search-form.ts'
import { emptyView, failureView, listFoot, loadingView, messageOf } from '../../elements/states.ts'
import { ListLoader } from '../../lib/list-loader.ts'
import type { AppContext } from '../../shell/context.ts'
import { AppPage } from '../../shell/page-element.ts'

const PAGE_MEMBERS = 50

interface Member {
  userId: string
  name: string | undefined
}

/** The members were changed. */
const CHANGED = 'members-changed'

class NcTopic extends AppPage {
  readonly #members = new ListLoader<Member>(this, (cursor, signal) => this.#read(cursor, signal))
  /** Users who are about to be removed: their buttons wait. */
  readonly #busy = new Set<string>()

  get #asked(): string {
    return this.context.query.get('q') ?? ''
  }

  protected override willUpdate(): void {
    if (this.#members.reloadFor(`${this.routeId} ${this.#asked}`)) this.context.setTitle(this.routeId)
  }

  async #read(cursor: string | undefined, signal: AbortSignal): Promise<{ data: Member[]; nextCursor: string | null }> {
    const { api } = this.context
    const [key, asked] = [this.routeId, this.#asked]
    if (asked === '') {
      const { data, names, nextCursor } = await api.subscribers(
        key,
        { limit: PAGE_MEMBERS, cursor, names: 'true' },
        signal,
      )
      return { data: data.map((userId) => ({ userId, name: names?.[userId] })), nextCursor }
    }
    // A topic has no index by name: the users are searched, and each page of them is compared with their topics.
    const users = await api.users({ q: asked, limit: 10, cursor }, signal)
    const found = await Promise.all(
      users.data.map(async ({ userId, name }) => {
        const { data } = await api.userTopics(userId, signal)
        return data.includes(key) ? [{ userId, name: name ?? undefined }] : []
      }),
    )
    return { data: found.flat(), nextCursor: users.nextCursor }
  }

  override render(): TemplateResult {
    return html`<div class="page" @members-changed=${() => this.#members.reload()}>
      <nav class="crumbs" aria-label="Breadcrumb"><a class="link" href=${this.context.link('topics')}>Topics</a></nav>
      ${pageHead(this.routeId, 'Events for this topic go to its members.')}
      <div class="columns">
        <div class="column-main">
          ${addressSearch(this.context, {
            label: 'Beginning of ID, e-mail address or name',
            placeholder: 'ID, e-mail address or name',
          })}
          ${this.#content()}
        </div>
        ${this.context.may('editor') ? html`<aside class="column-side"><nc-topic-adder .context=${this.context} .topic=${this.routeId}></nc-topic-adder></aside>` : nothing}
      </div>
    </div>`
  }

  #content(): TemplateResult {
    const { value, state, error, reload } = this.#members
    if (state === 'failed') return failureView(error, reload)
    if (value === undefined || state === 'loading') return loadingView(6)
    if (value.rows.length === 0 && value.cursor === undefined) return this.#empty()
    return html`<div class="table-box">
        <table class="table">
          <caption class="sr">Members, the latest first</caption>
          <thead>
            <tr><th scope="col">Member</th><th scope="col"><span class="sr">Actions</span></th></tr>
          </thead>
          <tbody>
            ${value.rows.map(
              ({ userId, name }) => html`<tr>
                <th scope="row">
                  <a class="row-link" href=${this.context.link('user', userId)}>${name ?? userId}</a>
                  ${name === undefined ? nothing : html`<span class="cell-note">${userId}</span>`}
                </th>
                <td class="row-actions">${this.#removeButton(userId)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${listFoot(this.#members, 'member')}`
  }

  #empty(): TemplateResult {
    return this.#asked === ''
      ? emptyView({ icon: 'users', title: 'Nobody joined this topic', text: 'An event for it starts nothing.' })
      : emptyView({
          icon: 'search',
          title: 'No member matches',
          text: 'The beginning of an ID, an e-mail address or a name is compared.',
        })
  }

  #removeButton(userId: string): TemplateResult | typeof nothing {
    if (!this.context.may('editor')) return nothing
    return html`<wa-button size="s" appearance="plain" ?disabled=${this.#busy.has(userId)} @click=${() => void this.#remove(userId)}>Remove<span class="sr"> ${userId}</span></wa-button>`
  }

  async #remove(userId: string): Promise<void> {
    const { api, notify } = this.context
    const topic = this.routeId
    this.#busy.add(userId)
    this.requestUpdate()
    try {
      await api.changeSubscribers(topic, { remove: [userId] })
      notify(`${userId} left ${topic}.`, async () => {
        await api.changeSubscribers(topic, { add: [userId] })
        this.#members.reload()
      })
    } catch (error) {
      notify(messageOf(error))
    }
    this.#busy.delete(userId)
    this.#members.reload()
  }
}

class NcTopicAdder extends FormCard {
  static override properties = { context: { attribute: false }, topic: { attribute: false } }

  declare context: AppContext
  declare topic: string

  override render(): TemplateResult {
    return this.card({
      title: 'Add members',
      name: 'add-members',
      fields: textField('add-members', {
        name: 'add',
        label: 'User IDs',
        rows: 3,
        required: true,
        isMono: true,
        hint: 'One a line, up to 1,000. Unknown ones are created.',
      }),
      button: 'Add',
      mayChange: true,
    })
  }

  protected override async submit(form: FormData): Promise<void> {
    const add = textOf(form, 'add')
      .split(/\s*\n\s*/)
      .filter((line) => line !== '')
    await this.context.api.changeSubscribers(this.topic, { add })
    const field = this.querySelector('textarea')
    if (field !== null) field.value = ''
    this.context.notify(
      add.length === 1 ? `${add[0]} joined ${this.topic}.` : `${add.length} users joined ${this.topic}.`,
    )
    this.dispatchEvent(new Event(CHANGED, { bubbles: true }))
  }
}

customElements.define('nc-topic-adder', NcTopicAdder)
customElements.define('nc-topic', NcTopic)
