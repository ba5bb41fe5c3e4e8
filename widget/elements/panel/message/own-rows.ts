// Keeps what the page has drawn into rows: a node stays while its message and the function are the same, and with it what is typed there.

import type { InboxMessage } from '../../../../contract/api.ts'
import { element } from '../../../lib/dom.ts'

export type RenderRow = (message: InboxMessage) => Node

export interface OwnRows {
  /** The page's node for the message; undefined where the page has none, or failed to draw it. */
  of(message: InboxMessage, renderRow: RenderRow | undefined): HTMLElement | undefined
  /** Forgets the nodes of messages that are gone. */
  prune(isThere: (id: string) => boolean): void
}

interface Kept {
  renderRow: RenderRow
  message: InboxMessage
  words: HTMLElement | undefined
}

export function createOwnRows(): OwnRows {
  const rows = new Map<string, Kept>()
  return {
    of: (message, renderRow) => {
      const kept = rows.get(message.id)
      if (renderRow === undefined) {
        rows.delete(message.id)
        return undefined
      }
      if (kept?.renderRow === renderRow && (hasFocus(kept) || isSame(kept.message, message))) return kept.words
      const words = draw(message, renderRow)
      rows.set(message.id, { renderRow, message, words })
      return words
    },
    prune: (isThere) => {
      for (const id of rows.keys()) if (!isThere(id)) rows.delete(id)
    },
  }
}

/** Whoever types goes on: a key that came while the node is replaced would be a command of the list. */
function hasFocus({ words }: Kept): boolean {
  const focused = (words?.getRootNode() as Partial<DocumentOrShadowRoot> | undefined)?.activeElement
  return focused != null && words?.contains(focused) === true
}

/** Times of delivery events count by being there: the service's own replace those of this page within a second. */
function isSame(before: InboxMessage, now: InboxMessage): boolean {
  return before === now || contentOf(before) === contentOf(now)
}
const contentOf = (message: InboxMessage): string => {
  const { readAt, openedAt, clickedAt } = message
  const happened = { readAt: readAt !== null, openedAt: openedAt !== null, clickedAt: clickedAt !== null }
  return JSON.stringify({ ...message, ...happened })
}

/** A page that fails is told once; then the row is drawn as ours. */
function draw(message: InboxMessage, renderRow: RenderRow): HTMLElement | undefined {
  try {
    const own = renderRow(message)
    return own ? element('div', { class: 'words' }, own) : undefined
  } catch (error) {
    reportError(error)
    return undefined
  }
}
