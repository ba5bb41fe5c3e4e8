// <nc-text-editor>: own texts of the widget in one language, each beside the widget's words.

import { html, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { Translations } from '../../../widget/lib/translations.ts'
import { choiceField } from '../../elements/fields.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import { loadWords, localesOf, rowsOf, type TextRow, type Texts, withText, wordsOf } from './widget-texts.ts'

const NAMES = new Intl.DisplayNames(undefined, { type: 'language' })

class NcTextEditor extends LightElement {
  static override properties = {
    texts: { attribute: false },
    locale: { attribute: false },
    mayChange: { attribute: false },
    search: { state: true },
  }

  declare texts: Texts
  declare locale: string
  declare mayChange: boolean
  declare search: string

  readonly #words = new Loader<Translations>(this)

  constructor() {
    super()
    this.search = ''
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    const { locale } = this
    if (changed.has('locale')) void this.#words.load(() => loadWords(locale), { quiet: true })
  }

  override render(): TemplateResult {
    const { texts, locale, search } = this
    const own = texts[locale] ?? {}
    const wanted = search.trim().toLowerCase()
    const rows = rowsOf(own, locale).filter((row) => isMatch(row, own[row.key], wanted))
    const choices = localesOf(texts).map((one) => [one, labelOf(one, Object.keys(texts[one] ?? {}).length)] as const)
    return html`<section class="card" aria-labelledby="texts-title">
      <header class="card-head"><h2 id="texts-title">Texts</h2></header>
      <p class="card-text">In place of the widget’s own. Keep <code>{count}</code> and other names in braces: they are filled in.</p>
      <div class="field-pairs">
        ${choiceField('texts', { name: 'locale', label: 'Language', value: locale, choices, onChange: (one) => this.#emit('locale-chosen', one) })}
        <div class="field">
          <label for="texts-search">Find a text</label>
          <input id="texts-search" type="search" class="input" autocomplete="off" .value=${search} @input=${({
            target,
          }: Event) => {
            this.search = (target as HTMLInputElement).value
          }} />
        </div>
      </div>
      <p class="sr" role="status">${rows.length} texts</p>
      <fieldset class="texts" ?disabled=${!this.mayChange} aria-labelledby="texts-title" tabindex="0">
        ${
          rows.length === 0
            ? html`<p class="none-found">No text has these words.</p>`
            : repeat(
                rows,
                ({ key }) => `${locale} ${key}`,
                (row) => this.#row(row),
              )
        }
      </fieldset>
    </section>`
  }

  #row({ key, english, forms }: TextRow): TemplateResult {
    if (forms.length === 0) return this.#input(key, english)
    return html`${forms.map((form) => this.#input(key, english, form))}`
  }

  #input(key: string, english: string, form?: Intl.LDMLPluralRule): TemplateResult {
    const id = `text-${key}${form === undefined ? '' : `-${form}`}`
    const change = ({ target }: Event) =>
      this.#emit('texts-changed', withText(this.texts, this.locale, key, (target as HTMLInputElement).value, form))
    return html`<div class="text-row">
      <label for=${id}>${english} ${form === undefined ? '' : html`<span class="tag">${form}</span>`}<code class="row-note">${key}</code></label>
      <input id=${id} class="input" maxlength="500" autocomplete="off" placeholder=${wordsOf(this.#words.value?.[key], form)} .value=${wordsOf(this.texts[this.locale]?.[key], form)} @input=${change} />
    </div>`
  }

  #emit(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }))
  }
}

function isMatch({ key, english }: TextRow, own: Texts[string][string] | undefined, wanted: string): boolean {
  const texts = [key, english, ...(typeof own === 'object' ? Object.values(own) : [own ?? ''])]
  return texts.some((text) => text?.toLowerCase().includes(wanted))
}

function labelOf(locale: string, count: number): string {
  const name = `${NAMES.of(locale) ?? locale} (${locale})`
  return count === 0 ? name : `${name}: ${count} own`
}

customElements.define('nc-text-editor', NcTextEditor)
