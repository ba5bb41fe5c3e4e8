// <nc-user-inbox>: the inbox as the user has it. Looking at it records no delivery event.

import { html, nothing, type TemplateResult } from 'lit'
import type { InboxFilter, InboxHead, InboxMessage } from '../../../contract/api.ts'
import { failureView, listFoot, loadingView } from '../../elements/states.ts'
import { formatCount, toWords } from '../../lib/format.ts'
import { LightElement } from '../../lib/light-element.ts'
import { ListLoader } from '../../lib/list-loader.ts'
import type { AppContext } from '../../shell/context.ts'
import './inbox-rows.ts'

const FILTERS: readonly InboxFilter[] = ['all', 'unopened', 'archived', 'snoozed']
const PAGE_MESSAGES = 10

class NcUserInbox extends LightElement {
  static override properties = { context: { attribute: false }, userId: { attribute: false } }

  declare context: AppContext
  declare userId: string

  readonly #inbox = new ListLoader<InboxMessage>(this, async (cursor, signal) => {
    const query = { filter: this.#filter, limit: PAGE_MESSAGES, cursor }
    const page = await this.context.api.userInbox(this.userId, query, signal)
    this.#head = page.inbox
    return page
  })
  /** Of the page that was read last. */
  #head: InboxHead | undefined

  /** In the address, so that a link shows the same. */
  get #filter(): InboxFilter {
    return FILTERS.find((one) => one === this.context.query.get('filter')) ?? 'all'
  }

  protected override willUpdate(): void {
    this.#inbox.reloadFor(this.#filter)
  }

  override render(): TemplateResult {
    const choose = (filter: InboxFilter) =>
      this.context.router.setQuery({ filter: filter === 'all' ? undefined : filter }, { replace: true })
    return html`<section class="card" aria-labelledby="inbox-title">
      <header class="card-head">
        <h2 id="inbox-title">Inbox</h2>
        <div class="segments" role="group" aria-label="Messages">
          ${FILTERS.map(
            (filter) =>
              html`<button type="button" class="segment" aria-pressed=${filter === this.#filter} @click=${() => choose(filter)}>${toWords(filter)}</button>`,
          )}
        </div>
      </header>
      ${this.#content()}
    </section>`
  }

  #content(): TemplateResult {
    const { value, state, error, reload } = this.#inbox
    if (state === 'failed') return failureView(error, reload)
    if (value === undefined || state === 'loading') return loadingView(5)
    const [messages, head] = [value.rows, this.#head]
    const counts =
      head === undefined
        ? nothing
        : html`<p class="card-text hint">${formatCount(head.unread)} new in the badge, ${formatCount(head.unopened)} unopened.</p>`
    if (messages.length === 0) return html`${counts}<p class="none-found">${NONE[this.#filter]}</p>`
    const addressOf = (message: string) => this.context.link('inbox', '', { userId: this.userId, message })
    return html`${counts}
      <nc-inbox-rows .messages=${messages} .addressOf=${addressOf}></nc-inbox-rows>
      <div class="card-foot">${listFoot(this.#inbox, 'message')}</div>`
  }
}

const NONE: Record<InboxFilter, string> = {
  all: 'The inbox is empty.',
  unopened: 'Every message was opened.',
  archived: 'No message is archived.',
  snoozed: 'No message is snoozed.',
}

customElements.define('nc-user-inbox', NcUserInbox)
