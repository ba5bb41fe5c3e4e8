// <nc-user-topics>: the topics that a user joined, to leave them and to join others.

import { html, nothing, type TemplateResult } from 'lit'
import { textField, textOf } from '../../elements/fields.ts'
import { FormCard } from '../../elements/form-card.ts'
import { failureView, loadingView, messageOf } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'

class NcUserTopics extends FormCard {
  static override properties = { context: { attribute: false }, userId: { attribute: false } }

  declare context: AppContext
  declare userId: string

  readonly #topics = new Loader<string[]>(this)
  /** Topics that are about to be left: their buttons wait. */
  readonly #busy = new Set<string>()

  protected override firstUpdated(): void {
    void this.#load()
  }

  async #load(quiet = false): Promise<void> {
    await this.#topics.load(async (signal) => (await this.context.api.userTopics(this.userId, signal)).data, { quiet })
  }

  override render(): TemplateResult {
    const mayChange = this.context.may('editor')
    if (!mayChange)
      return html`<section class="card" aria-labelledby="topics-title">
        <header class="card-head"><h2 id="topics-title">Topics</h2></header>
        ${this.#list()}
      </section>`
    return this.card({
      title: 'Topics',
      name: 'topics',
      text: 'An event for a topic goes to all who joined it.',
      fields: html`${this.#list()} ${textField('topics', { name: 'key', label: 'Join a topic', required: true, maxLength: 256, hint: 'The key of the topic. An unknown one begins a topic.' })}`,
      button: 'Join',
      mayChange,
    })
  }

  #list(): TemplateResult {
    const { value, state, error } = this.#topics
    if (value === undefined) return state === 'failed' ? failureView(error, () => void this.#load()) : loadingView(2)
    if (value.length === 0) return html`<p class="none-found">The user joined no topic.</p>`
    return html`<ul class="lines">
      ${value.map((key) => html`<li><a class="link" href=${this.context.link('topic', key)}>${key}</a><span class="line-end">${this.#leaveButton(key)}</span></li>`)}
    </ul>`
  }

  #leaveButton(key: string): TemplateResult | typeof nothing {
    if (!this.context.may('editor')) return nothing
    return html`<wa-button size="s" appearance="plain" ?disabled=${this.#busy.has(key)} @click=${() => void this.#leave(key)}>Leave<span class="sr"> the topic ${key}</span></wa-button>`
  }

  async #change(key: string, change: { add?: string[]; remove?: string[] }): Promise<void> {
    await this.context.api.changeSubscribers(key, change)
    await this.#load(true)
  }

  async #leave(key: string): Promise<void> {
    const { notify } = this.context
    const { userId } = this
    this.#busy.add(key)
    this.requestUpdate()
    try {
      await this.#change(key, { remove: [userId] })
      notify(`The user left ${key}.`, () => this.#change(key, { add: [userId] }))
    } catch (error) {
      notify(messageOf(error))
    }
    this.#busy.delete(key)
    this.requestUpdate()
  }

  protected override async submit(form: FormData): Promise<void> {
    const key = textOf(form, 'key')
    await this.#change(key, { add: [this.userId] })
    const field = this.querySelector<HTMLInputElement>('#topics-key')
    if (field !== null) field.value = ''
    this.context.notify(`The user joined ${key}.`)
  }
}

customElements.define('nc-user-topics', NcUserTopics)
