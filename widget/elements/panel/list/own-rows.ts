// Keeps what the page has drawn into rows: a node stays while its message and the function are the same, and with it what is typed there.

import type { InboxMessage } from '../../../../contract/api.ts'
import { element } from '../../../lib/dom.ts'

export type RenderRow = (message: InboxMessage) => Node

interface Kept {
  renderRow: RenderRow
  message: InboxMessage
  content: HTMLElement | undefined
}

export class OwnRows {
  readonly #rows = new Map<string, Kept>()

  /** @returns the page's node for the message; undefined where the page has none, or failed to draw it */
  contentOf(message: InboxMessage, renderRow: RenderRow | undefined): HTMLElement | undefined {
    const kept = this.#rows.get(message.id)
    if (renderRow === undefined) {
      this.#rows.delete(message.id)
      return undefined
    }
    if (kept?.renderRow === renderRow && (hasFocus(kept) || isSame(kept.message, message))) return kept.content
    const content = draw(message, renderRow)
    this.#rows.set(message.id, { renderRow, message, content })
    return content
  }

  /** Drops the nodes of messages that are gone. */
  prune(isThere: (id: string) => boolean): void {
    for (const id of this.#rows.keys()) if (!isThere(id)) this.#rows.delete(id)
  }
}

/** A field keeps its node while somebody types: a key after its replacement would be a command of the list. */
function hasFocus({ content }: Kept): boolean {
  const focused = (content?.getRootNode() as Partial<DocumentOrShadowRoot> | undefined)?.activeElement
  return focused != null && content?.contains(focused) === true
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

/** An error of the page is reported once; then the row is drawn as ours. */
function draw(message: InboxMessage, renderRow: RenderRow): HTMLElement | undefined {
  try {
    const own = renderRow(message)
    return own ? element('div', { class: 'words' }, own) : undefined
  } catch (error) {
    reportError(error)
    return undefined
  }
}
