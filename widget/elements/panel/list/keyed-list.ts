// Draws a list whose elements stay with their items, so that focus and observers stay too. In place of lit's `repeat`, which brings 1 KB for orders that change; ours only come and go.

import { render, type TemplateResult } from 'lit'
import { element } from '../../../lib/dom.ts'

const boxesOf = new WeakMap<Element, Map<string, HTMLElement>>()

/** Draws each item into a box of its own within `holder`, which nobody else may fill. `mayReuse`: for a box whose item has gone, if it may be another's. */
export function drawKeyed<T extends { id: string }>(
  holder: Element,
  items: readonly T[],
  draw: (item: T, index: number) => TemplateResult,
  mayReuse: (box: HTMLElement) => boolean = () => false,
): void {
  const before = new Map(boxesOf.get(holder))
  const kept = items.map(({ id }) => {
    const box = before.get(id)
    before.delete(id)
    return box
  })
  const free = [...before].filter(([, box]) => mayReuse(box))
  const boxes = new Map(
    items.map(({ id }, index) => {
      const [freed, box] = kept[index] === undefined ? (free.shift() ?? []) : []
      before.delete(freed ?? '')
      return [id, kept[index] ?? box ?? element('div')]
    }),
  )
  boxesOf.set(holder, boxes)
  // What goes, goes first: then what stays need not be moved, and a moved element would lose the focus.
  for (const box of before.values()) box.remove()
  let next = holder.firstChild
  items.forEach((item, index) => {
    const box = boxes.get(item.id) as HTMLElement
    // Nor is it moved for a box that is to be another's: that one comes out of its way, and back in its place.
    while (kept[index] !== undefined && next !== null && next !== box) {
      const inWay: ChildNode = next
      next = inWay.nextSibling
      inWay.remove()
    }
    if (box === next) next = box.nextSibling
    else holder.insertBefore(box, next)
    render(draw(item, index), box)
  })
}
