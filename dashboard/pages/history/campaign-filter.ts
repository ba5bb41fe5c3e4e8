// <nc-campaign-filter>: chooses one campaign of the environment; the server finds it by a part of its name or key.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import { badge } from '../../elements/badge.ts'
import { messageOf } from '../../elements/states.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'

const SHOWN = 20
/** Typing waits so long before the server is asked. */
const PAUSE_MS = 150

/** The person has chosen a campaign, or none. */
export class CampaignChosen extends Event {
  readonly campaign: CampaignAnswer | undefined

  constructor(campaign: CampaignAnswer | undefined) {
    super('campaign-chosen')
    this.campaign = campaign
  }
}

class NcCampaignFilter extends LightElement {
  static override properties = {
    context: { attribute: false },
    name: {},
    isOpen: { state: true },
    at: { state: true },
  }

  declare context: AppContext
  /** Of the chosen campaign; undefined: none is chosen. */
  declare name: string | undefined
  declare isOpen: boolean
  /** The option that Enter chooses. */
  declare at: number

  readonly #found = new Loader<readonly CampaignAnswer[]>(this)
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    this.isOpen = false
    this.at = 0
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
  }

  get #input(): HTMLInputElement | null {
    return this.querySelector('input')
  }

  #open(): void {
    this.isOpen = true
    this.at = 0
    // The name of the chosen one would find that one alone.
    const text = this.#input?.value.trim() ?? ''
    const q = text === (this.name ?? '') ? '' : text
    void this.#found.load(
      async (signal) => (await this.context.api.campaigns({ q: q || undefined, limit: SHOWN }, signal)).data,
    )
  }

  readonly #onInput = (): void => {
    clearTimeout(this.#timer)
    this.isOpen = true
    this.#timer = setTimeout(() => this.#open(), PAUSE_MS)
  }

  #choose(campaign: CampaignAnswer | undefined): void {
    this.#close()
    this.dispatchEvent(new CampaignChosen(campaign))
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.isOpen = false
  }

  /** A text that was left as it is chooses nothing; an empty one removes the choice. */
  readonly #onBlur = (): void => {
    if (this.#input?.value.trim() === '' && this.name !== undefined) this.#choose(undefined)
    this.#close()
    if (this.#input !== null) this.#input.value = this.name ?? ''
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const { key } = event
    const rows = this.#found.value ?? []
    if (key === 'Escape' && this.isOpen) {
      event.preventDefault()
      this.#close()
    } else if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (!this.isOpen) this.#open()
      else if (rows.length > 0) this.at = (this.at + (key === 'ArrowDown' ? 1 : rows.length - 1)) % rows.length
    } else if (key === 'Enter') {
      event.preventDefault()
      if (this.#input?.value.trim() === '') this.#choose(undefined)
      else if (this.isOpen && this.#found.state === 'ready' && rows[this.at] !== undefined) this.#choose(rows[this.at])
    }
  }

  override render(): TemplateResult {
    const { isOpen, name } = this
    const active = isOpen && (this.#found.value?.length ?? 0) > 0 ? `campaign-option-${this.at}` : nothing
    return html`<div class="filter combobox">
      <input
        class="input"
        role="combobox"
        aria-label="Campaign"
        aria-autocomplete="list"
        aria-controls="campaign-options"
        aria-expanded=${isOpen}
        aria-activedescendant=${active}
        placeholder="Campaign: all"
        autocomplete="off"
        spellcheck="false"
        data-set=${name === undefined ? nothing : ''}
        .value=${live(isOpen ? (this.#input?.value ?? '') : (name ?? ''))}
        @input=${this.#onInput}
        @click=${() => this.#open()}
        @blur=${this.#onBlur}
        @keydown=${this.#onKey}
      />
      <div class="combobox-list" id="campaign-options" role="listbox" aria-label="Campaigns" ?hidden=${!isOpen}>${isOpen ? this.#options() : nothing}</div>
    </div>`
  }

  #options(): unknown {
    const { value, state, error } = this.#found
    if (state === 'failed') return note(messageOf(error))
    if (value === undefined) return note('Searching…')
    if (value.length === 0) return note('No campaign matches.')
    return html`${value.map((campaign, index) => {
      // The press would take the focus from the field, and close the list.
      const keepFocus = (event: Event) => event.preventDefault()
      return html`<div class="combobox-option" role="option" id=${`campaign-option-${index}`} aria-selected=${index === this.at} @mousedown=${keepFocus} @click=${() => this.#choose(campaign)}>
        ${campaign.name} ${badge(campaign.status)} <span class="row-note">${campaign.key}</span>
      </div>`
    })}
    ${value.length === SHOWN ? note('Type a part of the name or the key to find others.') : nothing}`
  }
}

const note = (text: string): TemplateResult =>
  html`<div class="combobox-note" role="option" aria-disabled="true" aria-selected="false">${text}</div>`

customElements.define('nc-campaign-filter', NcCampaignFilter)
