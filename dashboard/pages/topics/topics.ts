// <nc-topics>: the topics of the environment, newest first, found by the beginning of their key.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { TopicAnswer } from '../../../contract/resources/topic.ts'
import { age, pageHead } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { field, textOf } from '../../elements/fields.ts'
import { icon } from '../../elements/icon.ts'
import { addressSearch } from '../../elements/search-form.ts'
import { emptyView, failureView, listFoot, loadingView } from '../../elements/states.ts'
import { formatCount } from '../../lib/format.ts'
import { ListLoader } from '../../lib/list-loader.ts'
import { AppPage } from '../../shell/page-element.ts'

const PAGE_TOPICS = 50

class NcTopics extends AppPage {
  readonly #list = new ListLoader<TopicAnswer>(this, (cursor, signal) =>
    this.context.api.topics({ q: this.#beginning || undefined, limit: PAGE_TOPICS, cursor }, signal),
  )
  readonly #confirm = createRef<NcConfirm>()

  get #beginning(): string {
    return this.context.query.get('q') ?? ''
  }

  protected override willUpdate(): void {
    this.#list.reloadFor(this.#beginning)
  }

  override render(): TemplateResult {
    const add = html`<wa-button size="s" variant="brand" @click=${() => this.#add()}>${icon('plus', 'start')}Begin a topic</wa-button>`
    return html`<div class="page">
      ${pageHead('Topics', 'Named lists of users. An event for a topic goes to all who joined it.', this.context.may('editor') ? add : nothing)}
      ${addressSearch(this.context, {
        label: 'Beginning of the key',
        placeholder: 'Key',
      })}
      ${this.#content()}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #content(): TemplateResult {
    const { value, state, error, reload } = this.#list
    if (state === 'failed') return failureView(error, reload)
    if (value === undefined || state === 'loading') return loadingView(6)
    if (value.rows.length === 0) return this.#empty()
    return html`<div class="table-box">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Topic</th>
              <th scope="col" class="number">Members</th>
              <th scope="col" class="wide-only">Created</th>
            </tr>
          </thead>
          <tbody>
            ${value.rows.map(
              ({ key, subscribers, subscribersCapped, createdAt }) => html`<tr>
                <th scope="row"><a class="row-link" href=${this.context.link('topic', key)}>${key}</a></th>
                <td class="number">${formatCount(subscribers)}${subscribersCapped ? '+' : ''}</td>
                <td class="wide-only">${age(createdAt)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${listFoot(this.#list, 'topic')}`
  }

  #empty(): TemplateResult {
    return this.#beginning === ''
      ? emptyView({ icon: 'list', title: 'No topics yet', text: 'A topic begins with its first member.' })
      : emptyView({ icon: 'search', title: 'No topic matches', text: 'The beginning of the key is compared.' })
  }

  #add(): void {
    const { api, router, link, notify } = this.context
    this.#confirm.value?.ask({
      title: 'Begin a topic',
      text: html`<p>It begins with its first member. A user who is not known yet is created.</p>`,
      fields: html`${field({ name: 'key', label: 'Key', maxLength: 256, autofocus: true, hint: 'Such as news: events name the topic by it.' })}
        ${field({ name: 'userId', label: 'User ID of the first member', maxLength: 256 })}`,
      button: 'Begin',
      run: async (form) => {
        const key = textOf(form, 'key')
        await api.changeSubscribers(key, { add: [textOf(form, 'userId')] })
        notify(`${key} has its first member.`)
        router.go(link('topic', key))
      },
    })
  }
}

customElements.define('nc-topics', NcTopics)
