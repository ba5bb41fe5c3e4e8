// Puts the popover beside its bell where the browser has no CSS anchors, by the rules that panel.styles.ts has for those that do; where it has them, from when scrolling takes the panel out of the window, until it is closed. A part of its own. Through a constructed sheet: no style attribute anywhere.

import { listen } from '../../inbox/waking.ts'
import { adopt } from '../../lib/sheet.ts'

/** To the bell and to the ends of the window; to its sides. */
const [GAP, SIDE] = [8, 12]
/** With less room than this it looks elsewhere. */
const LEAST = 320

/** What `zoom` in the page's styles does to lengths within; not every browser tells. */
const zoomOf = (element: Element): number => Reflect.get(element, 'currentCSSZoom') ?? 1

export interface Placing {
  /** With the next frame: something scrolled. */
  placeSoon(): void
  end(): void
}

/** Holds the panel beside the anchor whenever it is open. */
export function createPlacing(
  shadow: ShadowRoot,
  anchor: HTMLElement,
  panel: HTMLElement,
  /** The style sheet has placed it, and goes on to do so while it stays in the window. */
  isAnchored: boolean,
): Placing {
  const sheet = new CSSStyleSheet()
  adopt(shadow, sheet)
  let [frame, shown] = [0, '']
  /** Empty while the style sheet places it. One that was taken over keeps its height: it neither jumps nor grows. */
  let tall = ''
  let before = anchor.getBoundingClientRect()

  const place = (): void => {
    if (!panel.isConnected) end()
    const bell = anchor.getBoundingClientRect()
    const isOpen = panel.classList.contains('open')
    if (!isOpen) tall = ''
    else if (!isAnchored) tall = 'var(--nc-panel-height,620px)'
    else if (!tall && isLeaving(panel, bell.left - before.left, bell.top - before.top))
      tall = getComputedStyle(panel).height
    before = bell
    // What is closed is of no matter, but the next opening is the style sheet's again.
    if (!isOpen && !isAnchored) return
    const rules = tall && placeOf(bell, panel, tall)
    if (rules === shown) return
    shown = rules
    // A phone has a sheet in place of a popover.
    sheet.replaceSync(rules && `@media (min-width:480.1px) and (min-height:400.1px){.panel[popover]{${rules}}}`)
  }
  const placeSoon = (): void => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(place)
  }
  // Tells of an opened panel before it is painted.
  const observer = new ResizeObserver(place)
  observer.observe(panel)
  // It may have come with the scrolling of this very frame.
  placeSoon()
  const endResize = listen(window, 'resize', placeSoon)
  const end = (): void => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    endResize()
  }
  return { placeSoon, end }
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
