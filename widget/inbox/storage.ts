// What the widget keeps in this browser, per API key, server and user: the local log with its list, and delivery events not yet sent. Never a token.

import type { Counts } from './change-log.ts'
import { inboxKey, note, notedKeys } from './counts-at-hand.ts'

export interface Drawer {
  get<T>(key: string): Promise<T | undefined>
  /** Reads and writes in one transaction, so that tabs do not overwrite each other. Undefined takes the key away. */
  update<T>(key: string, change: (old: T | undefined) => T | undefined): Promise<void>
  del(key: string): Promise<void>
  keys(): Promise<string[]>
  /** What was noted of a key, at once; without it the badge waits for the service. */
  glance?(key: string): Counts | undefined
  /** Counts for the next page's first look, until `del`. */
  note?(key: string, counts: Counts): void
}

/** Of what stands in the store. A page of an older version keeps to its memory; what it stored is wiped, but for delivery events: their form and their keys are the same in all. */
const SCHEMA = 2
const STORE = 'log'
/** WebKit never answers while a page that was just left is frozen with a write of its own under way. */
const PATIENCE_MS = 2000

/** IndexedDB; where it is refused, full or silent (private windows, blocked storage), memory for as long as the page lives. */
export function openDrawer(): Drawer {
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
      note(key)
      await inTime(stored('readwrite', (store) => store.delete(key))).catch(() => {})
    },
    keys: () =>
      inTime(stored('readonly', (store) => store.getAllKeys())).then(
        (keys) => [...keys.map(String), ...notedKeys()],
        notedKeys,
      ),
    note,
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

let ofPage: Drawer | undefined

/** One for the page: the browser keeps each connection to the database for as long as the page lives. */
export function pageDrawer(): Drawer {
  ofPage ??= openDrawer()
  return ofPage
}

/** Key of one user's delivery events that wait. */
export const receiptsKey = (...owner: Owner): string => `receipts${JSON.stringify(owner)}`
type Owner = [apiKey: string, baseUrl: string, ownerId: string]

/**
 * Wipes the stored inboxes of users of this API key that no live page shows: a shared computer keeps nobody's list.
 * Each live inbox holds, or waits for, a lock of its key's name (tabs.ts). Delivery events not yet sent stay, empty queues go.
 */
export async function wipeForsaken(drawer: Drawer, live: string[], [apiKey, baseUrl, ownerId]: Owner): Promise<void> {
  const names = new Set([inboxKey(apiKey, baseUrl, ownerId), ...live])
  const prefix = inboxKey(apiKey, baseUrl, '').slice(0, -'""]'.length)
  const queues = receiptsKey(apiKey, baseUrl, '').slice(0, -'""]'.length)
  for (const key of await drawer.keys()) {
    if (names.has(key.replace(/^receipts/, 'inbox'))) continue
    if (key.startsWith(prefix)) await drawer.del(key)
    // The key names its user.
    if (key.startsWith(queues)) await drawer.update<unknown[]>(key, (items) => (items?.length ? items : undefined))
  }
}
