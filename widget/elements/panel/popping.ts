// Layers that lie over the page: popovers of the browser; where it has none, boxes in a fixed place, as far up as the page's own layers allow.

/** Shows or hides the layer; the class `open` says which, so that no style sheet needs to know of popovers. */
export function pop(layer: HTMLElement, isShown: boolean): void {
  if (layer.classList.contains('open') === isShown) return
  layer.classList.toggle('open', isShown)
  if (isShown) layer.showPopover?.()
  else layer.hidePopover?.()
}
