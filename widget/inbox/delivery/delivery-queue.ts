// The delivery events of this user, from whichever tab: shown at once, kept, sent, and told to the other tabs.

import type { InboxHead, RegisterItem } from '../../../contract/api.ts'
import type { Call } from '../../transport/api.ts'
import type { InboxStore } from '../inbox-store.ts'
import type { Surroundings } from '../surroundings.ts'
import type { TabMessage } from '../sync/tab-message.ts'
import { createReceipts, type Receipts } from './receipts.ts'
import { createShownReceipts } from './shown-receipts.ts'

export interface DeliveryQueue extends Receipts {
  /** What another tab says. */
  hear(word: TabMessage): void
  /** The log has moved on. */
  review(): void
  /** What other tabs said while this one slept is lost to it: the queue on disk tells. */
  reconcile(): Promise<void>
}

export interface DeliveryQueueDeps {
  around: Pick<Surroundings, 'drawer' | 'locks'>
  key: string
  store: InboxStore
  call: Call
  now: () => number
  onChange: () => void
  onSettled: (handles: number[], head: InboxHead) => void
  say: (word: TabMessage) => void
}

export function createDeliveryQueue(deps: DeliveryQueueDeps): DeliveryQueue {
  const shown = createShownReceipts(deps.store, deps.onSettled)
  const noted = (items: RegisterItem[]): void => {
    shown.queued(items)
    deps.onChange()
  }
  const answered = (items: RegisterItem[], head: InboxHead | undefined): void => {
    shown.settled(items, head)
    deps.onChange()
  }
  const receipts = createReceipts({
    ...deps.around,
    key: deps.key,
    now: deps.now,
    send: (events) => deps.call('POST', '/v1/notification/event/register', { body: { events } }),
    isAgain: ({ messageId, eventType }) => eventType !== 'read' && deps.store.find(messageId)?.unopened,
    onQueued: noted,
    onKept: (items) => deps.say({ says: 'queued', items }),
    onSettled: (items, head) => {
      answered(items, head)
      deps.say({ says: 'settled', items, head })
    },
    onTried: () => void reconcile(),
  })
  const reconcile = async (): Promise<void> => {
    await shown.reconcile(receipts.left)
    deps.onChange()
  }
  return {
    ...receipts,
    hear: (word) => {
      if (word.says === 'queued') {
        noted(word.items)
        // A tab that was frozen says late what another has sent since.
        void reconcile()
      } else if (word.says === 'settled') answered(word.items, word.head)
    },
    review: shown.review,
    reconcile,
  }
}
