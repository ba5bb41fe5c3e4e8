// <nc-user-picker>: chooses a user by a part of the id, the name or the address; an id that nobody has may be typed.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import type { UserAnswer } from '../../../../contract/resources/user.ts'
import { messageOf } from '../../../elements/states.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { Loader } from '../../../lib/loader.ts'
import type { AppContext } from '../../../shell/context.ts'

const SHOWN = 8
/** Typing waits so long before the server is asked. */
const PAUSE_MS = 150
/** The server compares no longer texts. */
const MOST_CHARS = 256

/** A person has chosen a user, or with undefined none. */
export class UserPicked extends Event {
  readonly userId: string | undefined
  constructor(userId: string | undefined) {
    super('user-picked')
    this.userId = userId
  }
}

let pickers = 0

class NcUserPicker extends LightElement {
  static override properties = {
    context: { attribute: false },
    label: {},
    userId: { attribute: false },
    placeholder: {},
    isOpen: { state: true },
    at: { state: true },
  }

  declare context: AppContext
  declare label: string
  /** The chosen one. */
  declare userId: string | undefined
  declare placeholder: string
  declare isOpen: boolean
  /** The option that Enter chooses; -1: what is typed. */
  declare at: number

  readonly #id = `user-picker-${++pickers}`
  readonly #found = new Loader<{ text: string; users: readonly UserAnswer[] }>(this)
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    Object.assign(this, { isOpen: false, at: 0, placeholder: 'ID, name or address' })
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
  }

  get #input(): HTMLInputElement | null {
    return this.querySelector('input')
  }

  get #text(): string {
    return this.#input?.value.trim() ?? ''
  }

  #open(): void {
    this.isOpen = true
    this.at = 0
    // The chosen one would find that one alone.
    const text = this.#text === (this.userId ?? '') ? '' : this.#text
    void this.#found.load(async (signal) => ({
      text,
      users: (await this.context.api.users({ q: text || undefined, limit: SHOWN }, signal)).data,
    }))
  }

  readonly #onInput = (): void => {
    clearTimeout(this.#timer)
    this.isOpen = true
    this.#timer = setTimeout(() => this.#open(), PAUSE_MS)
  }

  #choose(userId: string | undefined): void {
    this.#close()
    if (this.#input !== null) this.#input.value = userId ?? ''
    if (userId !== this.userId) this.dispatchEvent(new UserPicked(userId))
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.isOpen = false
  }

  readonly #onBlur = (): void => this.#choose(this.#text || undefined)

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    const { key } = event
    const options = this.#options
    if (key === 'Escape' && this.isOpen) {
      // The dialog around the field stays open.
      event.preventDefault()
      event.stopPropagation()
      if (this.#input !== null) this.#input.value = this.userId ?? ''
      this.#close()
    } else if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (!this.isOpen) this.#open()
      else if (options.length > 0) this.at = (this.at + (key === 'ArrowDown' ? 1 : options.length - 1)) % options.length
    } else if (key === 'Enter') {
      event.preventDefault()
      const isAnswered = this.#found.value?.text === this.#text
      this.#choose((this.isOpen && isAnswered ? options[this.at]?.userId : undefined) ?? (this.#text || undefined))
    }
  }

  get #options(): readonly UserAnswer[] {
    return this.#found.value?.users ?? []
  }

  override render(): TemplateResult {
    const { isOpen, userId } = this
    const active = isOpen && this.#options.length > 0 ? `${this.#id}-${this.at}` : nothing
    return html`<div class="field combobox">
      <label for=${this.#id}>${this.label}</label>
      <input
        class="input"
        id=${this.#id}
        role="combobox"
        aria-autocomplete="list"
        aria-controls="${this.#id}-options"
        aria-expanded=${isOpen}
        aria-activedescendant=${active}
        placeholder=${this.placeholder}
        autocomplete="off"
        autocapitalize="none"
        maxlength=${MOST_CHARS}
        spellcheck="false"
        .value=${live(isOpen ? (this.#input?.value ?? '') : (userId ?? ''))}
        @input=${this.#onInput}
        @click=${() => this.#open()}
        @blur=${this.#onBlur}
        @keydown=${this.#onKey}
      />
      <div class="combobox-list" id="${this.#id}-options" role="listbox" aria-label="Users" ?hidden=${!isOpen}>${isOpen ? this.#list() : nothing}</div>
    </div>`
  }

  #list(): unknown {
    const { value, state, error } = this.#found
    if (state === 'failed') return note(messageOf(error))
    if (value === undefined) return note('Searching…')
    const typed = value.text !== '' && !value.users.some(({ userId }) => userId === value.text) ? value.text : undefined
    return html`${value.users.map(({ userId, name, email }, index) => {
      // The press would take the focus from the field, and close the list.
      const keepFocus = (event: Event) => event.preventDefault()
      return html`<div class="combobox-option" role="option" id="${this.#id}-${index}" aria-selected=${index === this.at} @mousedown=${keepFocus} @click=${() => this.#choose(userId)}>
        ${userId} <span class="row-note">${[name, email].filter(Boolean).join(' · ')}</span>
      </div>`
    })}
    ${typed === undefined ? nothing : note(`Nobody else is found. Leave the field to take “${typed}” as an ID.`)}
    ${value.users.length === 0 && typed === undefined ? note('No user is known yet.') : nothing}`
  }
}

const note = (text: string): TemplateResult =>
  html`<div class="combobox-note" role="option" aria-disabled="true" aria-selected="false">${text}</div>`

customElements.define('nc-user-picker', NcUserPicker)
