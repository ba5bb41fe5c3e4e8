// Puts the popover beside its bell and keeps it in the viewport (contract section 13). Through a constructed sheet: no style attribute anywhere.

import { listen } from '../../inbox/waking.ts'

const GAP = 8
const EDGE = 12

export interface Placing {
  start(): void
  stop(): void
}

/** Sets `--_x` and `--_y` of `.panel` in a sheet of this root's own. */
export function createPlacing(shadow: ShadowRoot, anchor: HTMLElement, panel: HTMLElement): Placing {
  const sheet = new CSSStyleSheet()
  shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, sheet]
  let ends: (() => void)[] = []
  let frame = 0

  const place = (): void => {
    const bell = anchor.getBoundingClientRect()
    const { offsetWidth: width, offsetHeight: height } = panel
    const { clientWidth, clientHeight } = document.documentElement
    const isRtl = getComputedStyle(panel).direction === 'rtl'
    const wanted = isRtl ? bell.left : bell.right - width
    const x = Math.max(EDGE, Math.min(wanted, clientWidth - width - EDGE))
    const fitsBelow = bell.bottom + GAP + height + EDGE <= clientHeight
    const above = bell.top - GAP - height
    const y = fitsBelow || above < EDGE ? Math.min(bell.bottom + GAP, clientHeight - height - EDGE) : above
    sheet.replaceSync(`.panel{--_x:${Math.round(x)}px;--_y:${Math.round(Math.max(EDGE, y))}px}`)
  }
  const placeSoon = (): void => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(place)
  }
  return {
    start: () => {
      place()
      ends = [listen(window, 'resize', placeSoon)]
      window.addEventListener('scroll', placeSoon, { capture: true, passive: true })
    },
    stop: () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', placeSoon, { capture: true })
      for (const end of ends) end()
      ends = []
    },
  }
}
