// <nc-delivery-view>: one message beside the table, with timeline, content, trace of the run, and the tracked event.

import '@awesome.me/webawesome/dist/components/tab/tab.js'
import '@awesome.me/webawesome/dist/components/tab-group/tab-group.js'
import '@awesome.me/webawesome/dist/components/tab-panel/tab-panel.js'
import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { MessageContent } from '../../../contract/api.ts'
import type { DeliveryDetailAnswer } from '../../../contract/resources/delivery.ts'
import type { RunAnswer } from '../../../contract/resources/run.ts'
import { badge, tag } from '../../elements/badge.ts'
import { copyable, type Fact, facts, jsonView, named, time } from '../../elements/bits.ts'
import type { NcConfirm, Question } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { icon } from '../../elements/icon.ts'
import { emptyView, failureView, loadingView } from '../../elements/states.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import { reasonName } from '../../lib/reasons.ts'
import type { AppContext } from '../../shell/context.ts'
import { isUnsent, runAgainQuestion, sendAgainQuestion, sendToMeQuestion } from '../again/again-questions.ts'
import { timelineView, traceView } from './timeline.ts'
import { whyView } from './why-view.ts'

export class NcDeliveryView extends LightElement {
  static override properties = { context: { attribute: false }, messageId: { attribute: false } }

  declare context: AppContext
  declare messageId: string

  readonly #detail = new Loader<DeliveryDetailAnswer>(this)
  readonly #run = new Loader<RunAnswer>(this)
  readonly #confirm = createRef<NcConfirm>()

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('messageId')) this.#load()
  }

  /** Reads it again without a sign of loading: it may have been opened meanwhile. */
  refresh(): Promise<unknown> {
    return this.#detail.load((signal) => this.context.api.delivery(this.messageId, signal), { quiet: true })
  }

  override focus(): void {
    void this.focusOn('.side-head h2')
  }

  #load(): void {
    this.#detail.clear()
    this.#run.clear()
    void this.#detail
      .load((signal) => this.context.api.delivery(this.messageId, signal))
      .then(() => {
        const detail = this.#detail.value
        if (detail === undefined) return
        void this.#run.load((signal) => this.context.api.run(detail.runId, signal))
        // The tab may be shown before: its elements take their content when their code is there.
        void (detail.channel === 'email' ? importMail() : import('../../elements/message-preview.ts'))
      })
  }

  override render(): TemplateResult {
    const detail = this.#detail.value
    const close = () => this.dispatchEvent(new Event('close-view'))
    return html`<section class="side" aria-label="Delivery">
      <header class="side-head">
        <div class="side-title">
          <h2 tabindex="-1">${detail === undefined ? 'Delivery' : (detail.title ?? detail.campaignName)}</h2>
          ${copyable(this.messageId, 'message ID')}
        </div>
        <button type="button" class="icon-button" aria-label="Close" title="Close (Esc)" @click=${close}>${icon('xmark')}</button>
      </header>
      ${this.#content(detail)}
    </section>`
  }

  #content(detail: DeliveryDetailAnswer | undefined): TemplateResult {
    if (this.#detail.state === 'failed') return failureView(this.#detail.error, () => this.#load())
    if (detail === undefined) return loadingView(8)
    const tabs: [name: string, label: string, content: unknown][] = [
      ['timeline', 'Timeline', html`${timelineView(detail)} ${this.#sending(detail)} ${this.#facts(detail)}`],
      ['message', 'Message', detail.channel === 'email' ? this.#mail(detail) : messageTab(detail)],
      ['trace', 'Trace', this.#trace()],
      ['event', 'Event', this.#event(detail)],
    ]
    return html`<div class="side-summary">
        ${badge(detail.status)} ${detail.statusReason === null ? nothing : tag(reasonName(detail.statusReason))}
        ${detail.engagement === 'none' ? nothing : badge(detail.engagement)} ${detail.isTest ? tag('Test') : nothing}
      </div>
      ${whyView(this.context, detail, this.#run.value)} ${this.#again(detail)}
      <wa-tab-group class="side-tabs">
        ${tabs.map(([name, label]) => html`<wa-tab panel=${name}>${label}</wa-tab>`)}
        ${tabs.map(([name, , content]) => html`<wa-tab-panel name=${name}>${content}</wa-tab-panel>`)}
      </wa-tab-group>`
  }

  /** The remedies of those who may send. */
  #again(detail: DeliveryDetailAnswer): TemplateResult | typeof nothing {
    if (!this.context.may('editor')) return nothing
    const run = this.#run.value
    const ask = (question: Question) => this.#confirm.value?.ask(question)
    const sendAgain = () => ask(sendAgainQuestion(this.context, detail))
    const runAgain = () => run && ask(runAgainQuestion(this.context, run))
    return html`<div class="side-actions">
        ${isUnsent(detail.status) ? html`<wa-button size="s" appearance="outlined" @click=${sendAgain}>Send again…</wa-button>` : nothing}
        ${run?.state === 'failed' ? html`<wa-button size="s" appearance="outlined" @click=${runAgain}>Run again…</wa-button>` : nothing}
        <wa-button size="s" appearance="outlined" @click=${() => ask(sendToMeQuestion(this.context, detail))}>Send to me…</wa-button>
      </div>
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>`
  }

  #sending(detail: DeliveryDetailAnswer): TemplateResult | typeof nothing {
    if (detail.channel !== 'email') return nothing
    return html`<nc-sending-view .context=${this.context} .detail=${detail}></nc-sending-view>
      <h3 class="side-section">Message</h3>`
  }

  #facts(detail: DeliveryDetailAnswer): TemplateResult {
    const { link } = this.context
    const rows: Fact[] = [
      ['Recipient', named(detail.userName, detail.userId, link('user', detail.userId))],
      [
        'Campaign',
        html`<a class="link" href=${link('campaign', detail.campaignId)}>${detail.campaignName}</a>, ${detail.isTest ? `draft of version ${detail.version}` : `version ${detail.version}`}`,
      ],
      ['Step', detail.stepId],
      ['Branch', detail.branch],
      ['Channel', detail.channel],
      ['Created', time(detail.createdAt)],
      ['Expires', detail.expiresAt === null ? null : time(detail.expiresAt)],
      ...(detail.channel === 'email' ? [] : attemptsOf(detail)),
      ['Correlation ID', copyable(detail.correlationId, 'correlation ID')],
      ['Event', named(detail.event?.name ?? null, detail.eventId, link('event', detail.eventId))],
      ['Run ID', copyable(detail.runId, 'run ID')],
    ]
    return facts(rows)
  }

  #mail(detail: DeliveryDetailAnswer): TemplateResult {
    // A mail that was not to be sent was not rendered either.
    if (!('email' in detail.snapshot))
      return emptyView({
        icon: 'mail',
        title: 'There is no mail',
        text: 'It was decided before it was written: the timeline and the trace show why.',
      })
    return html`<nc-sent-mail .context=${this.context} .messageId=${detail.messageId}></nc-sent-mail>
      <h3 class="side-section">Stored content</h3>
      ${jsonView(detail.snapshot, 'Stored content as JSON')}`
  }

  #trace(): TemplateResult {
    if (this.#run.state === 'failed') return failureView(this.#run.error)
    return this.#run.value === undefined ? loadingView(4) : traceView(this.#run.value)
  }

  #event({ event }: DeliveryDetailAnswer): TemplateResult {
    if (event !== null) return jsonView(event, 'Tracked event as JSON')
    return emptyView({
      icon: 'bolt',
      title: 'The event is deleted',
      text: 'The retention of your organisation has deleted it.',
    })
  }
}

const importMail = () => Promise.all([import('./sent-mail.ts'), import('./sending-view.ts')])

const attemptsOf = ({ attempts, lastError }: DeliveryDetailAnswer): Fact[] => [
  ['Attempts', attempts],
  ['Last error', lastError],
]

// The cast is safe for messages of the inbox; a mail has a title of its own.
const contentOf = ({ snapshot }: DeliveryDetailAnswer): Partial<MessageContent> => snapshot as Partial<MessageContent>

function messageTab(detail: DeliveryDetailAnswer): TemplateResult {
  const content = contentOf(detail)
  const isShown = detail.channel === 'inbox' && typeof content.title === 'string' && typeof content.body === 'string'
  if (!isShown) return jsonView(detail.snapshot, 'Stored content as JSON')
  return html`<p class="hint">As stored when the message was created, in the widget's default look.</p>
    <nc-message-preview .delivery=${detail} .content=${content}></nc-message-preview>
    <h3 class="side-section">Content</h3>
    ${facts([
      ['Title', content.title],
      ['Body', html`<span class="pre">${content.body}</span>`],
      ['Link', content.link],
      ['Actions', content.actions?.length ? content.actions.map(({ label }) => label).join(', ') : null],
      ['Category', content.category],
      ['Priority', content.priority],
      ['Entity', content.entity],
    ])}`
}

customElements.define('nc-delivery-view', NcDeliveryView)
