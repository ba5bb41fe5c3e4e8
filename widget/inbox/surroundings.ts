// What an inbox needs of the browser around it: storage, locks, a word to the other tabs, the page's own fate, a socket.

import { type OpenRealtime, openRealtime } from '../transport/realtime.ts'
import type { Drawer } from './storage.ts'
import { isPageVisible, type PageWord, watchPage } from './waking.ts'

export interface Locks {
  /** Holds the lock while `act` runs; the promise rejects when it was taken away. `steals`: at once, from whoever has it. */
  request(name: string, how: { steals?: boolean; signal?: AbortSignal }, act: () => Promise<void>): Promise<void>
  /** The names of locks that live pages hold or wait for; undefined where that cannot be told. */
  names(): Promise<string[] | undefined>
}

/** To all others of the same name, in this page and in other tabs; never to itself. */
export interface Channel {
  post(word: unknown): void
  close(): void
}

export interface Surroundings {
  drawer: Drawer
  locks: Locks
  openChannel(name: string, onWord: (word: unknown) => void): Channel
  isVisible(): boolean
  watchPage(tell: (word: PageWord) => void): () => void
  openRealtime: OpenRealtime
  /** Told when a lost socket is tried again. */
  onRetry?: (delayMs: number) => void
}

/** Tabs are one where the browser has locks and channels; where either is missing, each page is for itself. */
export function browserSurroundings(drawer: Drawer): Surroundings {
  const locks = globalThis.navigator?.locks
  const canJoin = locks !== undefined && globalThis.BroadcastChannel !== undefined
  return {
    drawer,
    locks: canJoin ? locksOf(locks) : PAGE_LOCKS,
    openChannel: canJoin ? openBroadcast : openPageChannel,
    isVisible: isPageVisible,
    watchPage,
    openRealtime,
  }
}

const locksOf = (locks: LockManager): Locks => ({
  request: async (name, { steals = false, signal }, act) => {
    try {
      await locks.request(name, steals ? { steal: true } : signal ? { signal } : {}, act)
    } catch (error) {
      if ((error as Error).name === 'AbortError') throw error
      // Refused to this page (a sandboxed frame): it is for itself.
      await PAGE_LOCKS.request(name, { steals }, act)
    }
  },
  names: async () => {
    const { held = [], pending = [] } = await locks.query()
    return [...held, ...pending].map(({ name }) => String(name))
  },
})

function openBroadcast(name: string, onWord: (word: unknown) => void): Channel {
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => onWord(data)
  return { post: (word) => channel.postMessage(word), close: () => channel.close() }
}

const queues = new Map<string, Promise<void>>()
/** Among the elements of this page, one after the other. */
const PAGE_LOCKS: Locks = {
  request: (name, { steals }, act) => {
    // Whoever has it is of this page, and as alive as the one that asks.
    if (steals) return Promise.resolve()
    const run = (queues.get(name) ?? Promise.resolve()).then(act)
    queues.set(
      name,
      run.catch(() => {}),
    )
    return run
  },
  names: async () => undefined,
}

const rooms = new Map<string, Set<(word: unknown) => void>>()

function openPageChannel(name: string, onWord: (word: unknown) => void): Channel {
  const room = rooms.get(name) ?? new Set()
  rooms.set(name, room.add(onWord))
  return {
    post: (word) => {
      for (const hear of room) if (hear !== onWord) queueMicrotask(() => room.has(hear) && hear(word))
    },
    close: () => {
      room.delete(onWord)
      if (room.size === 0) rooms.delete(name)
    },
  }
}
