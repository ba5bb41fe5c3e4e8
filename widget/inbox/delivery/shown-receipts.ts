// Delivery events that are on their way, of whichever tab, as the list and the badge already show them (contract section 5).

import type { InboxHead, MessagePatch, RegisterItem } from '../../../contract/api.ts'
import type { InboxStore } from '../inbox-store.ts'

export interface ShownReceipts {
  queued(items: RegisterItem[]): void
  /** The service has answered for these, or (without a head) refused them as a whole. */
  settled(items: RegisterItem[], head: InboxHead | undefined): void
  /** The log has moved on: what it tells by itself needs no showing. With `left`, nor does what is in no queue any more. */
  review(left?: RegisterItem[]): void
}

export const nameOf = ({ messageId, eventType }: RegisterItem): string => `${eventType}|${messageId}`

export function createShownReceipts(
  store: InboxStore,
  onSettled: (handle: number, head: InboxHead) => void,
): ShownReceipts {
  const shown = new Map<string, { item: RegisterItem; handle: number }>()
  const isTold = ({ messageId, eventType }: RegisterItem): boolean => {
    const known = store.known(messageId)
    return Boolean(known?.[`${eventType}At`]) && (eventType === 'read' || known?.unopened === false)
  }
  const end = (name: string, handle: number): void => {
    store.drop(handle)
    shown.delete(name)
  }
  return {
    queued: (items) => {
      for (const item of items) {
        if (shown.has(nameOf(item)) || isTold(item)) continue
        shown.set(nameOf(item), { item, handle: store.begin([item.messageId], effectOf(item)) })
      }
    },
    settled: (items, head) => {
      for (const name of items.map(nameOf)) {
        const handle = shown.get(name)?.handle
        if (handle === undefined) continue
        if (head === undefined) end(name, handle)
        else onSettled(handle, head)
        shown.delete(name)
      }
    },
    review: (left) => {
      const names = left && new Set(left.map(nameOf))
      for (const [name, { item, handle }] of shown) if (isTold(item) || names?.has(name) === false) end(name, handle)
    },
  }
}

/** What a delivery event does to the message, before the service says so: a later one implies the earlier. */
function effectOf({ eventType, occurredAt: at = '' }: RegisterItem): MessagePatch {
  if (eventType === 'read') return { readAt: at }
  return { readAt: at, openedAt: at, unopened: false, ...(eventType === 'clicked' && { clickedAt: at }) }
}
