// Puts the popover beside its bell where the browser has no CSS anchors, by the rules of panel.styles.ts; where it has them, from when scrolling takes the panel out of the window, until it is closed.
// A part. Positions are in a constructed sheet: no style attribute anywhere.

import type { ReactiveController } from 'lit'
import { adopt, release } from '../../lib/sheet.ts'
import type { PanelView } from './panel-types.ts'

/** To the bell and to the ends of the window; to its sides. */
const [GAP, SIDE] = [8, 12]
/** With less room than this it looks elsewhere. */
const LEAST = 320

/** What `zoom` in the page's styles does to lengths within; not every browser has it. */
const zoomOf = (element: Element): number => Reflect.get(element, 'currentCSSZoom') ?? 1

export class ScriptPlacement implements ReactiveController {
  readonly #panel: PanelView
  /** The style sheet has placed it, and goes on to do so while it stays in the window. */
  readonly #isAnchored: boolean
  readonly #sheet = new CSSStyleSheet()
  /** Reports an opened panel before it is painted. */
  readonly #resized = new ResizeObserver(() => this.#place())
  #frame = 0
  #rules = ''
  /** Empty while the style sheet places it. One that was taken over keeps its height: it neither jumps nor grows. */
  #height = ''
  #before: DOMRect

  constructor(panel: PanelView, isAnchored: boolean) {
    this.#panel = panel
    this.#isAnchored = isAnchored
    this.#before = this.#bell
    panel.addController(this)
  }

  hostConnected(): void {
    adopt(this.#panel.host.shadow, this.#sheet)
    this.#resized.observe(this.#panel)
    window.addEventListener('resize', this.placeSoon)
    // It may have come with the scrolling of this very frame.
    this.placeSoon()
  }

  hostDisconnected(): void {
    release(this.#panel.host.shadow, this.#sheet)
    this.#resized.disconnect()
    cancelAnimationFrame(this.#frame)
    window.removeEventListener('resize', this.placeSoon)
  }

  /** With the next frame: something scrolled. */
  readonly placeSoon = (): void => {
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => this.#place())
  }

  get #bell(): DOMRect {
    return this.#panel.host.anchor.getBoundingClientRect()
  }

  #place(): void {
    const [bell, before, panel] = [this.#bell, this.#before, this.#panel]
    const isOpen = panel.classList.contains('open')
    if (!isOpen) this.#height = ''
    else if (!this.#isAnchored) this.#height = 'var(--_height)'
    else if (!this.#height && isLeaving(panel, bell.left - before.left, bell.top - before.top))
      this.#height = getComputedStyle(panel).height
    this.#before = bell
    // What is closed is of no matter, but the next opening is the style sheet's again.
    if (!isOpen && !this.#isAnchored) return
    const rules = this.#height && placeOf(bell, panel, this.#height)
    if (rules === this.#rules) return
    this.#rules = rules
    // A phone has a sheet in place of a popover.
    this.#sheet.replaceSync(rules && `@media (min-width:480.1px) and (min-height:400.1px){.panel[popover]{${rules}}}`)
  }
}

function windowSize(): [width: number, height: number] {
  const root = document.documentElement
  return [root.clientWidth * zoomOf(root), root.clientHeight * zoomOf(root)]
}

/** Half of the gap is gone, or is with what its bell went since the last frame: Chromium tells of an anchored panel where it was then. Not all of the gap, which an opening panel has not on its first frames. */
function isLeaving(panel: HTMLElement, right: number, down: number): boolean {
  const [width, height] = windowSize()
  const box = panel.getBoundingClientRect()
  const [left, top] = [box.left + right, box.top + down]
  const least = Math.min(top, left, width - left - box.width, height - top - box.height)
  return least < (GAP / 2) * zoomOf(panel)
}

/** Below the bell, else above it, else over it; never outside of the window. */
function placeOf(bell: DOMRect, panel: HTMLElement, most: string): string {
  const [width, height] = windowSize()
  const zoom = zoomOf(panel)
  const px = (length: number): string => `${Math.round(length) / zoom}px`
  const gap = GAP * zoom
  const isRtl = getComputedStyle(panel).direction === 'rtl'
  const farthest = width - panel.getBoundingClientRect().width - SIDE * zoom
  const end = Math.max(SIDE * zoom, Math.min(isRtl ? bell.left : width - bell.right, farthest))
  const [top, bottom] = [Math.max(gap, bell.bottom + gap), Math.max(gap, height - bell.top + gap)]
  const [side, from] =
    height - top - gap >= LEAST * zoom
      ? ['top', top]
      : height - bottom - gap >= LEAST * zoom
        ? ['bottom', bottom]
        : ['top', gap]
  const tall = `min(${most},100% - ${px(from + gap)})`
  return `position-try:none;inset:auto;inset-inline-end:${px(end)};${side}:${px(from)};height:${tall};max-height:none`
}
