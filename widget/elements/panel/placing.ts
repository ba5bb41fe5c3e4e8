// Puts the popover beside its bell where the browser has no CSS anchors, by the rules that panel.styles.ts has for those that do (contract section 13). A part of its own. Through a constructed sheet: no style attribute anywhere.

import { listen } from '../../inbox/waking.ts'
import { adopt } from '../../lib/sheet.ts'

/** To the bell and to the ends of the window; to its sides. */
const [GAP, SIDE] = [8, 12]
/** With less room than this it looks elsewhere. */
const LEAST = 320

/** What `zoom` in the page's styles does to lengths within; not every browser tells. */
const zoomOf = (element: Element): number => Reflect.get(element, 'currentCSSZoom') ?? 1

/** Holds the panel beside the anchor whenever it is open; answers how to end that. */
export function createPlacing(shadow: ShadowRoot, anchor: HTMLElement, panel: HTMLElement): () => void {
  const sheet = new CSSStyleSheet()
  adopt(shadow, sheet)
  let [frame, shown] = [0, '']

  const place = (): void => {
    if (!panel.isConnected) end()
    if (!panel.classList.contains('open')) return
    const rules = placeOf(anchor.getBoundingClientRect(), panel)
    if (rules === shown) return
    shown = rules
    // A phone has a sheet in place of a popover.
    sheet.replaceSync(`@media (min-width:480.1px) and (min-height:400.1px){.panel[popover]{${rules}}}`)
  }
  const placeSoon = (): void => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(place)
  }
  // Tells of an opened panel before it is painted.
  const observer = new ResizeObserver(place)
  observer.observe(panel)
  const endResize = listen(window, 'resize', placeSoon)
  window.addEventListener('scroll', placeSoon, { capture: true, passive: true })
  const end = (): void => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    window.removeEventListener('scroll', placeSoon, { capture: true })
    endResize()
  }
  return end
}

/** Below the bell, else above it, else over it; never outside of the window. */
function placeOf(bell: DOMRect, panel: HTMLElement): string {
  const root = document.documentElement
  const [width, height] = [root.clientWidth * zoomOf(root), root.clientHeight * zoomOf(root)]
  const zoom = zoomOf(panel)
  const px = (length: number): string => `${Math.round(length) / zoom}px`
  const gap = GAP * zoom
  const isRtl = getComputedStyle(panel).direction === 'rtl'
  const most = width - panel.getBoundingClientRect().width - SIDE * zoom
  const end = Math.max(SIDE * zoom, Math.min(isRtl ? bell.left : width - bell.right, most))
  const [top, bottom] = [Math.max(gap, bell.bottom + gap), Math.max(gap, height - bell.top + gap)]
  const [side, from] =
    height - top - gap >= LEAST * zoom
      ? ['top', top]
      : height - bottom - gap >= LEAST * zoom
        ? ['bottom', bottom]
        : ['top', gap]
  const tall = `min(var(--nc-panel-height,620px),100% - ${px(from + gap)})`
  return `inset:auto;inset-inline-end:${px(end)};${side}:${px(from)};height:${tall};max-height:none`
}
