// <nc-doubts>: what was accepted and cannot have been meant, with counts and examples; filters it and dismisses it.

import { html, nothing, type TemplateResult } from 'lit'
import { DOUBT_WORDS, type DoubtKind } from '../../../contract/doubt.ts'
import type { DoubtAnswer } from '../../../contract/resources/doubt.ts'
import { age, pageHead } from '../../elements/bits.ts'
import { choiceFilter } from '../../elements/filter-fields.ts'
import { emptyView, failureView, listFoot, loadingView, messageOf } from '../../elements/states.ts'
import { formatCount } from '../../lib/format.ts'
import { ListLoader } from '../../lib/list-loader.ts'
import { AppPage } from '../../shell/page-element.ts'

const PAGE_DOUBTS = 50
const KINDS = Object.entries(DOUBT_WORDS)
/** The page of each subject; of an event, the events of its name. */
const PAGES = { campaign: 'campaign', layout: 'config', source: 'source', user: 'user' } as const

class NcDoubts extends AppPage {
  readonly #list = new ListLoader<DoubtAnswer>(this, (cursor, signal) =>
    this.context.api.doubts({ ...this.#filter, limit: PAGE_DOUBTS, cursor }, signal),
  )
  /** The ids that are about to be dismissed: their buttons wait. */
  readonly #busy = new Set<string>()

  /** In the address, so that a link shows the same. */
  get #filter() {
    const { query } = this.context
    const [kind, subjectType, subjectId] = ['kind', 'subjectType', 'subjectId'].map((name) => query.get(name))
    return { kind: kind ?? undefined, subjectType: subjectType ?? undefined, subjectId: subjectId ?? undefined }
  }

  protected override willUpdate(): void {
    this.#list.reloadFor(`${this.context.environment.id} ${JSON.stringify(this.#filter)}`)
  }

  override render(): TemplateResult {
    const { kind, subjectType, subjectId } = this.#filter
    const { router } = this.context
    const showAll = () => router.setQuery({ subjectType: undefined, subjectId: undefined })
    return html`<div class="page">
      ${pageHead('Doubts', 'What was accepted, and cannot have been meant.')}
      <search class="filters">
        <div class="filter-line">
          ${choiceFilter({ label: 'Kind', value: kind, change: (value) => router.setQuery({ kind: value }) }, KINDS)}
          ${
            subjectId === undefined
              ? nothing
              : html`<wa-button size="s" appearance="outlined" @click=${showAll}>Only about this ${subjectType}: show all</wa-button>`
          }
        </div>
      </search>
      ${this.#content()}
    </div>`
  }

  #content(): TemplateResult {
    const { value, state, error, reload } = this.#list
    if (state === 'failed') return failureView(error, reload)
    if (value === undefined || state === 'loading') return loadingView(5)
    if (value.rows.length === 0) return this.#empty()
    return html`<div class="table-box">
        <table class="table">
          <caption class="sr">Doubts, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Doubt</th>
              <th scope="col" class="wide-only">About</th>
              <th scope="col" class="number wide-only">Count</th>
              <th scope="col" class="wide-only">Last</th>
              <th scope="col"><span class="sr">Actions</span></th>
            </tr>
          </thead>
          <tbody>
            ${value.rows.map((doubt) => this.#row(doubt))}
          </tbody>
        </table>
      </div>
      ${listFoot(this.#list, 'doubt')}`
  }

  #row(doubt: DoubtAnswer): TemplateResult {
    const { kind, message, example, count, firstAt, lastAt } = doubt
    return html`<tr>
      <th scope="row">
        ${DOUBT_WORDS[kind as DoubtKind] ?? kind}
        <span class="row-note">${message}</span>
        ${example === null ? nothing : html`<span class="row-note">Such as <code>${example}</code></span>`}
        <span class="row-note narrow-only">${this.#subject(doubt)}, ${count === 1 ? 'once' : `${formatCount(count)} times`}, ${age(lastAt)}</span>
      </th>
      <td class="cell-text wide-only">${this.#subject(doubt)}</td>
      <td class="number wide-only">${formatCount(count)}</td>
      <td class="wide-only">${age(lastAt)}<span class="row-note">first ${age(firstAt)}</span></td>
      <td class="row-actions">${this.context.may('editor') ? this.#dismissButton(doubt) : nothing}</td>
    </tr>`
  }

  #subject({ subject: { type, id }, subjectName: name }: DoubtAnswer): TemplateResult {
    const { link } = this.context
    const href = type === 'event' ? link('events', '', { name: id }) : link(PAGES[type], id)
    return html`${type} <a href=${href} title=${id}>${name ?? id}</a>`
  }

  #dismissButton({ id, message }: DoubtAnswer): TemplateResult {
    const dismiss = () => void this.#dismiss(id)
    return html`<wa-button size="s" appearance="plain" ?disabled=${this.#busy.has(id)} @click=${dismiss}>Dismiss<span class="sr">: ${message}</span></wa-button>`
  }

  async #dismiss(id: string): Promise<void> {
    const { api, notify } = this.context
    this.#busy.add(id)
    this.requestUpdate()
    try {
      await api.dismissDoubt(id)
      notify('The doubt is dismissed. It comes back when it arises again.')
    } catch (error) {
      notify(messageOf(error))
    }
    this.#busy.delete(id)
    this.#list.reload()
  }

  #empty(): TemplateResult {
    const isFiltered = Object.values(this.#filter).some((value) => value !== undefined)
    return emptyView({
      icon: 'check',
      title: isFiltered ? 'No doubt matches' : 'No doubts',
      text: isFiltered
        ? 'Choose another kind, or show all.'
        : 'Templates find their variables, conditions come to a result, and somebody listens to each event.',
    })
  }
}

customElements.define('nc-doubts', NcDoubts)
