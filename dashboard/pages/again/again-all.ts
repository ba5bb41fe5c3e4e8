// <nc-again-all>: asks how all of a filter is sent again, and shows how far the last job is, with a button that stops it.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import { callerName } from '../../../contract/caller-name.ts'
import type { AgainJobAnswer } from '../../../contract/resources/again-job.ts'
import { badge, type Tone } from '../../elements/badge.ts'
import { age } from '../../elements/bits.ts'
import type { NcConfirm, Question } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { icon } from '../../elements/icon.ts'
import { messageOf } from '../../elements/states.ts'
import { formatCount } from '../../lib/format.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import type { AppContext } from '../../shell/context.ts'
import { askToRunAllEvents, askToSendAll, type ShownFilters } from './again-all-questions.ts'

const POLL_MS = 2000
const TONES: Readonly<Record<AgainJobAnswer['state'], Tone>> = {
  running: 'info',
  done: 'good',
  stopped: 'quiet',
  failed: 'bad',
}
const NOUNS: Readonly<Record<AgainJobAnswer['kind'], string>> = {
  messages: 'messages',
  runs: 'messages of runs',
  events: 'events',
}

export class NcAgainAll extends LightElement {
  static override properties = { context: { attribute: false }, isHidden: { state: true } }

  declare context: AppContext
  declare protected isHidden: boolean

  readonly #job = new Loader<AgainJobAnswer | undefined>(this)
  readonly #confirm = createRef<NcConfirm>()
  readonly #poller = new Poller(this, POLL_MS, () => this.#poll())

  constructor() {
    super()
    this.isHidden = false
  }

  /** @param filters Those of the history. */
  askMessages(filters: ShownFilters): void {
    askToSendAll(this.context, filters, this.#ask, this.#show)
  }

  /** @param filters Those of the list of events. */
  askEvents(filters: ShownFilters): void {
    askToRunAllEvents(this.context, filters, this.#ask, this.#show)
  }

  readonly #ask = (question: Question): void => this.#confirm.value?.ask(question)

  readonly #show = (job: AgainJobAnswer): void => {
    this.isHidden = false
    void this.#read(async () => job)
  }

  protected override firstUpdated(): void {
    void this.#read(async (signal) => {
      const [last] = (await this.context.api.againJobs(signal)).data
      // What has ended before is in the audit log.
      return last?.state === 'running' ? last : undefined
    })
  }

  async #read(read: (signal: AbortSignal) => Promise<AgainJobAnswer | undefined>): Promise<Polled> {
    const polled = await this.#job.load(read, { quiet: true })
    this.#poller.isOn = this.#job.value?.state === 'running'
    return polled
  }

  async #poll(): Promise<Polled> {
    const { value } = this.#job
    return value === undefined ? undefined : this.#read((signal) => this.context.api.againJob(value.jobId, signal))
  }

  async #stop(jobId: string): Promise<void> {
    try {
      await this.context.api.stopAgain(jobId)
    } catch (error) {
      this.context.notify(messageOf(error))
    }
    await this.#read((signal) => this.context.api.againJob(jobId, signal))
  }

  override render(): TemplateResult {
    return html`${this.#progress()} <nc-confirm ${ref(this.#confirm)}></nc-confirm>`
  }

  #progress(): TemplateResult | typeof nothing {
    const { value } = this.#job
    if (value === undefined || this.isHidden) return nothing
    const { jobId, kind, state, total, done, made, refused, startedAt, by } = value
    const results = [`${formatCount(made)} again`]
    if (refused > 0) results.push(`${formatCount(refused)} refused`)
    const hide = () => {
      this.isHidden = true
    }
    return html`<section class="card run-state again-state" aria-label="Sending again">
      <span class="badges">${badge(state, TONES[state])} <span class="cell-note">by ${callerName(by, 'within')} ${age(startedAt)}</span></span>
      <span role="status">${formatCount(done)} of ${formatCount(total)} ${NOUNS[kind]}: ${results.join(', ')}</span>
      ${state === 'running' ? html`<progress aria-label="What was sent again" max=${Math.max(1, total)} .value=${done}></progress>` : nothing}
      ${state === 'failed' ? html`<span class="row-note">It was given up. It goes on when it is run again from the list of what was given up.</span>` : nothing}
      ${
        state === 'running' && this.context.may('editor')
          ? html`<wa-button size="s" appearance="outlined" @click=${() => void this.#stop(jobId)}>Stop</wa-button>`
          : html`<button type="button" class="icon-button" aria-label="Hide" title="Hide" @click=${hide}>${icon('xmark')}</button>`
      }
    </section>`
  }
}

customElements.define('nc-again-all', NcAgainAll)
