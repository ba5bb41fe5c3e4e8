// What an inbox needs of the browser around it: storage, locks, a word to the other tabs, the page's own fate, a socket.

import type { CreateRealtime } from '../transport/realtime.ts'
import type { CoreDeps } from './core-types.ts'
import { isPageVisible, type PageState, watchPage } from './page-lifecycle.ts'
import { type InboxStorage, pageStorage } from './storage.ts'
import type { Broadcast } from './sync/broadcast.ts'

export interface Locks {
  /** Holds the lock while `act` runs; the promise rejects when it was taken away. `steals`: at once, from whoever has it. */
  request(name: string, how: { steals?: boolean; signal?: AbortSignal }, act: () => Promise<void>): Promise<void>
  names: Broadcast['lockNames']
}

export interface BrowserApis {
  storage: InboxStorage
  locks: Locks
  openChannel: Broadcast['openChannel']
  isVisible(): boolean
  watchPage(onState: (state: PageState) => void): () => void
  /** Fetches the part of the socket. */
  loadRealtime(): Promise<CreateRealtime>
}

/** Tabs are one where the browser has locks and channels; where locks are missing, each inbox is for itself. */
export function browserApis({
  storage = pageStorage(),
  broadcast,
  loadRealtime,
}: Pick<CoreDeps, 'storage' | 'broadcast' | 'loadRealtime'>): BrowserApis {
  const locks = globalThis.navigator?.locks
  return {
    storage,
    locks: locks ? locksOf(locks, broadcast) : NO_LOCKS,
    openChannel: (...named) => (locks ? broadcast.openChannel(...named) : undefined),
    isVisible: isPageVisible,
    watchPage,
    loadRealtime: async () => (await loadRealtime()).createRealtime,
  }
}

const locksOf = (locks: LockManager, { lockNames }: Broadcast): Locks => ({
  request: async (name, { steals = false, signal }, act) => {
    try {
      await locks.request(name, steals ? { steal: true } : signal ? { signal } : {}, act)
    } catch (error) {
      if ((error as Error).name === 'AbortError') throw error
      // Refused to this page (a sandboxed frame): it is for itself.
      await NO_LOCKS.request(name, { steals }, act)
    }
  },
  names: lockNames,
})

/** Each has the lock, at once. */
const NO_LOCKS: Locks = {
  // A leader that is silent is this page itself.
  request: async (_name, { steals }, act) => (steals ? undefined : act()),
  names: async () => undefined,
}
