// <nc-save-bar>: what is changed on a page and not saved, with one button that saves all of it and one that discards it.

import { html, nothing, type TemplateResult } from 'lit'
import { LeaveGuard } from '../lib/leave-guard.ts'
import { LightElement } from '../lib/light-element.ts'
import { type SaveOutcome, type UnsavedPart, unsaved } from '../lib/unsaved.ts'

/** A part of the page was not saved: what contains it shows it. */
export const NOT_SAVED = 'part-not-saved'

class NcSaveBar extends LightElement {
  static override properties = { notify: { attribute: false } }

  declare notify: (text: string) => void

  #isBusy = false
  /** Titles of the parts that the last save left. */
  #failed: readonly string[] = []
  /** Where the person was; the bar goes with its buttons. */
  #lastField: HTMLElement | undefined

  constructor() {
    super()
    new LeaveGuard(this, () => {
      const titles = unsaved.changed.map(({ title }) => title)
      return titles.length === 0 ? undefined : `Leave without saving? Changes are lost: ${titles.join(', ')}.`
    })
  }

  override connectedCallback(): void {
    super.connectedCallback()
    unsaved.addEventListener('change', this.#onChange)
    addEventListener('keydown', this.#onKey)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    unsaved.removeEventListener('change', this.#onChange)
    removeEventListener('keydown', this.#onKey)
  }

  readonly #onChange = (): void => {
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && !this.contains(activeElement)) this.#lastField = activeElement
    const titles = unsaved.changed.map(({ title }) => title)
    this.#failed = this.#failed.filter((title) => titles.includes(title))
    this.requestUpdate()
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    // A dialog over the page comes first.
    if (unsaved.changed.length === 0 || document.querySelector('wa-dialog[open]') !== null) return
    event.preventDefault()
    void this.#save()
  }

  /** Each part by itself, one after the other. */
  async #save(): Promise<void> {
    if (this.#isBusy) return
    const parts = unsaved.changed
    this.#isBusy = true
    this.#failed = []
    this.requestUpdate()
    const outcomes: [UnsavedPart, SaveOutcome][] = []
    for (const part of parts) outcomes.push([part, await part.save()])
    const titlesOf = (wanted: SaveOutcome) => outcomes.flatMap(([part, one]) => (one === wanted ? part.title : []))
    this.#isBusy = false
    this.#failed = titlesOf('failed')
    const saved = titlesOf('saved')
    if (saved.length > 1 || (saved.length > 0 && this.#failed.length > 0)) this.notify(`Saved: ${saved.join(', ')}.`)
    const failed = outcomes.find(([, outcome]) => outcome === 'failed')?.[0]
    failed?.element.dispatchEvent(new CustomEvent(NOT_SAVED, { bubbles: true, detail: failed.element }))
    if (failed === undefined) this.#focusLast()
    this.requestUpdate()
  }

  readonly #discard = (): void => {
    for (const part of unsaved.changed) part.discard()
    this.#failed = []
    this.#focusLast()
    this.requestUpdate()
  }

  #focusLast(): void {
    if (!this.contains(document.activeElement)) return
    const field = this.#lastField
    ;(field?.isConnected ? field : document.querySelector<HTMLElement>('main h1'))?.focus()
  }

  override render(): TemplateResult | typeof nothing {
    const parts = unsaved.changed
    if (parts.length === 0) return nothing
    return html`<section class="save-bar" aria-label="Unsaved changes">
      <div class="save-bar-text">
        <strong>Unsaved changes</strong>
        <span class="hint">${parts.map(({ title, changes }) => partText(title, changes)).join(' · ')}</span>
        ${this.#failed.length === 0 ? nothing : html`<p class="save-bar-fault" role="status">Not saved: ${this.#failed.join(', ')}. The reason stands there.</p>`}
      </div>
      <wa-button size="s" appearance="outlined" ?disabled=${this.#isBusy} @click=${this.#discard}>Discard</wa-button>
      <wa-button size="s" variant="brand" title="Ctrl+S" ?loading=${this.#isBusy} @click=${() => void this.#save()}>Save</wa-button>
    </section>`
  }
}

/** A part with one change of its own name needs no more words. */
const partText = (title: string, changes: readonly string[]): string =>
  changes.length === 1 && changes[0] === title ? title : `${title}: ${changes.join(', ')}`

customElements.define('nc-save-bar', NcSaveBar)
