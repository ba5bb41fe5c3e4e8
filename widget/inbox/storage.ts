// What the widget keeps in this browser, per API key and user: the list for a cold start and delivery events not yet sent (contract section 13). Never a token.

import { createStore, del, get, keys, set, update } from 'idb-keyval'

export interface Drawer {
  get<T>(key: string): Promise<T | undefined>
  set(key: string, value: unknown): Promise<void>
  /** Reads and writes in one transaction, so that tabs do not overwrite each other. */
  update<T>(key: string, change: (old: T | undefined) => T): Promise<void>
  del(key: string): Promise<void>
  keys(): Promise<string[]>
}

/** IndexedDB; where it is refused (private windows, blocked storage), memory for as long as the page lives. */
export function openDrawer(): Drawer {
  const memory = new Map<string, unknown>()
  let store: ReturnType<typeof createStore> | undefined
  const attempt = async <T>(
    stored: (from: ReturnType<typeof createStore>) => Promise<T>,
    kept: () => T,
  ): Promise<T> => {
    if (memory.size > 0) return kept()
    try {
      store ??= createStore('notification-center', 'inbox')
      return await stored(store)
    } catch {
      return kept()
    }
  }
  return {
    get: <T>(key: string) =>
      attempt(
        (from) => get<T>(key, from),
        () => memory.get(key) as T | undefined,
      ),
    set: (key, value) =>
      attempt(
        (from) => set(key, value, from),
        () => void memory.set(key, value),
      ),
    update: <T>(key: string, change: (old: T | undefined) => T) =>
      attempt(
        (from) => update<T>(key, change, from),
        () => void memory.set(key, change(memory.get(key) as T | undefined)),
      ),
    del: (key) =>
      attempt(
        (from) => del(key, from),
        () => void memory.delete(key),
      ),
    keys: () =>
      attempt(
        (from) => keys<string>(from),
        () => [...memory.keys()],
      ),
  }
}

/** Keys of one user's drawers; an API key holds no `|`. */
export const inboxKey = (apiKey: string, ownerId: string): string => `inbox|${apiKey}|${ownerId}`
export const receiptsKey = (apiKey: string, ownerId: string): string => `receipts|${apiKey}|${ownerId}`

/**
 * Wipes the stored inboxes of users of this API key that no live page shows: a shared computer keeps nobody's list.
 * Each live inbox holds a lock of its key's name (see `holdDrawer`). Delivery events not yet sent stay.
 */
export async function wipeForsaken(drawer: Drawer, apiKey: string, ownKey: string): Promise<void> {
  if (globalThis.navigator?.locks === undefined) return
  const { held = [] } = await navigator.locks.query()
  const live = new Set([ownKey, ...held.map((lock) => lock.name)])
  for (const key of await drawer.keys()) {
    if (key.startsWith(inboxKey(apiKey, '')) && !live.has(key)) await drawer.del(key)
  }
}

/** Says that a live page shows this inbox, until the answered function is called. */
export function holdDrawer(key: string): () => void {
  if (globalThis.navigator?.locks === undefined) return () => {}
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  void navigator.locks.request(key, { mode: 'shared' }, () => held).catch(() => {})
  return () => release()
}
