// <nc-given-up>: runs, jobs and mails that the server gave up, with the reason; runs them again.

import { html, nothing, type TemplateResult } from 'lit'
import type { GivenUpAnswer } from '../../../contract/management-schemas.ts'
import { pageHead, time } from '../../elements/bits.ts'
import { emptyView, failureView, loadingView, messageOf } from '../../elements/states.ts'
import { toWords } from '../../lib/format.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'

class NcGivenUp extends AppPage {
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
    </div>`
  }

  #row(one: GivenUpAnswer): TemplateResult {
    const { id, kind, what, reason, givenUpAt, campaignId, userId } = one
    const name = `${toWords(kind)} at ${what}`
    return html`<tr>
      <th scope="row">
        ${campaignId === null ? html`${toWords(kind)}: ${what}` : html`<a href=${this.context.link('campaign', campaignId)}>${name}</a>`}
        <span class="row-note narrow-only">${userId === null ? nothing : html`${userId}, `}${time(givenUpAt)}: ${reason}</span>
      </th>
      <td class="cell-text wide-only">${userId ?? '–'}</td>
      <td class="wide-only">${reason}</td>
      <td class="wide-only">${time(givenUpAt)}</td>
      <td class="row-actions">
        ${this.context.may('editor') ? html`<wa-button size="s" appearance="outlined" ?disabled=${this.#busy.has(id)} @click=${() => this.#runAgain(one)}>Run again<span class="sr"> the ${kind} ${id}</span></wa-button>` : nothing}
      </td>
    </tr>`
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
