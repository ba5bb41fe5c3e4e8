// <nc-palette>: one field for everything: pages, actions, ids, users, campaigns and events; opened by Ctrl K.

import { html, nothing, type TemplateResult } from 'lit'
import { icon } from '../elements/icon.ts'
import { LightElement } from '../lib/light-element.ts'
import { Loader } from '../lib/loader.ts'
import type { AppContext } from './context.ts'
import { findById, findPages, type PaletteEntry } from './palette-entries.ts'

/** Typing waits so long before the server is asked. */
const PAUSE_MS = 150
/** Of each kind. */
const SHOWN = 5
const MOST_PAGES = 8
/** The server compares no longer texts. */
const MOST_CHARS = 256
/** Shorter texts are no correlation ids. */
const CORRELATION_CHARS = 8

export class NcPalette extends LightElement {
  static override properties = { context: { attribute: false }, text: { state: true }, at: { state: true } }

  declare context: AppContext | undefined
  declare text: string
  /** The entry that Enter opens. */
  declare at: number

  /** What the server found, and for which text. */
  readonly #found = new Loader<{ text: string; entries: PaletteEntry[] }>(this)
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    this.text = ''
    this.at = 0
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
  }

  get #dialog(): HTMLDialogElement | null {
    return this.querySelector('dialog')
  }

  open(): void {
    if (this.context === undefined || this.#dialog?.open) return
    this.text = ''
    this.at = 0
    this.#found.clear()
    void this.updateComplete.then(() => {
      this.#dialog?.showModal()
      this.querySelector('input')?.focus()
    })
  }

  readonly #onInput = ({ target }: Event): void => {
    this.text = (target as HTMLInputElement).value
    this.at = 0
    clearTimeout(this.#timer)
    const text = this.text.trim()
    if (text === '') this.#found.clear()
    else
      this.#timer = setTimeout(
        () =>
          void this.#found.load(async (signal) => ({ text, entries: await this.#ask(text, signal) }), { quiet: true }),
        PAUSE_MS,
      )
  }

  async #ask(text: string, signal: AbortSignal): Promise<PaletteEntry[]> {
    const { context } = this
    if (context === undefined) return []
    const { api, link } = context
    const [users, campaigns, events] = await Promise.all([
      api.users({ q: text, limit: SHOWN }, signal),
      api.campaigns({ q: text, limit: SHOWN }, signal),
      api.events({ name: text, limit: 1 }, signal),
    ])
    const found: PaletteEntry[] = [
      ...users.data.map(({ userId, name, email }) => ({
        ...{ label: [name, email, userId].filter(Boolean).join(' · '), kind: 'User', icon: 'user' },
        href: link('user', userId),
      })),
      ...campaigns.data.map(({ id, name }) => ({
        label: name,
        kind: 'Campaign',
        icon: 'campaign',
        href: link('campaign', id),
      })),
      ...events.data.map(({ name }) => ({
        label: name,
        kind: 'Events of this name',
        icon: 'bolt',
        href: link('events', '', { name }),
      })),
    ]
    const isUnknown = found.length === 0 && findById(context, text).length === 0
    if (isUnknown && text.length >= CORRELATION_CHARS && !/\s/.test(text)) {
      const href = link('inbox', '', { correlationId: text })
      found.push({ label: text, kind: 'Deliveries with this correlation ID', icon: 'inbox', href })
    }
    return found
  }

  get #isAnswered(): boolean {
    const text = this.text.trim()
    return text === '' || this.#found.value?.text === text
  }

  get #entries(): PaletteEntry[] {
    const { context } = this
    if (context === undefined) return []
    const text = this.text.trim()
    // What an earlier text found is not what Enter means.
    const found = this.#isAnswered ? (this.#found.value?.entries ?? []) : []
    return [...findById(context, text), ...findPages(context, text).slice(0, MOST_PAGES), ...found]
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    // Enter and arrows choose among characters then.
    if (event.isComposing) return
    const entries = this.#entries
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : entries.length - 1
      if (entries.length > 0) this.at = (this.at + step) % entries.length
      void this.updateComplete.then(() =>
        this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }),
      )
    } else if (event.key === 'Enter') {
      event.preventDefault()
      this.#go(entries[this.at])
    }
  }

  #go(entry: PaletteEntry | undefined): void {
    if (entry === undefined) return
    this.#dialog?.close()
    this.context?.router.go(entry.href)
  }

  override render(): TemplateResult {
    const entries = this.#entries
    const at = Math.min(this.at, entries.length - 1)
    // A press beside the dialog meets the dialog itself.
    const onClick = ({ target }: Event) => target === this.#dialog && this.#dialog?.close()
    return html`<dialog class="palette" aria-label="Search and go" @click=${onClick}>
      <div class="palette-box">
        <div class="palette-field">
          ${icon('search')}
          <input
            role="combobox"
            aria-label="Search and go"
            aria-autocomplete="list"
            aria-controls="palette-entries"
            aria-expanded="true"
            aria-activedescendant=${at < 0 ? nothing : `palette-entry-${at}`}
            placeholder="A user, a campaign, an ID, a page, an action…"
            autocomplete="off"
            maxlength=${MOST_CHARS}
            spellcheck="false"
            .value=${this.text}
            @input=${this.#onInput}
            @keydown=${this.#onKey}
          />
        </div>
        <div id="palette-entries" class="palette-entries" role="listbox" aria-label="Found">
          ${entries.map(
            ({ label, kind, icon: name }, index) => html`<div
              class="palette-entry"
              role="option"
              id=${`palette-entry-${index}`}
              aria-selected=${index === at}
              @click=${() => this.#go(entries[index])}
            >
              ${icon(name)}<span class="palette-label">${label}</span><span class="row-note">${kind}</span>
            </div>`,
          )}
        </div>
        <p class="palette-foot hint" role="status">${this.#foot(entries.length)}</p>
      </div>
    </dialog>`
  }

  #foot(count: number): string {
    if (this.#found.error !== undefined)
      return 'The server could not be asked; pages and actions are found all the same.'
    if (count > 0) return '↑ ↓ to choose, Enter to go, Esc to close.'
    return this.#isAnswered ? 'Nothing is found. IDs are compared in full, names by their beginning.' : 'Searching…'
  }
}

customElements.define('nc-palette', NcPalette)
