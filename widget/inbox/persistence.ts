// Saves one user's log and list in this browser for a cold start, and wipes what no live page shows.

import type { InboxChange, InboxHead, InboxMessage } from '../../contract/api.ts'
import { inboxKey, type Owner } from './cached-counts.ts'
import type { Counts } from './change-log.ts'
import type { InboxStorage } from './storage.ts'

/** One user's inbox as it was last shown. Other versions of the widget read it, too. */
export interface StoredInbox {
  /** From the sign-in: a token may have become another user's. */
  userId: string | undefined
  head: InboxHead
  /** The last changes before `head`, oldest first. */
  changes: InboxChange[]
  list: StoredList
}

export interface StoredList {
  messages: InboxMessage[]
  end: ListEnd
}

/** How far a list is loaded: down to the seq `floor`. `cursor` leads on; null at the end, empty when it was not stored. */
export interface ListEnd {
  floor: number
  cursor: string | null
}

export interface Persistence {
  read(): Promise<StoredInbox | undefined>
  /** Saves after half a second, with the changes until then. */
  saveSoon(): void
  /** Saves at once if a save is due, and caches the counts in any case. */
  saveNow(): void
  wipe(): Promise<void>
  stop(): void
}

/** Messages at most, and changes at most. */
const MAX_ITEMS = 100
/** Characters of a stored inbox as JSON. */
const MAX_CHARS = 1_000_000
const SAVE_DELAY_MS = 500

/**
 * @param counts the counts that this page shows; undefined while it has no list
 * @param snapshot at most so many messages and changes; undefined while there is nothing to save, or another tab saves
 */
export function createPersistence(
  storage: InboxStorage,
  key: string,
  counts: () => Counts | undefined,
  snapshot: (max: number) => StoredInbox | undefined,
): Persistence {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false

  const cancel = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  const cacheCounts = (): void => {
    const shown = counts()
    if (shown) storage.cacheCounts?.(key, shown)
  }
  const save = (): void => {
    cancel()
    let max = MAX_ITEMS
    let next = snapshot(max)
    while (max > 1 && JSON.stringify(next ?? '').length > MAX_CHARS) {
      max >>= 1
      next = snapshot(max)
    }
    if (next === undefined || isStopped) return
    cacheCounts()
    const { head } = next
    // Another tab may have led meanwhile and stored more.
    const isNewer = (old: StoredInbox): boolean => old.head.epoch === head.epoch && old.head.seq > head.seq
    void storage.update<StoredInbox | undefined>(key, (old) => (old !== undefined && isNewer(old) ? old : next))
  }
  return {
    read: () => storage.get<StoredInbox>(key),
    saveSoon: () => {
      // A later change does not restart the delay: an inbox that is always busy would never be saved.
      if (!isStopped) timer ??= setTimeout(save, SAVE_DELAY_MS)
    },
    saveNow: () => {
      if (timer !== undefined) save()
      // The leading tab may be frozen, and cache nothing.
      cacheCounts()
    },
    wipe: () => storage.del(key),
    stop: () => {
      isStopped = true
      cancel()
    },
  }
}

/** @returns the key of one user's delivery events that wait */
export const receiptsKey = (...owner: Owner): string => `receipts${JSON.stringify(owner)}`

/**
 * Wipes the stored inboxes of this API key and server that no live page shows, so that a shared computer keeps nobody's list.
 * Unsent delivery events stay; empty queues go, because their key names the user.
 * @param live names of the locks that live inboxes hold or wait for (`sync/tabs.ts`): each is the key of its inbox
 */
export async function wipeAbandoned(
  storage: InboxStorage,
  live: string[],
  [apiKey, baseUrl, ownerId]: Owner,
): Promise<void> {
  const inUse = new Set([inboxKey(apiKey, baseUrl, ownerId), ...live])
  const inboxes = inboxKey(apiKey, baseUrl, '').slice(0, -'""]'.length)
  const queues = receiptsKey(apiKey, baseUrl, '').slice(0, -'""]'.length)
  for (const key of await storage.keys()) {
    if (inUse.has(key.replace(/^receipts/, 'inbox'))) continue
    if (key.startsWith(inboxes)) await storage.del(key)
    if (key.startsWith(queues)) await storage.update<unknown[]>(key, (items) => (items?.length ? items : undefined))
  }
}
