// Layers that lie over the page: popovers of the browser; where it has none, boxes in a fixed place, as far up as the page's own layers allow. And when a script is to place the panel.

import { ANCHORS } from './panel.styles.ts'
import type { PanelHost } from './panel-types.ts'
import { wantedPart } from './wanted-part.ts'

/** Shows or hides the layer; the class `open` says which, so that no style sheet needs to know of popovers. */
export function pop(layer: HTMLElement, isShown: boolean): void {
  // One that stands in the page is none that a browser could hide.
  if (!isShown && !layer.classList.contains('open')) return
  layer.classList.toggle('open', isShown)
  // Of one that is shown already it takes this again.
  layer.togglePopover?.(isShown)
}

/** Where the style sheet cannot, or no longer: scrolled with its bell, a panel leaves the window. Until that part has come the panel stands in the corner, or goes along. */
export function placeByScript(host: PanelHost, panel: HTMLElement): { want(): void; end(): void } {
  const isAnchored = CSS.supports(ANCHORS)
  const part = wantedPart(
    async () => (await host.parts()?.loadPlacing())?.createPlacing(host.shadow, host.anchor, panel, isAnchored),
    () => {},
  )
  const scrolled = (): void => {
    if (panel.classList.contains('open')) part.want()
    part.made?.placeSoon()
  }
  const roots = new Set<Node>()
  // What it stands in was hidden and is there again: a dialog that is opened anew lies over the popovers that were shown before it.
  let isHidden = false
  const observer = new ResizeObserver(() => {
    const wasHidden = isHidden
    isHidden = panel.classList.contains('open') && !panel.offsetWidth
    if (!wasHidden || isHidden || !panel.popover) return
    pop(panel, false)
    pop(panel, true)
  })
  observer.observe(panel)
  return {
    want: () => {
      // What scrolls in a shadow root is heard there alone: in all that the element stands in, be it through a slot.
      let at: Node | null | undefined = host.element
      while (at) {
        if (!at.parentNode) roots.add(at)
        at = (at as Element).assignedSlot ?? at.parentNode ?? (at as ShadowRoot).host
      }
      for (const root of roots) root.addEventListener('scroll', scrolled, true)
      isAnchored || part.want()
    },
    end: () => {
      for (const root of roots) root.removeEventListener('scroll', scrolled, true)
      part.made?.end()
      observer.disconnect()
    },
  }
}
