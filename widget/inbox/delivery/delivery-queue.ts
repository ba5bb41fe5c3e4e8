// Delivery events of this user from all tabs: shown at once, stored, sent, and passed on to the other tabs.

import type { InboxHead, MessagePatch, RegisterItem } from '../../../contract/api.ts'
import type { Call } from '../../transport/api.ts'
import type { BrowserApis } from '../core-types.ts'
import type { InboxStore } from '../inbox-store.ts'
import type { TabMessage } from '../sync/tab-message.ts'
import { createReceipts, nameOf, type Receipts } from './receipts.ts'

export interface DeliveryQueue extends Receipts {
  /** Takes a message of another tab. */
  receive(message: TabMessage): void
  /** To be called when the log has moved on. */
  review(): void
  /** Compares what is shown with the stored queue: messages of other tabs may have been lost while this one slept. */
  reconcile(): Promise<void>
}

export interface DeliveryQueueDeps {
  browser: Pick<BrowserApis, 'storage' | 'locks'>
  key: string
  store: InboxStore
  call: Call
  /** @returns the server's time, epoch ms */
  now: () => number
  onChange: () => void
  onSettled: (handles: number[], head: InboxHead) => void
  /** Sends a message to the other tabs. */
  post: (message: TabMessage) => void
}

export function createDeliveryQueue(deps: DeliveryQueueDeps): DeliveryQueue {
  const shown = createShownReceipts(deps.store, deps.onSettled)
  const show = (items: RegisterItem[]): void => {
    shown.show(items)
    deps.onChange()
  }
  const settle = (items: RegisterItem[], head: InboxHead | undefined): void => {
    shown.settle(items, head)
    deps.onChange()
  }
  const reconcile = async (): Promise<void> => {
    await shown.reconcile(receipts.listUnsettled)
    deps.onChange()
  }
  const receipts = createReceipts({
    ...deps.browser,
    key: deps.key,
    now: deps.now,
    send: (events) => deps.call('POST', '/v1/notification/event/register', { body: { events } }),
    isAgain: ({ messageId, eventType }) => eventType !== 'read' && deps.store.find(messageId)?.unopened,
    onQueued: show,
    onStored: (items) => deps.post({ kind: 'queued', items }),
    onSettled: (items, head) => {
      settle(items, head)
      deps.post({ kind: 'settled', items, head })
    },
    onTried: () => void reconcile(),
  })
  return {
    ...receipts,
    receive: (message) => {
      if (message.kind === 'queued') {
        show(message.items)
        // A tab that was frozen sends late what another tab has settled since.
        void reconcile()
      } else if (message.kind === 'settled') settle(message.items, message.head)
    },
    review: shown.review,
    reconcile,
  }
}

/** Delivery events that list and badge show before the log contains them. */
export interface ShownReceipts {
  show(items: RegisterItem[]): void
  /** The server has answered these, or (without a head) refused them as a whole. */
  settle(items: RegisterItem[], head: InboxHead | undefined): void
  /** Ends those that the log contains by now. */
  review(): void
  /** Ends those that no queue has. `listUnsettled` is undefined when the storage does not answer: then all stay. */
  reconcile(listUnsettled: () => Promise<Set<string> | undefined>): Promise<void>
}

interface Shown {
  item: RegisterItem
  handle: number
  /** When it was shown, the message had no event of this type. */
  isFirst: boolean
}

export function createShownReceipts(
  store: InboxStore,
  onSettled: (handles: number[], head: InboxHead) => void,
): ShownReceipts {
  const shown = new Map<string, Shown>()
  const hasHappened = ({ messageId, eventType }: RegisterItem): boolean =>
    Boolean(store.known(messageId)?.[`${eventType}At`])
  /** A first event is in the log once its time is there; a repeated opening, once the message is no longer unopened. */
  const isInLog = (item: RegisterItem, isFirst: boolean): boolean =>
    hasHappened(item) && (isFirst || item.eventType === 'read' || store.known(item.messageId)?.unopened === false)
  const end = (name: string, handle: number): void => {
    store.drop(handle)
    shown.delete(name)
  }
  return {
    show: (items) => {
      for (const item of items) {
        if (shown.has(nameOf(item)) || isInLog(item, false)) continue
        const handle = store.begin([item.messageId], effectOf(item))
        shown.set(nameOf(item), { item, handle, isFirst: !hasHappened(item) })
      }
    },
    settle: (items, head) => {
      const handles = items.flatMap((item) => shown.get(nameOf(item))?.handle ?? [])
      for (const item of items) shown.delete(nameOf(item))
      // All at once: the head counts them all, and one that still waited would be counted twice.
      if (!head) handles.forEach(store.drop)
      else if (handles.length) onSettled(handles, head)
    },
    review: () => {
      for (const [name, { item, handle, isFirst }] of shown) if (isInLog(item, isFirst)) end(name, handle)
    },
    reconcile: async (listUnsettled) => {
      // The answer lacks events that are recorded while the storage is read.
      const before = [...shown]
      const names = await listUnsettled()
      for (const [name, { handle }] of before)
        if (names?.has(name) === false && shown.get(name)?.handle === handle) end(name, handle)
    },
  }
}

/** @returns what a delivery event changes in the message; a later event implies the earlier ones */
function effectOf({ eventType, occurredAt: at = '' }: RegisterItem): MessagePatch {
  if (eventType === 'read') return { readAt: at }
  return { readAt: at, openedAt: at, unopened: false, ...(eventType === 'clicked' && { clickedAt: at }) }
}
