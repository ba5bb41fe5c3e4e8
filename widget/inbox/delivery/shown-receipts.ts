// Delivery events that are on their way, of whichever tab, as the list and the badge already show them.

import type { InboxHead, MessagePatch, RegisterItem } from '../../../contract/api.ts'
import type { InboxStore } from '../inbox-store.ts'

export interface ShownReceipts {
  queued(items: RegisterItem[]): void
  /** The service has answered for these, or (without a head) refused them as a whole. */
  settled(items: RegisterItem[], head: InboxHead | undefined): void
  /** The log has moved on: what it tells by itself needs no showing. */
  review(): void
  /** Nor does what is in no queue any more: `left` reads it, or cannot. */
  reconcile(left: () => Promise<Set<string> | undefined>): Promise<void>
}

interface Shown {
  item: RegisterItem
  handle: number
  /** By what was known then, the message had nothing of the kind. */
  isNews: boolean
}

export const nameOf = ({ messageId, eventType }: RegisterItem): string => `${eventType}|${messageId}`

export function createShownReceipts(
  store: InboxStore,
  onSettled: (handles: number[], head: InboxHead) => void,
): ShownReceipts {
  const shown = new Map<string, Shown>()
  const happened = ({ messageId, eventType }: RegisterItem): boolean =>
    Boolean(store.known(messageId)?.[`${eventType}At`])
  /** A message that was opened before is told by being opened again; what was news is told, whatever came of it since. */
  const isTold = (item: RegisterItem, isNews: boolean): boolean =>
    happened(item) && (isNews || item.eventType === 'read' || store.known(item.messageId)?.unopened === false)
  const end = (name: string, handle: number): void => {
    store.drop(handle)
    shown.delete(name)
  }
  return {
    queued: (items) => {
      for (const item of items) {
        if (shown.has(nameOf(item)) || isTold(item, false)) continue
        const handle = store.begin([item.messageId], effectOf(item))
        shown.set(nameOf(item), { item, handle, isNews: !happened(item) })
      }
    },
    settled: (items, head) => {
      const handles = items.flatMap((item) => shown.get(nameOf(item))?.handle ?? [])
      for (const item of items) shown.delete(nameOf(item))
      // As one: the head counts them all, and who of them still waits would be counted twice.
      if (!head) handles.forEach(store.drop)
      else if (handles.length) onSettled(handles, head)
    },
    review: () => {
      for (const [name, { item, handle, isNews }] of shown) if (isTold(item, isNews)) end(name, handle)
    },
    reconcile: async (left) => {
      // What is noted while the disk is asked is not among its answer.
      const asked = [...shown]
      const names = await left()
      for (const [name, { handle }] of asked)
        if (names?.has(name) === false && shown.get(name)?.handle === handle) end(name, handle)
    },
  }
}

/** What a delivery event does to the message, before the service says so: a later one implies the earlier. */
function effectOf({ eventType, occurredAt: at = '' }: RegisterItem): MessagePatch {
  if (eventType === 'read') return { readAt: at }
  return { readAt: at, openedAt: at, unopened: false, ...(eventType === 'clicked' && { clickedAt: at }) }
}
