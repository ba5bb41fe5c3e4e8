// Delivery events that are on their way, as the list and the badge already show them (contract section 5).

import type { MessagePatch, RegisterAnswer, RegisterItem } from '../../contract/api.ts'
import type { InboxStore } from './inbox-store.ts'

export interface ShownReceipts {
  queued(items: RegisterItem[]): void
  /** Without an answer the service refused them as a whole. */
  settled(items: RegisterItem[], answer: RegisterAnswer | undefined): void
}

const nameOf = ({ messageId, eventType }: RegisterItem): string => `${eventType}|${messageId}`

export function createShownReceipts(store: InboxStore, now: () => number): ShownReceipts {
  const handles = new Map<string, number>()
  return {
    queued: (items) => {
      for (const item of items) {
        handles.set(nameOf(item), store.begin([item.messageId], effectOf(item, now())))
      }
    },
    settled: (items, answer) => {
      for (const name of items.map(nameOf)) {
        const handle = handles.get(name)
        if (handle === undefined) continue
        if (answer === undefined) store.rollback(handle)
        else store.confirm(handle, { seq: answer.inbox.seq })
        handles.delete(name)
      }
    },
  }
}

/** What a delivery event does to the message, before the service says so: a later one implies the earlier. */
function effectOf({ eventType, occurredAt }: RegisterItem, now: number): MessagePatch {
  const at = occurredAt ?? new Date(now).toISOString()
  if (eventType === 'read') return { readAt: at }
  return { readAt: at, openedAt: at, unopened: false, ...(eventType === 'clicked' && { clickedAt: at }) }
}
