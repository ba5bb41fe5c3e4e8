// <nc-gallery-cards>: the campaigns of the gallery as cards, found by words, walked by arrow keys. Reports the chosen one.

import { html, nothing, type TemplateResult } from 'lit'
import type { GalleryCampaign } from '../../../contract/gallery/gallery-campaign.ts'
import { icon } from '../../elements/icon.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import { stepWordsOf } from './step-words.ts'

export class ChooseCampaign extends Event {
  readonly campaign: GalleryCampaign

  constructor(campaign: GalleryCampaign) {
    super('choose-campaign', { bubbles: true })
    this.campaign = campaign
  }
}

class NcGalleryCards extends LightElement {
  static override properties = { asked: { state: true } }

  declare protected asked: string
  readonly #gallery = new Loader<readonly GalleryCampaign[]>(this)

  constructor() {
    super()
    this.asked = ''
  }

  protected override firstUpdated(): void {
    void this.#load()
  }

  readonly #load = () => this.#gallery.load(async () => (await import('../../../contract/gallery/gallery.ts')).GALLERY)

  get #found(): readonly GalleryCampaign[] {
    const words = this.asked.toLowerCase().split(/\s+/).filter(Boolean)
    return (this.#gallery.value ?? []).filter((campaign) => {
      const { definition, text } = campaign
      const all = [definition.name, text, definition.trigger.event, ...stepWordsOf({ ...definition })].join(' ')
      return words.every((word) => all.toLowerCase().includes(word))
    })
  }

  override render(): TemplateResult {
    if (this.#gallery.state === 'failed') return failureView(this.#gallery.error, () => void this.#load())
    if (this.#gallery.value === undefined) return loadingView(4)
    const found = this.#found
    const input = ({ target }: Event) => {
      this.asked = (target as HTMLInputElement).value
    }
    return html`<search class="filters">
        <div class="filter filter-search">
          ${icon('search')}
          <input class="input" type="search" aria-label="Search the gallery" placeholder="What it is about: cart, Stripe, digest …" autocomplete="off" spellcheck="false" .value=${this.asked} @input=${input} @keydown=${this.#onSearchKey} />
        </div>
        <p class="sr" role="status">${found.length === 1 ? '1 campaign' : `${found.length} campaigns`}</p>
      </search>
      ${found.length === 0 ? html`<p class="none-found">Nothing in the gallery is about that. Begin from blank, or search for less.</p>` : nothing}
      <ul class="gallery" @keydown=${this.#onKey}>${found.map((campaign) => this.#card(campaign))}</ul>`
  }

  #card(campaign: GalleryCampaign): TemplateResult {
    const { definition, text } = campaign
    const words = stepWordsOf({ ...definition })
    return html`<li>
      <button type="button" class="gallery-card" @click=${() => this.dispatchEvent(new ChooseCampaign(campaign))}>
        <span class="gallery-name">${definition.name}</span>
        <span class="gallery-text">${text}</span>
        <span class="gallery-flow">${words.map((word, place) => html`${place > 0 ? html`<span aria-hidden="true">→</span>` : nothing}<span>${word}</span>`)}</span>
        <code>${definition.trigger.event}</code>
      </button>
    </li>`
  }

  readonly #onSearchKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
    const [first] = this.#cards
    if (first === undefined) return
    event.preventDefault()
    if (event.key === 'Enter') first.click()
    else first.focus()
  }

  get #cards(): HTMLButtonElement[] {
    return [...this.querySelectorAll<HTMLButtonElement>('.gallery-card')]
  }

  /** Left and right walk the cards in their order, up and down to the card above or below. */
  readonly #onKey = (event: KeyboardEvent): void => {
    const cards = this.#cards
    const at = cards.indexOf(event.target as HTMLButtonElement)
    if (at < 0) return
    const columns = Math.max(1, cards.filter(({ offsetTop }) => offsetTop === cards[0]?.offsetTop).length)
    const steps: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: columns,
      ArrowUp: -columns,
      Home: -at,
      End: cards.length - 1 - at,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    if (event.key === 'ArrowUp' && at - columns < 0) this.querySelector<HTMLInputElement>('input')?.focus()
    else cards[Math.min(cards.length - 1, Math.max(0, at + step))]?.focus()
  }
}

customElements.define('nc-gallery-cards', NcGalleryCards)
