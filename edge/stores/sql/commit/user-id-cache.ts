// Caches user numbers by user id, bounded, so that a known user costs no query.

const MOST = 200_000

/** Entries learned in a transaction count only once `keep` is called after its commit. */
export interface UserIdCache {
  get(environmentId: number, userId: string): number | undefined
  learn(environmentId: number, userId: string, userNo: number): void
  forget(environmentId: number, userId: string): void
  /** Clears the cache: another process has written, so entries may be stale. */
  clear(): void
  /** Keeps what was learned: the transaction is committed. */
  keep(): void
  /** Drops what was learned: the transaction is rolled back. */
  drop(): void
}

type Numbers = Map<number, Map<string, number>>

/**
 * Creates the cache with two generations: a full young one becomes the old one, and unused entries are dropped.
 * `lru-cache` would need a joined key, and is slower and larger (docs/performance.md#tried-and-not-taken).
 */
export function createUserIdCache(most = MOST): UserIdCache {
  let young: Numbers = new Map()
  let old: Numbers = new Map()
  let youngSize = 0
  let learned: { environmentId: number; userId: string; userNo: number }[] = []

  function put(environmentId: number, userId: string, userNo: number): void {
    let ofEnvironment = young.get(environmentId)
    if (ofEnvironment === undefined) {
      ofEnvironment = new Map()
      young.set(environmentId, ofEnvironment)
    }
    ofEnvironment.set(userId, userNo)
    if (++youngSize < most / 2) return
    old = young
    young = new Map()
    youngSize = 0
  }

  function forget(environmentId: number, userId: string): void {
    young.get(environmentId)?.delete(userId)
    old.get(environmentId)?.delete(userId)
  }

  return {
    get(environmentId, userId) {
      const found = young.get(environmentId)?.get(userId)
      if (found !== undefined) return found
      const aged = old.get(environmentId)?.get(userId)
      if (aged !== undefined) put(environmentId, userId, aged)
      return aged
    },
    learn(environmentId, userId, userNo) {
      learned.push({ environmentId, userId, userNo })
      put(environmentId, userId, userNo)
    },
    forget,
    clear() {
      young = new Map()
      old = new Map()
      youngSize = 0
    },
    keep() {
      learned = []
    },
    drop() {
      for (const { environmentId, userId } of learned) forget(environmentId, userId)
      learned = []
    },
  }
}
