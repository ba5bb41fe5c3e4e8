// Renders the form by which a list is searched on the server.

import { html, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import type { PublicContext } from '../shell/context.ts'
import { icon } from './icon.ts'

export interface SearchForm {
  /** What is compared, for screen readers and as the placeholder. */
  label: string
  placeholder: string
  value: string
  /** Called with the trimmed text when it differs from `value`. */
  search(text: string): void
}

export function searchForm({ label, placeholder, value, search }: SearchForm): TemplateResult {
  const submit = (event: Event) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get('q') ?? '').trim()
    if (text !== value) search(text)
  }
  return html`<search class="filters">
    <form class="filter-line" @submit=${submit} @search=${submit}>
      <div class="filter filter-search">
        ${icon('search')}
        <input class="input" type="search" name="q" aria-label=${label} placeholder=${placeholder} autocomplete="off" spellcheck="false" .value=${live(value)} />
      </div>
      <wa-button size="s" type="submit" appearance="outlined">Search</wa-button>
    </form>
  </search>`
}

/** The form of a list whose search is `q` in the address, so that a link shows the same. */
export const addressSearch = (
  { query, router }: Pick<PublicContext, 'query' | 'router'>,
  words: Pick<SearchForm, 'label' | 'placeholder'>,
): TemplateResult =>
  searchForm({
    ...words,
    value: query.get('q') ?? '',
    search: (text) => router.setQuery({ q: text || undefined }),
  })
