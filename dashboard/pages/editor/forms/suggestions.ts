// Shows a list of values below a field while one types, with the keys of a combobox: arrows, Enter, Tab and Escape.

import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit'
import type { KnownPath } from './form-context.ts'
import { exampleOf } from './template-completion.ts'

export class Suggestions implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement
  readonly #choose: (known: KnownPath) => void
  items: readonly KnownPath[] = []
  /** The option that Enter takes. */
  at = 0

  constructor(host: ReactiveControllerHost & HTMLElement, choose: (known: KnownPath) => void) {
    this.#host = host
    this.#choose = choose
    host.addController(this)
  }

  hostConnected(): void {
    this.#host.addEventListener('focusout', this.#onFocusOut)
  }

  hostDisconnected(): void {
    this.#host.removeEventListener('focusout', this.#onFocusOut)
    this.items = []
  }

  hostUpdated(): void {
    if (this.isOpen) this.#host.querySelector('[role=option][aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }

  get isOpen(): boolean {
    return this.items.length > 0
  }

  show(items: readonly KnownPath[]): void {
    this.items = items
    this.at = 0
    this.#host.requestUpdate()
  }

  close(): void {
    if (this.isOpen) this.show([])
  }

  /** @returns whether the key was for the list */
  onKey(event: KeyboardEvent): boolean {
    if (!this.isOpen) return false
    const { key } = event
    const count = this.items.length
    if (key === 'ArrowDown' || key === 'ArrowUp') this.at = (this.at + (key === 'ArrowDown' ? 1 : count - 1)) % count
    else if (key === 'Enter' || key === 'Tab') this.#take(this.items[this.at])
    else if (key === 'Escape') this.close()
    else return false
    event.preventDefault()
    event.stopPropagation()
    this.#host.requestUpdate()
    return true
  }

  /** @returns the id of the marked option, for `aria-activedescendant` */
  activeId(id: string): string | undefined {
    return this.isOpen ? `${id}-option-${this.at}` : undefined
  }

  render(id: string, label: string): TemplateResult {
    const options = this.items.map(
      (known, at) => html`<div
        class="combobox-option suggestion"
        id=${`${id}-option-${at}`}
        role="option"
        aria-selected=${at === this.at}
        @mousedown=${(event: Event) => event.preventDefault()}
        @click=${() => this.#take(known)}
      >
        <span class="mono">${known.path}</span><span class="suggestion-note">${exampleOf(known) ?? known.types.join(', ')}</span>
      </div>`,
    )
    return html`<div class="combobox-list" id=${`${id}-options`} role="listbox" aria-label=${label} ?hidden=${!this.isOpen}>${options}</div>`
  }

  #take(known: KnownPath | undefined): void {
    this.show([])
    if (known !== undefined) this.#choose(known)
  }

  readonly #onFocusOut = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node && this.#host.contains(relatedTarget))) this.close()
  }
}
