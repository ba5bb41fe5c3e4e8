// <nc-doubt-badge>: how many doubts there are about a campaign, source, user or layout, as a link to them.

import { html, nothing, type TemplateResult } from 'lit'
import type { DoubtSubject } from '../../contract/doubt.ts'
import { LightElement } from '../lib/light-element.ts'
import { Loader } from '../lib/loader.ts'
import type { AppContext } from '../shell/context.ts'

/** More are shown as "100 doubts or more". */
const MOST_COUNTED = 100

class NcDoubtBadge extends LightElement {
  static override properties = { context: { attribute: false }, subject: {}, subjectId: {} }

  declare context: AppContext
  declare subject: DoubtSubject
  declare subjectId: string

  readonly #count = new Loader<number>(this)
  #shown = ''

  protected override willUpdate(): void {
    const { api, environment } = this.context
    const wanted = { subjectType: this.subject, subjectId: this.subjectId, limit: MOST_COUNTED }
    const asked = `${environment.id} ${this.subject} ${this.subjectId}`
    if (asked === this.#shown) return
    this.#shown = asked
    void this.#count.load(async (signal) => (await api.doubts(wanted, signal)).data.length)
  }

  /** Shows nothing while it loads or when that fails: the page is about something else. */
  override render(): TemplateResult | typeof nothing {
    const { value = 0, state } = this.#count
    if (value === 0 || state === 'failed') return nothing
    const words = `${value} ${value === 1 ? 'doubt' : 'doubts'}${value === MOST_COUNTED ? ' or more' : ''}`
    const href = this.context.link('doubts', '', { subjectType: this.subject, subjectId: this.subjectId })
    return html`<a class="badge" data-tone="warn" href=${href}>${words}</a>`
  }
}

customElements.define('nc-doubt-badge', NcDoubtBadge)

/** Renders the badge of a page's head. */
export function doubtBadge(context: AppContext, subject: DoubtSubject, subjectId: string): TemplateResult {
  return html`<nc-doubt-badge .context=${context} .subject=${subject} .subjectId=${subjectId}></nc-doubt-badge>`
}
