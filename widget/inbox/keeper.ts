// Keeps one user's inbox in this browser for a cold start, and wipes it when asked (contract section 13).

import type { InboxHead } from '../../contract/api.ts'
import type { InboxStore, StoredList } from './inbox-store.ts'
import { type Drawer, holdDrawer, inboxKey, wipeForsaken } from './storage.ts'

/** One user's inbox as it was last seen. */
export interface StoredInbox {
  /** As the service named the user: a token may have become another's. */
  userId: string | undefined
  head: InboxHead
  list: StoredList
}

export interface Keeper {
  read(): Promise<StoredInbox | undefined>
  /** Keeps it when things have calmed down. */
  keepSoon(): void
  wipe(): Promise<void>
  /** Keeps no more, and lets others wipe it. */
  stop(): void
  release(): void
}

const STORED_MESSAGES = 100
const AFTER_MS = 500

export function createKeeper(
  { drawer, apiKey, ownerId, store }: { drawer: Drawer; apiKey: string; ownerId: string; store: InboxStore },
  now: () => Omit<StoredInbox, 'list'>,
): Keeper {
  const key = inboxKey(apiKey, ownerId)
  const release = holdDrawer(key)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  const keep = async (): Promise<void> => {
    const list = store.toStored(STORED_MESSAGES)
    const { userId, head } = now()
    if (isOver || list === undefined || head.epoch === '') return
    await drawer.set(key, { userId, head, list } satisfies StoredInbox)
  }
  void wipeForsaken(drawer, apiKey, key).catch(() => {})
  return {
    release,
    read: () => drawer.get<StoredInbox>(key),
    keepSoon: () => {
      clearTimeout(timer)
      if (!isOver) timer = setTimeout(() => void keep(), AFTER_MS)
    },
    wipe: () => drawer.del(key),
    stop: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}
