// <nc-audit-log>: the changes in an organisation, newest first, with filters in the address.

import { html, nothing, type TemplateResult } from 'lit'
import type { AuditAnswer } from '../../../contract/resources/audit.ts'
import { tag } from '../../elements/badge.ts'
import { age, copyable, type Fact, facts, pageHead } from '../../elements/bits.ts'
import { differenceView } from '../../elements/difference.ts'
import { choiceFilter, type FilterField, textFilter, timeFilter } from '../../elements/filter-fields.ts'
import { icon } from '../../elements/icon.ts'
import { emptyView, failureView, listFoot, loadingView } from '../../elements/states.ts'
import { ListLoader } from '../../lib/list-loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import {
  ACTORS,
  AUDIT_FILTERS,
  type AuditFilterName,
  type AuditFilters,
  actorName,
  fieldName,
  NOUNS,
  parseAuditFilters,
  parseDifference,
} from './audit-filters.ts'
import { doneOf, pageOf, subjectOf } from './audit-sentence.ts'

const PAGE_ENTRIES = 50

class NcAuditLog extends AppPage {
  readonly #log = new ListLoader<AuditAnswer>(this, (cursor, signal) =>
    this.context.organisation.auditLog({ ...this.#filters, limit: PAGE_ENTRIES, cursor }, signal),
  )
  #filters: AuditFilters = {}

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('context')) return
    this.#filters = parseAuditFilters(this.context.query)
    this.#log.reloadFor(JSON.stringify(this.#filters))
  }

  override render(): TemplateResult {
    return html`<div class="page">
      ${pageHead('Audit log', `Who changed what in ${this.context.org.name}, and when.`)} ${this.#filterBar()}
      ${this.#content()}
    </div>`
  }

  #filterBar(): TemplateResult {
    const environments = this.context.environments.map(({ id, name }) => [id, name] as const)
    const clear = () => this.context.router.setQuery(Object.fromEntries(AUDIT_FILTERS.map((name) => [name, undefined])))
    return html`<search class="filters">
      <div class="filter-line">
        ${textFilter(this.#field('actor', 'E-mail or key ID'))} ${choiceFilter(this.#field('actor', 'By'), ACTORS)}
        ${choiceFilter(this.#field('action', 'Action'), NOUNS)}
        ${choiceFilter(this.#field('environment', 'Environment'), environments)}
        ${timeFilter(this.#field('from', 'From'))} ${timeFilter(this.#field('to', 'To'))}
        ${Object.keys(this.#filters).length === 0 ? nothing : html`<button type="button" class="link-button" @click=${clear}>Clear all</button>`}
      </div>
    </search>`
  }

  #field(name: AuditFilterName, label: string): FilterField {
    return {
      label,
      value: this.#filters[name],
      change: (value) => this.context.router.setQuery({ [name]: value }),
    }
  }

  #content(): TemplateResult {
    const { value, state, error, reload } = this.#log
    if (state === 'failed') return failureView(error, reload)
    if (value === undefined || state === 'loading') return loadingView(10)
    if (value.rows.length === 0) return this.#empty()
    return html`<ol class="log">
        ${value.rows.map((entry) => this.#entry(entry))}
      </ol>
      ${listFoot(this.#log, 'change')}`
  }

  #entry(entry: AuditAnswer): TemplateResult {
    const { at, actor, who, action, environment, detail } = entry
    // An entry of an environment has its name as the subject.
    const place = environment === null || action.startsWith('env.') ? '' : ` in ${this.#nameOf(environment)}`
    return html`<li class="log-entry">
      <details>
        <summary>
          ${icon('chevron-right')}
          <span class="log-sentence">
            <strong>${who}</strong> ${doneOf(action, detail)} <strong>${subjectOf(entry, this.context.org)}</strong>${place}
          </span>
          <span class="log-actor">${tag(actorName(actor))}</span>
          <span class="log-time">${age(at)}</span>
        </summary>
        <div class="log-detail">${this.#detail(entry)}</div>
      </details>
    </li>`
  }

  #nameOf(id: string): string {
    return this.context.environments.find((one) => one.id === id)?.name ?? id
  }

  #detail(entry: AuditAnswer): TemplateResult {
    const { action, environment, correlationId, detail } = entry
    const { difference, ...others } = detail
    const changes = typeof difference === 'string' ? parseDifference(difference) : []
    const page = pageOf(entry)
    const inEnvironment: Record<string, string> = environment === null ? {} : { env: environment }
    const rows: Fact[] = [
      [
        'Page',
        page &&
          html`<a class="link" href=${this.context.link(page.page, page.id, inEnvironment)}>${subjectOf(entry, this.context.org)}</a>`,
      ],
      ['Action', html`<code>${action}</code>`],
      ['Subject', copyable(entry.subject, 'subject')],
      ['Environment', environment === null ? null : this.#nameOf(environment)],
      ...Object.entries(others).map(([name, value]): Fact => [fieldName(name), value === null ? '–' : String(value)]),
      ['Correlation ID', correlationId === null ? null : copyable(correlationId, 'correlation ID')],
    ]
    return html`${facts(rows)} ${changes.length === 0 ? nothing : differenceView(changes)}`
  }

  #empty(): TemplateResult {
    const isFiltered = Object.keys(this.#filters).length > 0
    return emptyView({
      icon: 'list',
      title: isFiltered ? 'No change matches' : 'No changes yet',
      text: isFiltered
        ? 'Remove a filter, or choose another time.'
        : 'Changes of settings, members and secrets appear here.',
    })
  }
}

customElements.define('nc-audit-log', NcAuditLog)
