// Layers that lie over the page: popovers of the browser; where it has none, boxes in a fixed place, as far up as the page's own layers allow.

/** Whether the browser shows it: one that is moved in the page it hides. */
export const isPopped = (layer: HTMLElement): boolean =>
  layer.showPopover === undefined || layer.matches(':popover-open')

/** Shows or hides the layer; the class `open` says which, so that no style sheet needs to know of popovers. */
export function pop(layer: HTMLElement, isShown: boolean): void {
  if (layer.classList.contains('open') === isShown) return
  layer.classList.toggle('open', isShown)
  layer[isShown ? 'showPopover' : 'hidePopover']?.()
}
