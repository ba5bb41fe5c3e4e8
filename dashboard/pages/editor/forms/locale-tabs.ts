// <nc-locale-tabs>: the texts of a step by locale, each behind a tab that says what it lacks.

import { html, nothing, type TemplateResult } from 'lit'
import { LOCALE_NAME, withHyphens } from '../../../../contract/locale.ts'
import { type Path, readAt } from '../../../editor/step-tree.ts'
import { icon } from '../../../elements/icon.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { fieldId } from './form-context.ts'
import { type Form, faultOnly } from './form-field.ts'
import { type LocalizedPart, localeName, localesInUse, localesOf, missingIn } from './locale-gaps.ts'

export class NcLocaleTabs extends LightElement {
  static override properties = {
    form: { attribute: false },
    path: { attribute: false },
    parts: { attribute: false },
    content: { attribute: false },
    shown: { state: true },
    isAdding: { state: true },
    typed: { state: true },
  }

  declare form: Form
  /** Of the step. */
  declare path: Path
  declare parts: readonly LocalizedPart[]
  /** Renders the fields at the path of the texts; the locale is null for those of the step itself. */
  declare content: (path: Path, locale: string | null) => unknown
  declare protected shown: string | null
  declare protected isAdding: boolean
  declare protected typed: string

  /** The shown locale, once the step has it. */
  #known: string | null = null

  constructor() {
    super()
    this.shown = null
    this.isAdding = false
    this.typed = ''
  }

  get #step(): unknown {
    return readAt(this.form.draft, this.path)
  }

  /** Shows the texts of a locale, of the step itself for null. */
  show(locale: string | null): void {
    this.shown = locale
  }

  protected override willUpdate(): void {
    // A locale that was just added comes with the next draft.
    if (localesOf(this.#step).includes(this.shown ?? '')) this.#known = this.shown
    else if (this.shown === this.#known) this.shown = null
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const tabs = [null, ...localesOf(this.#step)]
    const at = tabs.indexOf(this.shown)
    const by = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[event.key]
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? tabs.length - 1 : by && (at + by) % tabs.length
    if (next === undefined) return
    event.preventDefault()
    this.shown = tabs[next] ?? null
    void this.focusOn('[role=tab][aria-selected=true]')
  }

  readonly #add = (event: Event): void => {
    event.preventDefault()
    const tag = withHyphens(this.typed.trim())
    if (this.#faultOf(tag) !== undefined) return
    this.form.change([...this.path, 'locales', tag], {}, `${localeName(tag)} of ${this.form.owner}`)
    this.isAdding = false
    this.typed = ''
    this.shown = tag
    void this.focusOn('[role=tabpanel] input, [role=tabpanel] textarea')
  }

  #faultOf(tag: string): string | undefined {
    if (!LOCALE_NAME.test(tag)) return 'This is no locale, such as fr or fr-CA.'
    return localesOf(this.#step).includes(tag) ? 'There are texts of this locale already.' : undefined
  }

  #remove(tag: string): void {
    const { form, path } = this
    const isLast = localesOf(this.#step).length === 1
    const words = `${localeName(tag)} removed from ${form.owner}`
    form.change(isLast ? [...path, 'locales'] : [...path, 'locales', tag], undefined, words)
    this.shown = null
    void this.focusOn('[role=tab]')
  }

  #tab(tag: string | null): TemplateResult {
    const { form, path } = this
    const texts = tag === null ? path : [...path, 'locales', tag]
    const missing = tag === null ? [] : missingIn(this.#step, readAt(form.draft, texts), this.parts)
    const isFaulty = this.parts.some(({ keys }) => keys.some((key) => form.faultAt([...texts, key]) !== undefined))
    const isShown = this.shown === tag
    const note = isFaulty ? 'has a fault' : missing.length > 0 ? `lacks ${missing.join(', ')}` : undefined
    const name = tag ?? 'Default'
    // No button: the fields of who may not change them are disabled, and the tabs are not.
    return html`<div role="tab" class="locale-tab" id=${this.#idOf(tag)} aria-label=${note === undefined ? name : `${name}, ${note}`} aria-selected=${isShown} aria-controls=${`${fieldId(path)}-texts`} tabindex=${isShown ? 0 : -1} title=${tag === null ? 'For all other users' : localeName(tag)} data-note=${isFaulty ? 'fault' : missing.length > 0 ? 'missing' : nothing} @click=${() => this.show(tag)} @keydown=${this.#onKey}>${name}</div>`
  }

  readonly #idOf = (tag: string | null) => `${fieldId(this.path)}-tab-${tag ?? ''}`

  override render(): TemplateResult {
    const { form, path, shown } = this
    const tags = localesOf(this.#step)
    const texts = shown === null ? path : [...path, 'locales', shown]
    return html`<div class="locale-bar">
        <div role="tablist" aria-label="Languages">${this.#tab(null)}${tags.map((tag) => this.#tab(tag))}</div>
        ${
          form.mayChange
            ? html`<button type="button" class="icon-button" aria-label="Add a language" title="Add a language" aria-expanded=${this.isAdding} @click=${this.#toggleAdding}>${icon('plus')}</button>`
            : nothing
        }
      </div>
      ${faultOnly(form, [...path, 'locales'])} ${this.isAdding ? this.#adding() : nothing}
      <div role="tabpanel" id=${`${fieldId(path)}-texts`} aria-labelledby=${this.#idOf(shown)} class="form-fields">
        ${shown === null ? nothing : this.#head(shown)} ${this.content(texts, shown)}
      </div>`
  }

  readonly #toggleAdding = (): void => {
    this.isAdding = !this.isAdding
    if (this.isAdding) void this.focusOn('.locale-adding input')
  }

  #head(tag: string): TemplateResult {
    const missing = missingIn(this.#step, readAt(this.form.draft, [...this.path, 'locales', tag]), this.parts)
    return html`<div class="locale-head">
      <p class="hint">
        <span lang="en">${localeName(tag)}</span>. ${missing.length === 0 ? 'Nothing is missing.' : `Missing: ${missing.join(', ')}. The default stands in.`}
      </p>
      ${this.form.mayChange ? html`<button type="button" class="link-button" @click=${() => this.#remove(tag)}>Remove ${tag}</button>` : nothing}
      ${faultOnly(this.form, [...this.path, 'locales', tag])}
    </div>`
  }

  #adding(): TemplateResult {
    const { form, typed } = this
    const id = `${fieldId(this.path)}-locale`
    const taken = localesOf(this.#step)
    const offered = [...new Set([...localesInUse(form.draft), ...(form.choices.locales ?? [])])].filter(
      (tag) => !taken.includes(tag),
    )
    const fault = typed === '' ? undefined : this.#faultOf(typed.trim())
    const input = ({ target }: Event) => {
      this.typed = (target as HTMLInputElement).value
    }
    const key = (event: KeyboardEvent) => {
      if (event.key === 'Enter') this.#add(event)
      if (event.key === 'Escape') this.isAdding = false
    }
    return html`<div class="locale-adding">
      <div class="field">
        <label for=${id}>Language</label>
        <input id=${id} class="input short-input" type="text" list=${`${id}-list`} placeholder="fr or fr-CA" .value=${typed} aria-describedby=${`${id}-note`} autocomplete="off" autocapitalize="none" spellcheck="false" @input=${input} @keydown=${key} />
        <datalist id=${`${id}-list`}>${offered.map((tag) => html`<option value=${tag}>${localeName(tag)}</option>`)}</datalist>
        <p class="hint" id=${`${id}-note`}>${fault ?? (typed === '' ? 'Users of this language get these texts; all others get the default.' : localeName(typed.trim()))}</p>
      </div>
      <wa-button size="s" @click=${this.#add} ?disabled=${typed === '' || fault !== undefined}>Add</wa-button>
    </div>`
  }
}

customElements.define('nc-locale-tabs', NcLocaleTabs)
