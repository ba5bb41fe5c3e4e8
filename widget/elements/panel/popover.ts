// Shows the panel as a popover of the browser, or as a region of the page; layers over the page in general.

import type { ReactiveController } from 'lit'
import { adopt, release } from '../../lib/sheet.ts'
import { ANCHORS } from './panel.styles.ts'
import type { PanelWithActions } from './panel-actions.ts'
import { PanelPart } from './panel-part.ts'
import type { Placement } from './panel-types.ts'

/** Shows or hides the layer; the class `open` marks it, so that browsers without popovers have the same styles. */
export function pop(layer: HTMLElement, isShown: boolean): void {
  // One that stands in the page is none that a browser could hide.
  if (!isShown && !layer.classList.contains('open')) return
  layer.classList.toggle('open', isShown)
  // Of one that is shown already it takes this again.
  layer.togglePopover?.(isShown)
}

export class PopoverController implements ReactiveController {
  readonly #panel: PanelWithActions
  readonly #isAnchored = CSS.supports(ANCHORS.cssText)
  /** Where the style sheet cannot, or no longer: scrolled with its bell, a panel leaves the window. */
  readonly #placement: PanelPart<Placement>
  readonly #roots = new Set<Node>()
  readonly #resized = new ResizeObserver(() => this.#onResize())
  /** What the script alone knows of the height, in a sheet of its own: no style attribute anywhere. */
  readonly #sheet = new CSSStyleSheet()
  #fit = ''
  #wasHidden = false

  constructor(panel: PanelWithActions) {
    this.#panel = panel
    this.#placement = new PanelPart(async () => {
      const part = await panel.host.parts()?.loadPlacing()
      return part && new part.ScriptPlacement(panel, this.#isAnchored)
    })
    panel.addController(this)
  }

  hostConnected(): void {
    adopt(this.#panel.host.shadow, this.#sheet)
    this.#resized.observe(this.#panel)
    this.#preparePlacement()
  }

  hostDisconnected(): void {
    release(this.#panel.host.shadow, this.#sheet)
    this.#resized.disconnect()
    for (const root of this.#roots) root.removeEventListener('scroll', this.#onScroll, true)
    this.#roots.clear()
  }

  /** A popover with few messages is no higher than they are; a message, the settings or a sheet have all the room. */
  hostUpdated(): void {
    const { list, isShown, isInline, isListCovered, actions } = this.#panel
    const content = list?.contentElement
    if (!isShown || isInline) return
    const isFree = content && !isListCovered && !actions.isSheetShown
    const fit = isFree ? `.panel{--_fit:${this.#panel.offsetHeight - list.clientHeight + content.offsetHeight}px}` : ''
    if (fit !== this.#fit) this.#sheet.replaceSync(fit)
    this.#fit = fit
  }

  /** Browsers hide a popover that is moved in the page, without an event. */
  get isLost(): boolean {
    const panel = this.#panel
    return panel.classList.contains('open') && Boolean(panel.popover) && !panel.matches(':popover-open')
  }

  /** A closed popover takes no room in the page. @returns whether an open one has to be shown anew */
  setMode(isInline: boolean): boolean {
    const panel = this.#panel
    panel.setAttribute('role', isInline ? 'region' : 'dialog')
    if (isInline) {
      pop(panel, false)
      panel.removeAttribute('popover')
      return false
    }
    if (panel.hasAttribute('popover')) return false
    panel.setAttribute('popover', 'manual')
    return true
  }

  show(): void {
    this.#preparePlacement()
    pop(this.#panel, true)
  }

  hide(): void {
    pop(this.#panel, false)
  }

  /** What scrolls in a shadow root is heard there alone: in all that the element stands in, be it through a slot. */
  #preparePlacement(): void {
    let at: Node | null | undefined = this.#panel.host.element
    while (at) {
      if (!at.parentNode) this.#roots.add(at)
      at = (at as Element).assignedSlot ?? at.parentNode ?? (at as ShadowRoot).host
    }
    for (const root of this.#roots) root.addEventListener('scroll', this.#onScroll, true)
    if (!this.#isAnchored) this.#placement.load()
  }

  readonly #onScroll = (): void => {
    if (this.#panel.classList.contains('open')) this.#placement.load()
    this.#placement.value?.placeSoon()
  }

  /** A dialog around it was hidden and is opened anew: it lies over the popovers that were shown before it. */
  #onResize(): void {
    const panel = this.#panel
    const wasHidden = this.#wasHidden
    this.#wasHidden = panel.classList.contains('open') && !panel.offsetWidth
    if (!wasHidden || this.#wasHidden || !panel.popover) return
    this.hide()
    pop(panel, true)
  }
}
