// <nc-step-menu>: the menu of the types of steps, which opens at a place of the picture.

import { html, type TemplateResult } from 'lit'
import { type NewStepType, STEP_TEXTS, STEP_TYPES } from '../../editor/new-steps.ts'
import { icon } from '../../elements/icon.ts'
import { kindOf } from '../../flow/words.ts'
import { LightElement } from '../../lib/light-element.ts'

const MARGIN = 8

export class NcStepMenu extends LightElement {
  #choose: ((type: NewStepType) => void) | undefined
  #back: HTMLElement | undefined

  /** Opens below an element, which has the focus again when the menu closes without a choice. */
  async open(anchor: HTMLElement, choose: (type: NewStepType) => void): Promise<void> {
    this.#choose = choose
    this.#back = anchor
    const menu = this.#menu
    menu.showPopover()
    const { left, bottom, top } = anchor.getBoundingClientRect()
    const { offsetWidth, offsetHeight } = menu
    const isAbove = bottom + offsetHeight + MARGIN > innerHeight && top > offsetHeight + MARGIN
    const y = isAbove ? top - offsetHeight : Math.min(bottom, innerHeight - offsetHeight - MARGIN)
    menu.style.setProperty('left', `${Math.max(MARGIN, Math.min(left, innerWidth - offsetWidth - MARGIN))}px`)
    menu.style.setProperty('top', `${Math.max(MARGIN, y)}px`)
    await this.focusOn('[role=menuitem]')
  }

  get #menu(): HTMLElement {
    return this.querySelector('.step-menu') as HTMLElement
  }

  override render(): TemplateResult {
    return html`<div class="step-menu" popover role="menu" aria-label="Add a step" @keydown=${this.#key} @toggle=${this.#toggle}>
      ${STEP_TYPES.map((type) => {
        const [picture, name] = kindOf({ type })
        return html`<button type="button" role="menuitem" tabindex="-1" data-type=${type} @click=${() => this.#take(type)}>
          <span class="flow-icon">${icon(picture)}</span>
          <span class="step-menu-name">${name}</span>
          <span class="step-menu-text">${STEP_TEXTS[type]}</span>
        </button>`
      })}
    </div>`
  }

  #take(type: NewStepType): void {
    const choose = this.#choose
    this.#back = undefined
    this.#menu.hidePopover()
    choose?.(type)
  }

  readonly #toggle = ({ newState }: ToggleEvent): void => {
    if (newState === 'open') return
    this.#choose = undefined
    if (this.contains(document.activeElement) || document.activeElement === document.body) this.#back?.focus()
  }

  readonly #key = (event: KeyboardEvent): void => {
    const items = [...this.querySelectorAll<HTMLElement>('[role=menuitem]')]
    const at = items.indexOf(document.activeElement as HTMLElement)
    const places: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % items.length,
      ArrowUp: (at - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    }
    const next = places[event.key]
    if (event.key === 'Tab') {
      event.preventDefault()
      this.#menu.hidePopover()
    } else if (next !== undefined) {
      event.preventDefault()
      items[next]?.focus()
    } else if (/^\p{L}$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const letter = event.key.toLowerCase()
      const named = [...items.slice(at + 1), ...items.slice(0, at + 1)]
      named
        .find((item) => item.querySelector('.step-menu-name')?.textContent?.toLowerCase().startsWith(letter))
        ?.focus()
    }
  }
}

customElements.define('nc-step-menu', NcStepMenu)
