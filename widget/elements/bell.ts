// <nc-bell>: the button with its badge, or what the page puts into the slot `bell`.

import { html, type PropertyDeclarations } from 'lit'
import { bellStyles } from './bell.styles.ts'
import { Piece } from './piece.ts'

export class NcBell extends Piece {
  static override properties: PropertyDeclarations = {
    label: { attribute: false },
    badge: { attribute: false },
    expanded: { type: Boolean, attribute: false },
  }
  static override styles = bellStyles

  /** The accessible name: with the whole count, which the badge cuts. */
  declare label: string
  /** The text of the badge; empty: there is none. */
  declare badge: string
  declare expanded: boolean
  /** What had the focus last, and what that is in the page when it is within a shadow root. */
  #lastFocused: HTMLElement | undefined
  #lastInPage: Node | null = null

  constructor() {
    super()
    this.label = ''
    this.badge = ''
    this.expanded = false
    this.addEventListener('focusin', (event) => {
      this.#lastInPage = event.target as Node
      this.#lastFocused = event.composedPath()[0] as HTMLElement
    })
  }

  /** Rings once: something has arrived. */
  ring(): void {
    const button = this.#button
    button?.classList.remove('rings')
    // Reading the layout starts the animation anew when one runs.
    void button?.offsetWidth
    button?.classList.add('rings')
  }

  override focus(): void {
    const own = this.querySelector('slot')?.assignedElements() as HTMLElement[]
    // A wrapper of the page's own cannot have the focus.
    const target = own.some((each) => each.contains(this.#lastInPage)) ? this.#lastFocused : own[0]
    ;(target ?? this.#button)?.focus()
  }

  // The badge stands beside the button: a visible "99+" within it would be another name.
  protected override render() {
    return html`<slot name="bell"
      ><button
        part="bell"
        class="bell"
        type="button"
        aria-haspopup="dialog"
        aria-label=${this.label}
        aria-expanded=${this.expanded}
        @animationend=${this.#stopRinging}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor">
          <path
            d="M18 8.5a6 6 0 0 0-12 0c0 6.2-2.5 7.6-2.5 7.6h17S18 14.7 18 8.5M13.7 19.5a2 2 0 0 1-3.4 0"
            stroke-width="1.75"
            stroke-linecap="round"
            stroke-linejoin="round"
          />
        </svg></button
      ><span part="badge" class="badge" aria-hidden="true" ?hidden=${this.badge === ''}>${this.badge}</span></slot
    >`
  }

  get #button(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.bell')
  }

  #stopRinging(): void {
    this.#button?.classList.remove('rings')
  }
}
