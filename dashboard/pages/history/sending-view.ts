// <nc-sending-view>: how a mail went to its provider, attempt by attempt, and why its address is suppressed.

import { html, nothing, type TemplateResult } from 'lit'
import type { AttemptAnswer, DeliveryDetailAnswer } from '../../../contract/resources/delivery.ts'
import type { MailParts } from '../../../contract/resources/mail.ts'
import type { SuppressionAnswer } from '../../../contract/resources/suppression.ts'
import { badge, type Tone, tag } from '../../elements/badge.ts'
import { copyable, facts, time } from '../../elements/bits.ts'
import { failureView } from '../../elements/states.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'

const OUTCOMES: Readonly<Record<AttemptAnswer['outcome'], readonly [words: string, tone: Tone]>> = {
  accepted: ['accepted', 'good'],
  refused: ['refused', 'bad'],
  unavailable: ['not now', 'warn'],
  unknown: ['no answer known', 'warn'],
  'render-error': ['could not be composed', 'bad'],
}
const REASONS: Readonly<Record<string, string>> = {
  bounce: 'a mail to it came back, or its server does not know it',
  complaint: 'its owner reported a mail as spam',
  unsubscribe: 'its owner asked for no mails',
  manual: 'somebody of your team suppressed it',
}
/** Longer answers are folded. */
const SHORT_CHARS = 140

interface Known {
  /** Of the mail; of one that was not written, the user's own. */
  address: string | null
  suppressions: SuppressionAnswer[]
  /** Names of integrations, by id. */
  names: ReadonlyMap<string, string>
}

class NcSendingView extends LightElement {
  static override properties = { context: { attribute: false }, detail: { attribute: false } }

  declare context: AppContext
  declare detail: DeliveryDetailAnswer

  readonly #known = new Loader<Known>(this)

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('detail')) void this.#known.load((signal) => this.#read(signal), { quiet: true })
  }

  /** A mail that was not to be sent has no recipient of its own. */
  async #findAddress(signal: AbortSignal): Promise<string | null> {
    const { email } = this.detail.snapshot as { email?: MailParts }
    if (email !== undefined) return email.to?.address ?? null
    const user = await this.context.api.user(this.detail.userId, signal).catch(() => undefined)
    return user?.email ?? null
  }

  async #read(signal: AbortSignal): Promise<Known> {
    const { api } = this.context
    const { userId, attemptLog } = this.detail
    const address = await this.#findAddress(signal)
    const [byUser, byAddress, integrations] = await Promise.all([
      api.suppressions({ userId }, signal),
      address === null ? undefined : api.suppressions({ address }, signal),
      attemptLog.some(({ integration }) => integration !== null) ? api.integrations(signal) : undefined,
    ])
    const suppressions = [...(byAddress?.data ?? []), ...byUser.data].filter(({ channel }) => channel === 'email')
    return { address, suppressions, names: new Map(integrations?.data.map(({ id, name }) => [id, name])) }
  }

  override render(): TemplateResult {
    const { scheduledAt, sentAt, deliveredAt, providerMessageId, lastError, nextAttemptAt, statusReason, attemptLog } =
      this.detail
    const isQuiet = statusReason === 'quiet-hours' && nextAttemptAt !== null
    return html`<h3 class="side-section">Sending</h3>
      ${this.#suppressed()}
      ${facts([
        ['Queued', scheduledAt === null ? null : time(scheduledAt)],
        [isQuiet ? 'Quiet hours end' : 'Next attempt', nextAttemptAt === null ? null : time(nextAttemptAt)],
        ['Accepted', sentAt === null ? null : time(sentAt)],
        ['Delivered', deliveredAt === null ? null : time(deliveredAt)],
        ['Last error', attemptLog.some(({ answer }) => answer === lastError) ? null : lastError],
        ['Provider’s id', providerMessageId === null ? null : copyable(providerMessageId, 'id of the provider')],
      ])}
      ${this.#attempts()}`
  }

  #attempts(): TemplateResult {
    const { attemptLog, attempts } = this.detail
    if (attemptLog.length === 0)
      return html`<p class="hint">${attempts === 0 ? 'No provider was asked.' : 'The answers of its attempts are not kept.'}</p>`
    return html`<h4 class="side-section">Attempts</h4>
      <ol class="attempts">
        ${attemptLog.map((attempt) => this.#attempt(attempt))}
      </ol>`
  }

  #attempt({ at, integration, provider, outcome, answer }: AttemptAnswer): TemplateResult {
    const [words, tone] = OUTCOMES[outcome]
    return html`<li class="attempt">
      <div class="moment-head">${badge(words, tone)} ${this.#asked(integration, provider)}</div>
      <div class="moment-time">${time(at)}</div>
      ${answer === null ? nothing : answerView(answer)}
    </li>`
  }

  #asked(integration: string | null, provider: string | null): unknown {
    if (integration !== null)
      return html`<a class="link" href=${this.context.link('integration', integration)}>${this.#known.value?.names.get(integration) ?? integration}</a> ${provider === null ? nothing : tag(provider)}`
    if (provider === 'mailbox') return html`<span>the mailbox</span>`
    return html`<span>${provider === null ? 'no provider was asked' : 'the server’s own SMTP'}</span>`
  }

  #suppressed(): unknown {
    if (this.#known.state === 'failed') return failureView(this.#known.error)
    const { suppressions: [first] = [], address = null } = this.#known.value ?? {}
    if (first === undefined) return nothing
    const href = this.context.link(
      'suppressions',
      undefined,
      address === null ? { userId: this.detail.userId } : { address },
    )
    return html`<p class="side-note" role="note">
      No mails go to this ${address === null ? 'user' : 'address'} since ${time(first.createdAt)}: ${REASONS[first.reason] ?? first.reason}.
      <a class="link" href=${href}>Suppressions</a>
    </p>`
  }
}

function answerView(answer: string): TemplateResult {
  if (answer.length <= SHORT_CHARS) return html`<p class="attempt-answer">${answer}</p>`
  return html`<details class="attempt-answer">
    <summary>${answer.slice(0, SHORT_CHARS)}…</summary>
    <p>${answer}</p>
  </details>`
}

customElements.define('nc-sending-view', NcSendingView)
