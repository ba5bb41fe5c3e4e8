// Renders the filters of the delivery history: a search field, choices, and a chip for each filter that is set.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { CHANNELS, ENGAGEMENTS, MESSAGE_STATUSES } from '../../../contract/delivery.ts'
import { type Choice, choiceFilter, type FilterField, textFilter, timeFilter } from '../../elements/filter-fields.ts'
import { icon } from '../../elements/icon.ts'
import { toWords } from '../../lib/format.ts'
import type { AppContext } from '../../shell/context.ts'
import './campaign-filter.ts'
import type { CampaignChosen } from './campaign-filter.ts'
import { chipsOf, FILTER_NAMES, type FilterName, type Filters, searchText } from './filters.ts'
import { findMeant } from './find-meant.ts'

export interface FilterBarProps {
  filters: Filters
  context: AppContext
  /** Of the campaign in the filters; undefined until it is read. */
  campaignName: string | undefined
  /** Whether all fields are shown. */
  isOpen: boolean
  toggle(): void
  /** undefined removes a filter. */
  change(changes: Readonly<Partial<Record<FilterName, string | undefined>>>): void
}

export function filterBar(props: FilterBarProps): TemplateResult {
  const { filters, isOpen, toggle } = props
  return html`<search class="filters">
    <div class="filter-line">
      ${searchField(props)}
      ${choiceFilter(fieldOf(props, 'status', 'Status'), MESSAGE_STATUSES.map(asChoice))}
      ${campaignFilter(props)}
      ${choiceFilter(fieldOf(props, 'window', 'Time'), WINDOW_CHOICES)}
      <button type="button" class="filter-button" aria-expanded=${isOpen} aria-controls="more-filters" @click=${toggle}>
        ${icon('filter')} <span>More filters</span>
      </button>
    </div>
    <div class="filter-line" id="more-filters" ?hidden=${!isOpen}>
      ${textFilter(fieldOf(props, 'userId', 'Recipient'))}
      ${choiceFilter(fieldOf(props, 'channel', 'Channel'), CHANNELS.map(asChoice))}
      ${choiceFilter(fieldOf(props, 'engagement', 'Engagement'), ENGAGEMENTS.map(asChoice))}
      ${textFilter(fieldOf(props, 'branch', 'Branch'))}
      ${timeFilter(fieldOf(props, 'from', 'From'))} ${timeFilter(fieldOf(props, 'to', 'To'))}
    </div>
    ${Object.keys(filters).length === 0 ? nothing : chips(props)}
  </search>`
}

const asChoice = (name: string): Choice => [name, toWords(name)]

const WINDOW_CHOICES: readonly Choice[] = [
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
]

function campaignFilter({ context, filters: { campaignId }, campaignName, change }: FilterBarProps): TemplateResult {
  const choose = ({ campaign }: CampaignChosen) => change({ campaignId: campaign?.id })
  const name = campaignId === undefined ? undefined : (campaignName ?? campaignId)
  return html`<nc-campaign-filter .context=${context} .name=${name} @campaign-chosen=${choose}></nc-campaign-filter>`
}

/** @returns The filter of a name, as a field. */
function fieldOf({ filters, change }: FilterBarProps, name: FilterName, label: string): FilterField {
  return { label, value: filters[name], change: (value) => change({ [name]: value }) }
}

function searchField({ filters, context, change }: FilterBarProps): TemplateResult {
  const search = async (event: Event) => {
    event.preventDefault()
    const text = (event.currentTarget as HTMLFormElement).querySelector('input')?.value ?? ''
    const meant = await findMeant(context.api, text)
    change({ messageId: undefined, eventId: undefined, correlationId: undefined, ...meant })
  }
  return html`<form class="filter filter-search" @submit=${search} @search=${search}>
    ${icon('search')}
    <input
      class="input"
      type="search"
      aria-label="Search by ID, or by user"
      placeholder="ID of a message, event or correlation; or a user"
      autocomplete="off"
      spellcheck="false"
      .value=${live(searchText(filters))}
    />
  </form>`
}

function chips({ filters, campaignName, change }: FilterBarProps): TemplateResult {
  const clear = () => change(Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])))
  return html`<ul class="chips" aria-label="Filters that are set">
    ${chipsOf(filters, (id) => campaignName ?? id).map(
      ({ name, label, value }) =>
        html`<li class="chip">
          <span class="chip-label">${label}:</span> ${value}
          <button type="button" class="chip-remove" aria-label=${`Remove the filter ${label}`} @click=${() => change({ [name]: undefined })}>
            ${icon('xmark')}
          </button>
        </li>`,
    )}
    <li><button type="button" class="link-button" @click=${clear}>Clear all</button></li>
  </ul>`
}
