// <nc-editor-test>: sends the draft as a test to the person's own inbox and address by one press, and to a list of others.

import { html, nothing, type TemplateResult } from 'lit'
import type { CampaignAnswer } from '../../../../contract/resources/campaign.ts'
import type { CampaignTestAnswer } from '../../../../contract/resources/campaign-trial.ts'
import type { Draft } from '../../../editor/step-tree.ts'
import { badge } from '../../../elements/badge.ts'
import { icon } from '../../../elements/icon.ts'
import { messageOf } from '../../../elements/states.ts'
import { Attempt } from '../../../lib/attempt.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { Loader } from '../../../lib/loader.ts'
import { reasonName } from '../../../lib/reasons.ts'
import type { AppContext } from '../../../shell/context.ts'
import { faultsView, goFrom } from './render-faults.ts'
import { type Sample, triedWith } from './sample.ts'
import { keepRecipients, keptRecipients, MOST_OTHERS, type TestRecipients } from './test-recipients.ts'
import './user-picker.ts'
import type { UserPicked } from './user-picker.ts'

interface Result {
  userId: string
  isOwn: boolean
  /** Undefined while it is being sent. */
  messages?: CampaignTestAnswer['messages']
  error?: unknown
}

export class NcEditorTest extends LightElement {
  static override properties = {
    context: { attribute: false },
    campaign: { attribute: false },
    draft: { attribute: false },
    sample: { attribute: false },
    mayChange: { attribute: false },
    recipients: { state: true },
    results: { state: true },
  }

  declare context: AppContext
  declare campaign: CampaignAnswer
  declare draft: Draft
  declare sample: Sample | undefined
  declare mayChange: boolean
  declare protected recipients: TestRecipients
  declare protected results: readonly Result[]

  /** The user who has the address of the person, where there is one. */
  readonly #proposed = new Loader<string>(this)
  readonly #attempt = new Attempt(this)
  #environment: string | undefined

  constructor() {
    super()
    Object.assign(this, { mayChange: false, recipients: { own: '', others: [] }, results: [] })
  }

  protected override willUpdate(): void {
    const { environment, me, api } = this.context
    if (this.#environment === environment.id) return
    this.#environment = environment.id
    this.recipients = keptRecipients(environment.id)
    if (this.recipients.own !== '') return
    const { email } = me.person
    void this.#proposed.load(async (signal) => {
      const { data } = await api.users({ q: email, limit: 5 }, signal)
      return data.find((user) => user.email?.toLowerCase() === email.toLowerCase())?.userId ?? ''
    })
  }

  get #own(): string {
    return this.recipients.own || (this.#proposed.value ?? '')
  }

  #keep(change: Partial<TestRecipients>): void {
    this.recipients = { ...this.recipients, ...change }
    keepRecipients(this.context.environment.id, this.recipients)
  }

  readonly #sendToMe = (): void => {
    const own = this.#own
    if (own === '') {
      void this.focusOn('nc-user-picker input')
      return
    }
    this.#keep({ own })
    void this.#send([own])
  }

  readonly #sendToAll = (): void => {
    const own = this.#own
    void this.#send([...new Set([...(own === '' ? [] : [own]), ...this.recipients.others])])
  }

  /** One after the other: each is a message of its own, and a failure of one keeps nobody else from it. */
  async #send(userIds: readonly string[]): Promise<void> {
    await this.#attempt.run(async () => {
      this.results = []
      for (const userId of userIds) {
        const isOwn = userId === this.#own
        this.results = [...this.results, { userId, isOwn }]
        const result = await this.#sendOne(userId, isOwn)
        this.results = [...this.results.slice(0, -1), result]
        // All others would be refused for the same faults.
        if (result.error !== undefined) throw result.error
      }
    })
  }

  async #sendOne(userId: string, isOwn: boolean): Promise<Result> {
    const { definition, event } = triedWith(this.draft, this.sample)
    try {
      const body = { definition, userId, ...(event && { event: { ...event, userId } }), toOwnAddress: isOwn }
      const { messages } = await this.context.api.testCampaign(this.campaign.id, body)
      return { userId, isOwn, messages }
    } catch (error) {
      return { userId, isOwn, error }
    }
  }

  override render(): TemplateResult {
    if (!this.mayChange) return html`<p class="hint">Your role may look, and not send tests.</p>`
    const { others } = this.recipients
    const { email } = this.context.me.person
    return html`<section class="test-part" aria-label="Send a test">
      <div class="test-own">
        <nc-user-picker .context=${this.context} label="Your own inbox" .userId=${this.#own || undefined} placeholder="ID, name or address" @user-picked=${({ userId }: UserPicked) => this.#keep({ own: userId ?? '' })}></nc-user-picker>
        <wa-button variant="brand" ?loading=${this.#attempt.isBusy} @click=${this.#sendToMe}>${icon('send', 'start')}Send to me</wa-button>
      </div>
      <p class="hint">Mails come to ${email}. A test is marked as one and counts nowhere; waits are left out.</p>
      ${this.#others(others)}
      ${this.#attempt.error === undefined ? nothing : this.#fault(this.#attempt.error)}
      <ul class="test-results" aria-live="polite">${this.results.map((result) => this.#result(result))}</ul>
    </section>`
  }

  #fault(error: unknown): TemplateResult | typeof nothing {
    return faultsView(this.draft, error, goFrom(this))
  }

  #others(others: readonly string[]): TemplateResult {
    const add = ({ userId, target }: UserPicked) => {
      if (userId !== undefined && !others.includes(userId)) this.#keep({ others: [...others, userId] })
      const field = (target as HTMLElement).querySelector('input')
      if (field !== null) field.value = ''
    }
    const remove = (userId: string) => this.#keep({ others: others.filter((one) => one !== userId) })
    return html`<details class="test-others" ?open=${others.length > 0}>
      <summary>${icon('chevron-right')} Several people</summary>
      <ul class="test-people">
        ${others.map(
          (userId) =>
            html`<li><span>${userId}</span> <button type="button" class="icon-button" aria-label=${`Remove ${userId}`} title=${`Remove ${userId}`} @click=${() => remove(userId)}>${icon('xmark')}</button></li>`,
        )}
      </ul>
      ${
        others.length >= MOST_OTHERS
          ? html`<p class="hint">At most ${MOST_OTHERS} people.</p>`
          : html`<nc-user-picker .context=${this.context} label="Add a person" .userId=${undefined} @user-picked=${add}></nc-user-picker>`
      }
      ${
        others.length === 0
          ? nothing
          : html`<div class="card-foot"><wa-button size="s" appearance="outlined" ?loading=${this.#attempt.isBusy} @click=${this.#sendToAll}>Send to all ${others.length + (this.#own === '' ? 0 : 1)}</wa-button>
              <span class="hint">Each gets it in their own inbox and at the address of their profile.</span></div>`
      }
    </details>`
  }

  #result({ userId, messages, error }: Result): TemplateResult {
    const { link } = this.context
    if (error !== undefined) return html`<li>${userId}: ${messageOf(error)}</li>`
    if (messages === undefined) return html`<li>${userId}: sending…</li>`
    if (messages.length === 0) return html`<li>${userId}: the draft sends no message with this event.</li>`
    return html`${messages.map(
      ({ messageId, stepId, status, statusReason }) =>
        html`<li>
          <a class="link" href=${link('inbox', '', { userId, message: messageId })}>${userId} · ${stepId}</a>
          ${badge(status)} ${statusReason === null ? nothing : html`<span class="row-note">${reasonName(statusReason)}</span>`}
        </li>`,
    )}`
  }
}

customElements.define('nc-editor-test', NcEditorTest)
