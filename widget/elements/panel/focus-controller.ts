// Keeps the focus in the panel when the element that has it vanishes.

import type { ReactiveController } from 'lit'
import type { PanelView } from './panel-types.ts'

export class FocusController implements ReactiveController {
  readonly #panel: PanelView
  /** The place of the focused row, or else of the one that Tab leads to. */
  #index = -1
  #wasInside = false

  constructor(panel: PanelView) {
    this.#panel = panel
    panel.addController(this)
  }

  /** As the page sees it: the element, what is in a slot of it, or something else. */
  get focusedInPage(): Element | null {
    return (this.#panel.host.element.getRootNode() as Document).activeElement
  }

  hostUpdate(): void {
    const { list, host, currentId } = this.#panel
    this.#index = list?.indexOf(list.focusedId ?? currentId) ?? -1
    this.#wasInside = this.#panel.contains(host.shadow.activeElement)
  }

  hostUpdated(): void {
    if (!this.#panel.isShown) return
    const isLost = this.#wasInside ? this.#panel.host.shadow.activeElement === null : this.#isSlottedLost
    if (isLost) this.#focusInstead()
  }

  /** The row in the place of the last one, the open message, or the panel. */
  #focusInstead(): void {
    const panel = this.#panel
    if (this.#index >= 0 && panel.isListInFront()) panel.currentId = panel.focusRow(this.#index)?.id
    else (panel.querySelector<HTMLElement>('.detail-scroll') ?? panel).focus()
  }

  /** What is in a slot has the focus, and the slot is gone. */
  get #isSlottedLost(): boolean {
    const { element } = this.#panel.host
    const slotted = this.focusedInPage
    return slotted !== element && element.contains(slotted) && !slotted?.checkVisibility()
  }
}
