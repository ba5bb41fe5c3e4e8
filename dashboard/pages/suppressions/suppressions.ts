// <nc-suppressions>: on which channels a user or an address gets nothing, and why; adds and removes suppressions.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { createRef, ref } from 'lit/directives/ref.js'
import { CHANNELS, type Channel, needsAddress } from '../../../contract/delivery.ts'
import type { Suppressed, SuppressionAnswer, SuppressionReason } from '../../../contract/resources/suppression.ts'
import { age, named, pageHead } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { choiceField, field } from '../../elements/fields.ts'
import { icon } from '../../elements/icon.ts'
import { emptyView, failureView, loadingView } from '../../elements/states.ts'
import { toWords } from '../../lib/format.ts'
import { Loader } from '../../lib/loader.ts'
import { SUPPRESSION_WARNINGS, SUPPRESSION_WORDS } from '../../lib/suppression-words.ts'
import { AppPage } from '../../shell/page-element.ts'

class NcSuppressions extends AppPage {
  readonly #found = new Loader<SuppressionAnswer[]>(this)
  /** Of the user that is looked up. */
  #name: string | null = null
  readonly #confirm = createRef<NcConfirm>()
  #shown: string | undefined

  /** In the address, so that a link shows the same. */
  get #subject(): Suppressed | undefined {
    const { query } = this.context
    const [userId, address] = [query.get('userId'), query.get('address')]
    if (userId) return { userId }
    return address ? { address } : undefined
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('context')) return
    const text = JSON.stringify(this.#subject)
    if (text === this.#shown) return
    this.#shown = text
    this.#load()
  }

  #load(quiet = false): void {
    const subject = this.#subject
    if (subject === undefined) this.#found.clear()
    else void this.#found.load((signal) => this.#read(subject, signal), { quiet })
  }

  async #read(subject: Suppressed, signal: AbortSignal): Promise<SuppressionAnswer[]> {
    const { api } = this.context
    const user = subject.userId === undefined ? undefined : api.user(subject.userId, signal).catch(() => undefined)
    const { data } = await api.suppressions(subject, signal)
    this.#name = (await user)?.name ?? null
    return data
  }

  #named(subject: Suppressed): string {
    return this.#name === null ? subjectText(subject) : `${this.#name} (${subjectText(subject)})`
  }

  override render(): TemplateResult {
    const add = html`<wa-button size="s" variant="brand" @click=${() => this.#add()}>${icon('plus', 'start')}Suppress</wa-button>`
    return html`<div class="page">
      ${pageHead('Suppressions', 'Users and addresses to which a channel sends nothing.', this.context.may('editor') ? add : nothing)}
      ${this.#search()} ${this.#content()}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #search(): TemplateResult {
    const subject = this.#subject
    const isAddress = subject?.address !== undefined
    return html`<search class="filters">
      <form class="filter-line" @submit=${this.#onSearch}>
        <select class="select" name="kind" aria-label="Search for">
          ${KINDS.map(([kind, words]) => html`<option value=${kind} ?selected=${isAddress === (kind === 'address')}>${words}</option>`)}
        </select>
        <div class="filter filter-search">
          ${icon('search')}
          <input class="input" type="search" name="text" aria-label="User ID or e-mail address" placeholder="In full" required autocomplete="off" spellcheck="false" .value=${live(subjectText(subject))} />
        </div>
        <wa-button size="s" type="submit" appearance="outlined">Look up</wa-button>
      </form>
    </search>`
  }

  readonly #onSearch = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const text = String(form.get('text') ?? '').trim()
    if (text === '') return
    const isAddress = form.get('kind') === 'address'
    this.context.router.setQuery({ userId: isAddress ? undefined : text, address: isAddress ? text : undefined })
  }

  #content(): TemplateResult {
    const subject = this.#subject
    const { value, state, error } = this.#found
    if (subject === undefined) {
      return emptyView({ icon: 'ban', title: 'Look up a user or an address', text: HASHED })
    }
    if (state === 'failed') return failureView(error, () => this.#load())
    if (value === undefined || state === 'loading') return loadingView(3)
    if (value.length === 0) {
      return emptyView({
        icon: 'check',
        title: 'Not suppressed',
        text: `${this.#named(subject)} gets messages on all channels, as far as preferences allow.`,
      })
    }
    return html`${this.#name === null ? nothing : html`<p class="page-text">${named(this.#name, subject.userId ?? '', this.context.link('user', subject.userId))}</p>`}
    <div class="table-box">
      <table class="table">
        <caption class="sr">Suppressions of ${this.#named(subject)}</caption>
        <thead>
          <tr><th scope="col">Channel</th><th scope="col">Reason</th><th scope="col">Since</th><th scope="col"><span class="sr">Actions</span></th></tr>
        </thead>
        <tbody>
          ${value.map((suppression) => this.#row(subject, suppression))}
        </tbody>
      </table>
    </div>`
  }

  #row(subject: Suppressed, { channel, reason, createdAt }: SuppressionAnswer): TemplateResult {
    return html`<tr>
      <th scope="row">${toWords(channel)}</th>
      <td>${SUPPRESSION_WORDS[reason]}</td>
      <td>${age(createdAt)}</td>
      <td class="row-actions">
        ${this.context.may('editor') ? html`<wa-button size="s" appearance="plain" variant="danger" @click=${() => this.#remove(subject, channel, reason)}>Remove<span class="sr"> the suppression of ${channel}</span></wa-button>` : nothing}
      </td>
    </tr>`
  }

  #add(): void {
    const { api, notify, router } = this.context
    const subject = this.#subject
    const isAddress = subject?.address !== undefined
    this.#confirm.value?.ask({
      title: 'Suppress a user or an address',
      text: html`<p>The channel sends nothing more to them, until the suppression is removed.</p>`,
      fields: html`${choiceField('', { name: 'kind', label: 'For', value: isAddress ? 'address' : 'userId', choices: KINDS })}
        ${field({ name: 'subject', label: 'User ID or e-mail address', value: subjectText(subject), autofocus: true })}
        ${choiceField('', { name: 'channel', label: 'Channel', value: CHANNELS.find(needsAddress) ?? '', choices: CHANNELS.map((channel) => [channel, toWords(channel)]) })}
        ${choiceField('', { name: 'reason', label: 'Reason', value: 'manual', choices: Object.entries(SUPPRESSION_WORDS) })}`,
      button: 'Suppress',
      isDangerous: true,
      run: async (form) => {
        const text = String(form.get('subject')).trim()
        const chosen: Suppressed = form.get('kind') === 'address' ? { address: text } : { userId: text }
        const channel = String(form.get('channel')) as Channel
        const { added } = await api.suppress({ ...chosen, channel, reason: String(form.get('reason')) })
        notify(added ? `${text} is suppressed.` : `${text} was suppressed already.`)
        this.#shown = undefined
        router.setQuery({ userId: undefined, address: undefined, ...chosen })
      },
    })
  }

  #remove(subject: Suppressed, channel: Channel, reason: SuppressionReason): void {
    const { api, notify } = this.context
    this.#confirm.value?.ask({
      title: 'Remove the suppression',
      text: html`<p>The channel ${channel} sends to ${subjectText(subject)} again. ${SUPPRESSION_WARNINGS[reason] ?? ''}</p>`,
      button: 'Remove',
      isDangerous: true,
      run: async () => {
        await api.releaseSuppressed({ ...subject, channel })
        notify('The suppression is removed.')
        this.#load(true)
      },
    })
  }
}

const KINDS = [
  ['userId', 'User ID'],
  ['address', 'E-mail address'],
] as const

function subjectText(subject: Suppressed | undefined): string {
  return subject?.userId ?? subject?.address ?? ''
}

const HASHED = 'Addresses are stored as hashes, so that no list of them exists: look one up in full.'

customElements.define('nc-suppressions', NcSuppressions)
