// Draws a list whose elements stay with their items, so that focus and observers stay too. In place of lit's `repeat`, which brings 1 KB for orders that change; ours only come and go.

import { render, type TemplateResult } from 'lit/html.js'
import { element } from '../../../lib/dom.ts'

const boxesOf = new WeakMap<Element, Map<string, HTMLElement>>()

/** Draws each item into a box of its own within `holder`, which nobody else may fill. */
export function drawKeyed<T extends { id: string }>(
  holder: Element,
  items: readonly T[],
  draw: (item: T, index: number) => TemplateResult,
): void {
  const before = boxesOf.get(holder)
  const boxes = new Map(items.map(({ id }) => [id, before?.get(id) ?? element('div')]))
  boxesOf.set(holder, boxes)
  // What goes, goes first: then what stays need not be moved, and a moved element would lose the focus.
  for (const [id, box] of before ?? []) if (!boxes.has(id)) box.remove()
  let next = holder.firstChild
  items.forEach((item, index) => {
    const box = boxes.get(item.id) as HTMLElement
    if (box === next) next = box.nextSibling
    else holder.insertBefore(box, next)
    render(draw(item, index), box)
  })
}
