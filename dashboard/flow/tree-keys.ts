// Moves the focus in the tree of steps by arrow keys, Home and End, as the ARIA practices describe it for trees.

import type { FlowItem } from './layout.ts'

/** @returns The id of the item that the key leads to; undefined when the key leads nowhere. */
export function nextItem(
  items: readonly Pick<FlowItem, 'id' | 'parent'>[],
  id: string,
  key: string,
): string | undefined {
  const at = items.findIndex((item) => item.id === id)
  const next = items[at + 1]
  switch (key) {
    case 'ArrowDown':
      return next?.id
    case 'ArrowUp':
      return items[at - 1]?.id
    case 'ArrowRight':
      return next?.parent === id ? next.id : undefined
    case 'ArrowLeft':
      return items[at]?.parent
    case 'Home':
      return items[0]?.id
    case 'End':
      return items.at(-1)?.id
    default:
      return undefined
  }
}
