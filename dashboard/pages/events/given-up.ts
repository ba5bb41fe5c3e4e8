// <nc-given-up>: runs, jobs and mails that the server gave up, with the reason; runs them again, or removes them.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { GivenUpAnswer } from '../../../contract/resources/given-up.ts'
import { age, named, pageHead } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { emptyView, failureView, loadingView, messageOf } from '../../elements/states.ts'
import { toWords } from '../../lib/format.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'

/** What a reason asks people to do; each other reason says itself what broke. */
const NEXT_STEPS: [reason: RegExp, text: string][] = [
  [
    /^the process ended /,
    'Look at the conditions and templates of this step, and at the memory of the server. Mend what ended it, then run this again.',
  ],
  [/^none of /, 'The log of the server has the error of each attempt. Mend its cause, then run this again.'],
]

/** The server lists as many (edge/http/dashboard/given-up.ts). */
const MOST_LISTED = 100

class NcGivenUp extends AppPage {
  readonly #confirm = createRef<NcConfirm>()
  readonly #found = new Loader<GivenUpAnswer[]>(this)
  /** The ids that are about to run again: their buttons wait. */
  readonly #busy = new Set<string>()

  protected override firstUpdated(): void {
    this.#load()
  }

  readonly #load = (quiet = false): void => {
    void this.#found.load(async (signal) => (await this.context.api.givenUp(signal)).data, { quiet })
  }

  override render(): TemplateResult {
    return html`<div class="page">
      ${pageHead('Given up', 'Work that ended a server twice, or of which no attempt came to an end. All other work goes on.')}
      ${this.#content()}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #content(): TemplateResult {
    const { value, state, error } = this.#found
    if (state === 'failed') return failureView(error, () => this.#load())
    if (value === undefined || state === 'loading') return loadingView(5)
    if (value.length === 0) {
      return emptyView({
        icon: 'check',
        title: 'Nothing was given up',
        text: 'Every run, job and mail came to its end.',
      })
    }
    return html`<div class="table-box">
      <table class="table">
        <caption class="sr">What was given up, newest first</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col" class="wide-only">Campaign</th>
            <th scope="col" class="wide-only">For</th>
            <th scope="col" class="wide-only">Reason</th>
            <th scope="col" class="wide-only">Given up</th>
            <th scope="col"><span class="sr">Actions</span></th>
          </tr>
        </thead>
        <tbody>
          ${value.map((one) => this.#row(one))}
        </tbody>
      </table>
    </div>
    ${value.length < MOST_LISTED ? nothing : html`<p class="list-foot">The ${MOST_LISTED} newest are listed. Run or drop some to see older ones.</p>`}`
  }

  #row(one: GivenUpAnswer): TemplateResult {
    const { kind, what, reason, givenUpAt, campaignId, campaignKey, campaignName, userId } = one
    const campaign =
      campaignId === null
        ? '–'
        : html`<a href=${this.context.link('campaign', campaignId)}>${campaignName ?? campaignKey ?? campaignId}</a>`
    const user = userId === null ? '–' : named(one.userName, userId, this.context.link('user', userId))
    const next = NEXT_STEPS.find(([pattern]) => pattern.test(reason))?.[1]
    const why = html`${reason}${next === undefined ? nothing : html`<span class="row-note">${next}</span>`}`
    return html`<tr>
      <th scope="row">
        ${toWords(kind)}${kind === 'job' ? html`: ${what}` : html`, step <code>${what}</code>`}
        <span class="row-note narrow-only">${campaignId === null ? nothing : html`${campaign}, `}${userId === null ? nothing : html`${user}, `}${age(givenUpAt)}: ${why}</span>
      </th>
      <td class="wide-only">${campaign}</td>
      <td class="cell-text wide-only">${user}</td>
      <td class="wide-only">${why}</td>
      <td class="wide-only">${age(givenUpAt)}</td>
      <td class="row-actions">
        ${this.context.may('editor') ? this.#actions(one) : nothing}
      </td>
    </tr>`
  }

  #actions(one: GivenUpAnswer): TemplateResult {
    const { id, kind } = one
    const isBusy = this.#busy.has(id)
    const which = html`<span class="sr"> the ${kind} ${id}</span>`
    return html`<wa-button size="s" appearance="outlined" ?disabled=${isBusy} @click=${() => this.#runAgain(one)}>Run again${which}</wa-button>
      <wa-button size="s" appearance="plain" ?disabled=${isBusy} @click=${() => this.#drop(one)}>Drop${which}</wa-button>`
  }

  #drop({ id, kind }: GivenUpAnswer): void {
    this.#confirm.value?.ask({
      title: `Drop this ${kind}?`,
      text: `It leaves this list and can never run again. The record of what happened stays.`,
      button: 'Drop',
      isDangerous: true,
      run: async () => {
        await this.context.api.dropGivenUp(id)
        this.context.notify(`The ${kind} is dropped.`)
        this.#load(true)
      },
    })
  }

  async #runAgain({ id, kind }: GivenUpAnswer): Promise<void> {
    const { api, notify } = this.context
    this.#busy.add(id)
    this.requestUpdate()
    try {
      await api.runGivenUp(id)
      notify(`The ${kind} runs again.`)
    } catch (error) {
      notify(messageOf(error))
    }
    this.#busy.delete(id)
    this.#load(true)
  }
}

customElements.define('nc-given-up', NcGivenUp)
