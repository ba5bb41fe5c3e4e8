// Where rows stand in their whole list, and the focus that goes from one to another: of a long list, not every row is in the page.

import type { InboxMessage } from '../../../../contract/api.ts'
import type { LongList } from '../long/long-list.ts'

export interface RowPlaces {
  /** As drawn last. */
  messages: readonly InboxMessage[]
  /** -1 when it is not in the list. */
  of(id: string | undefined): number
  /** The row of the list that has the focus. */
  focused(): HTMLElement | null
  /** Gives the focus to the row at this place, or the nearest; to the panel when there is none. Answers its message. */
  focus(place: number): InboxMessage | undefined
}

export function createRowPlaces(
  shadow: ShadowRoot,
  panel: HTMLElement,
  rows: HTMLElement,
  long: () => LongList | undefined,
): RowPlaces {
  const places: RowPlaces = {
    messages: [],
    of: (id) => places.messages.findIndex((message) => message.id === id),
    focused: () => shadow.activeElement?.closest<HTMLElement>('article.row') ?? null,
    focus: (place) => {
      const message = places.messages[Math.max(0, Math.min(place, places.messages.length - 1))]
      const isWindowed = rows.classList.contains('windowed')
      if (isWindowed && message !== undefined) long()?.reveal(places.of(message.id))
      const row = [...rows.querySelectorAll<HTMLElement>('article.row')].find(
        ({ dataset }) => dataset.id === message?.id,
      )
      if (row === undefined) panel.focus()
      else {
        row.focus({ preventScroll: true })
        if (!isWindowed) row.scrollIntoView({ block: 'nearest' })
      }
      return message
    },
  }
  return places
}
