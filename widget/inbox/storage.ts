// Stores values in this browser: IndexedDB, or memory where it is refused, full or silent. Never a token.

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

/** Of what stands in the store. A page of an older version keeps to its memory; what it stored is wiped, but for delivery events: their form and their keys are the same in all. */
const SCHEMA = 2
const STORE = 'log'
/** WebKit never answers while a page that was just left is frozen with a write of its own under way. */
const PATIENCE_MS = 2000

/** IndexedDB; where it is refused, full or silent (private windows, blocked storage), memory for as long as the page lives. */
export function openStorage(): InboxStorage {
  const memory = new Map<string, unknown>()
  let opening: Promise<IDBDatabase> | undefined

  /** Settles with what `act` has asked for; what is written, when it is on disk. */
  const stored = async <T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    opening ??= openDatabase(() => {
      opening = undefined
    })
    const transaction = (await opening).transaction(STORE, mode)
    return new Promise((resolve, reject) => {
      const asked = act(transaction.objectStore(STORE))
      const settle = () => resolve(asked.result)
      // The end of a transaction is one more way to the browser's process and back.
      if (mode === 'readonly') asked.onsuccess = settle
      transaction.oncomplete = settle
      // An error ends in this, too; why, nobody asks.
      transaction.onabort = reject
    })
  }
  /** What memory has taken over stays there: the disk would bring back what is older. */
  const attempt = async <T>(key: string, ask: () => Promise<T>, kept: () => T): Promise<T> => {
    if (memory.has(key)) return kept()
    try {
      return await inTime(ask())
    } catch {
      return kept()
    }
  }
  return {
    get: <T>(key: string) =>
      attempt(
        key,
        () => stored('readonly', (store) => store.get(key) as IDBRequest<T | undefined>),
        () => memory.get(key) as T | undefined,
      ),
    update: <T>(key: string, change: (old: T | undefined) => T | undefined) =>
      attempt<unknown>(
        key,
        () =>
          stored('readwrite', (store) => {
            const old = store.get(key) as IDBRequest<T | undefined>
            old.onsuccess = () => {
              const next = change(old.result)
              if (next === undefined) store.delete(key)
              else store.put(next, key)
            }
            return old
          }),
        () => memory.set(key, change(memory.get(key) as T | undefined)),
      ).then(() => {}),
    del: async (key) => {
      memory.delete(key)
      cacheCounts(key)
      await inTime(stored('readwrite', (store) => store.delete(key))).catch(() => {})
    },
    keys: () =>
      inTime(stored('readonly', (store) => store.getAllKeys())).then(
        (keys) => [...keys.map(String), ...cachedKeys()],
        cachedKeys,
      ),
    cacheCounts,
  }
}

/** Refused when nothing has come of it for two seconds, and a moment more: a page that slept so long has its answer at hand. */
async function inTime<T>(asked: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      timer = setTimeout(reject, 50)
    }, PATIENCE_MS)
  })
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}

function openDatabase(onGone: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open('notification-center', SCHEMA)
    asked.onupgradeneeded = () => {
      const { result, transaction } = asked
      if (result.objectStoreNames.contains(STORE))
        transaction?.objectStore(STORE).delete(IDBKeyRange.upperBound('receipts'))
      else result.createObjectStore(STORE)
    }
    // Another version's page holds it, or a newer one has changed it.
    asked.onblocked = asked.onerror = reject
    asked.onsuccess = () => {
      const { result } = asked
      result.onclose = result.onversionchange = () => {
        result.close()
        onGone()
      }
      resolve(result)
    }
  })
}

let ofPage: InboxStorage | undefined

/** @returns the storage that all inboxes of this page share: the browser keeps each connection while the page lives */
export function pageStorage(): InboxStorage {
  ofPage ??= openStorage()
  return ofPage
}
