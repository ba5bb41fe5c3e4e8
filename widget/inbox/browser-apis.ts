// Gives an inbox what it uses of the browser: storage, locks, channels to other tabs, the page's own states, a socket.

import type { BrowserApis, CoreDeps, Locks } from './core-types.ts'
import { isPageVisible, watchPage } from './page-lifecycle.ts'
import { pageStorage } from './storage.ts'
import type { Broadcast } from './sync/broadcast.ts'

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
