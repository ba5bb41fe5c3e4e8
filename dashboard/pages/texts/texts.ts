// <nc-texts>: what campaigns share: translations by locale, and snippets.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { SnippetSummary, TranslationSummary } from '../../../contract/resources/text.ts'
import { isFound } from '../../api/is-found.ts'
import { badge } from '../../elements/badge.ts'
import { age, pageHead } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { field, textOf } from '../../elements/fields.ts'
import { icon } from '../../elements/icon.ts'
import { emptyView, failureView, listFoot, loadingView } from '../../elements/states.ts'
import { formatCount } from '../../lib/format.ts'
import { InvalidInput } from '../../lib/invalid-input.ts'
import { ListLoader } from '../../lib/list-loader.ts'
import { AppPage } from '../../shell/page-element.ts'

const PAGE_TEXTS = 50
const NOT_FOUND = 'text/not-found'

class NcTexts extends AppPage {
  readonly #translations = new ListLoader<TranslationSummary>(this, (cursor, signal) =>
    this.context.api.translations({ limit: PAGE_TEXTS, cursor }, signal),
  )
  readonly #snippets = new ListLoader<SnippetSummary>(this, (cursor, signal) =>
    this.context.api.snippets({ limit: PAGE_TEXTS, cursor }, signal),
  )
  readonly #confirm = createRef<NcConfirm>()

  protected override firstUpdated(): void {
    this.#translations.reload()
    this.#snippets.reload()
  }

  override render(): TemplateResult {
    return html`<div class="page">
      ${pageHead('Texts', 'What campaigns of this environment share. A campaign keeps the texts with which it was published.')}
      ${this.#section('Translations', 'Add a locale', this.#addTranslation, this.#translationTable())}
      ${this.#section('Snippets', 'Add a snippet', this.#addSnippet, this.#snippetTable())}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #section(title: string, button: string, add: () => void, content: TemplateResult): TemplateResult {
    const id = `${title.toLowerCase()}-title`
    return html`<section aria-labelledby=${id}>
      <header class="card-head">
        <h2 id=${id}>${title}</h2>
        <div class="card-tools">
          ${
            this.context.may('editor')
              ? html`<wa-button size="s" appearance="outlined" @click=${add}>${icon('plus', 'start')}${button}</wa-button>`
              : nothing
          }
        </div>
      </header>
      ${content}
    </section>`
  }

  #translationTable(): TemplateResult {
    const { value, state, error, reload } = this.#translations
    if (state === 'failed') return failureView(error, reload)
    if (value === undefined) return loadingView(2)
    if (value.rows.length === 0) {
      return emptyView({
        icon: 'list',
        title: 'No translations yet',
        text: 'A file of messages for each language. Templates print one by its key: {{ "order.shipped" | t: count: 2 }}',
      })
    }
    return html`<div class="table-box">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Locale</th>
              <th scope="col" class="number">Messages</th>
              <th scope="col">State</th>
              <th scope="col" class="wide-only">Changed</th>
            </tr>
          </thead>
          <tbody>
            ${value.rows.map(
              ({ locale, keys, updatedAt, ...one }) => html`<tr>
                <th scope="row"><a class="row-link" href=${this.context.link('translation', locale)}>${locale}</a></th>
                <td class="number">${formatCount(keys)}</td>
                <td>${stateOf(one)}</td>
                <td class="wide-only">${age(updatedAt)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${listFoot(this.#translations, 'locale')}`
  }

  #snippetTable(): TemplateResult {
    const { value, state, error, reload } = this.#snippets
    if (state === 'failed') return failureView(error, reload)
    if (value === undefined) return loadingView(2)
    if (value.rows.length === 0) {
      return emptyView({
        icon: 'copy',
        title: 'No snippets yet',
        text: 'Parts that several templates print, such as a signature: {% render "signature" %}',
      })
    }
    return html`<div class="table-box">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" class="number">Characters</th>
              <th scope="col" class="wide-only">Changed</th>
            </tr>
          </thead>
          <tbody>
            ${value.rows.map(
              ({ name, chars, updatedAt }) => html`<tr>
                <th scope="row"><a class="row-link" href=${this.context.link('snippet', name)}>${name}</a></th>
                <td class="number">${formatCount(chars)}</td>
                <td class="wide-only">${age(updatedAt)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${listFoot(this.#snippets, 'snippet')}`
  }

  readonly #addTranslation = (): void => {
    const { api, router, link } = this.context
    this.#confirm.value?.ask({
      title: 'Add a locale',
      text: html`<p>Its messages are written on the next page.</p>`,
      fields: field({ name: 'locale', label: 'Locale', hint: 'Such as de, pt-BR or zh-Hant.' }),
      button: 'Add',
      run: async (form) => {
        const locale = textOf(form, 'locale')
        // Adding replaces what is there, which the list may not show.
        if (await isFound(api.translation(locale), NOT_FOUND))
          throw new InvalidInput(`There are messages in ${locale} already.`)
        const added = await api.putTranslation(locale, {})
        router.go(link('translation', added.locale))
      },
    })
  }

  readonly #addSnippet = (): void => {
    const { api, router, link } = this.context
    this.#confirm.value?.ask({
      title: 'Add a snippet',
      text: html`<p>Its text is written on the next page.</p>`,
      fields: field({ name: 'name', label: 'Name', hint: 'Such as signature.' }),
      button: 'Add',
      run: async (form) => {
        const name = textOf(form, 'name')
        if (await isFound(api.snippet(name), NOT_FOUND))
          throw new InvalidInput(`There is a snippet of the name ${name} already.`)
        await api.putSnippet(name, '')
        router.go(link('snippet', name))
      },
    })
  }
}

function stateOf({
  isDefault,
  missingCount,
  missing,
}: Pick<TranslationSummary, 'isDefault' | 'missingCount' | 'missing'>) {
  if (isDefault) return badge('default', 'quiet')
  if (missingCount === 0) return badge('complete', 'good')
  const rest = missingCount > missing.length ? ` and ${formatCount(missingCount - missing.length)} more` : ''
  return html`<span title=${missing.join(', ') + rest}>${badge(`${formatCount(missingCount)} missing`, 'warn')}</span>`
}

customElements.define('nc-texts', NcTexts)
