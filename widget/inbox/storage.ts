// Stores values in this browser: IndexedDB through idb-keyval, or memory where IndexedDB is refused, full or silent. Never a token.

import { createStore, del, get, keys, promisifyRequest, type UseStore, update } from 'idb-keyval'
import { cacheCounts, cachedKeys } from './cached-counts.ts'
import type { Counts } from './change-log.ts'

export interface InboxStorage {
  /** @returns undefined where nothing is stored, or nothing can be read */
  get<T>(key: string): Promise<T | undefined>
  /** Reads and writes in one transaction, so that tabs do not overwrite each other. `undefined` removes the key. */
  update<T>(key: string, change: (old: T | undefined) => T | undefined): Promise<void>
  /** Removes the cached counts of the key, too. */
  del(key: string): Promise<void>
  keys(): Promise<string[]>
  /** @returns the counts cached last, synchronously; without this method the badge waits for the server */
  readCounts?(key: string): Counts | undefined
  /** Caches counts for the first badge of the next page. */
  cacheCounts?(key: string, counts: Counts): void
}

const DATABASE = 'notification-center'
const STORE = 'log'
/** Version of the database. A widget that finds a higher one keeps to its memory. */
const VERSION = 2
/** WebKit never answers while a frozen page has a write under way. */
const TIME_LIMIT_MS = 2000

/** @returns storage that never rejects and never hangs; memory serves as long as the page lives */
export function openStorage(): InboxStorage {
  const store = openStore()
  const memory = new Map<string, unknown>()

  /** A key that memory has taken over stays there: the database would bring back an older value. */
  const attempt = async <T>(key: string, stored: () => Promise<T>, fromMemory: () => T): Promise<T> => {
    if (memory.has(key)) return fromMemory()
    return withTimeLimit(stored()).catch(fromMemory)
  }
  return {
    get: <T>(key: string) =>
      attempt(
        key,
        () => get<T>(key, store),
        () => memory.get(key) as T | undefined,
      ),
    update: <T>(key: string, change: (old: T | undefined) => T | undefined) =>
      attempt<unknown>(
        key,
        () => updateOrRemove(key, change, store),
        () => memory.set(key, change(memory.get(key) as T | undefined)),
      ).then(() => {}),
    del: async (key) => {
      memory.delete(key)
      cacheCounts(key)
      await withTimeLimit(del(key, store)).catch(() => {})
    },
    keys: () => withTimeLimit(keys(store)).then((stored) => [...stored.map(String), ...cachedKeys()], cachedKeys),
    cacheCounts,
  }
}

/** `update` of idb-keyval stores `undefined` under the key. The key goes afterwards, unless another tab wrote a value. */
async function updateOrRemove<T>(
  key: string,
  change: (old: T | undefined) => T | undefined,
  store: UseStore,
): Promise<void> {
  let next: T | undefined
  await update<T | undefined>(
    key,
    (old) => {
      next = change(old)
      return next
    },
    store,
  )
  if (next !== undefined) return
  await store('readwrite', (values) => {
    const asked = values.get(key)
    asked.onsuccess = () => {
      if (asked.result === undefined) values.delete(key)
    }
    return promisifyRequest(values.transaction)
  })
}

/** Rejects after two seconds, and a moment more: a page that was asleep so long has its answer at hand. */
async function withTimeLimit<T>(asked: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      timer = setTimeout(reject, 50)
    }, TIME_LIMIT_MS)
  })
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}

/** @returns a store of idb-keyval that makes way for a newer database, and opens again after its connection was closed */
function openStore(): UseStore {
  let opening: Promise<UseStore> | undefined
  return async (mode, act) => {
    opening ??= prepareDatabase().then(() => createStore(DATABASE, STORE))
    const store = await opening
    return store(mode, (values) => {
      const { db } = values.transaction
      db.onclose = db.onversionchange = () => {
        db.close()
        opening = undefined
      }
      return act(values)
    })
  }
}

/**
 * Gives the database its version and its store: `createStore` opens whatever is there.
 * An older database loses its inboxes and keeps its delivery events, whose form and keys are the same in all versions.
 * @throws when the database is a newer one, has no store, or is held open by a page of an older version
 */
function prepareDatabase(): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, VERSION)
    asked.onupgradeneeded = () => {
      const { result, transaction } = asked
      if (result.objectStoreNames.contains(STORE))
        transaction?.objectStore(STORE).delete(IDBKeyRange.upperBound('receipts'))
      else result.createObjectStore(STORE)
    }
    asked.onblocked = asked.onerror = reject
    asked.onsuccess = () => {
      const { result } = asked
      const hasStore = result.objectStoreNames.contains(STORE)
      // `createStore` has a connection of its own.
      result.close()
      if (hasStore) resolve()
      else reject(new Error('store missing'))
    }
  })
}

let ofPage: InboxStorage | undefined

/** @returns the storage that all inboxes of this page share: the browser keeps each connection while the page lives */
export function pageStorage(): InboxStorage {
  ofPage ??= openStorage()
  return ofPage
}
