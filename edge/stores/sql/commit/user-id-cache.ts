// Caches a bounded number of user numbers by user id, so that a known user needs no query.

const MAX_ENTRIES = 200_000

/** A cache whose entries of a transaction are dropped when it rolls back. */
export interface UserIdCache {
  get(environmentId: number, userId: string): number | undefined
  learn(environmentId: number, userId: string, userNo: number): void
  forget(environmentId: number, userId: string): void
  /** Removes all entries, because another process may have erased users. */
  clear(): void
  /** Keeps the entries of the transaction; called after its commit. */
  keep(): void
  /** Drops the entries of the transaction; called after its rollback. */
  drop(): void
}

type Numbers = Map<number, Map<string, number>>

/**
 * Creates the cache with two generations: a full young generation replaces the old one, whose unused entries are lost.
 * `lru-cache` would need a joined key, and is slower and larger (docs/performance.md#tried-and-not-taken).
 */
export function createUserIdCache(maxEntries = MAX_ENTRIES): UserIdCache {
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
    if (++youngSize < maxEntries / 2) return
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
