// Which number a user has: a bounded memory of the writer, so that a known user costs no query.

const MOST = 200_000

/** Entries learned in a transaction count only once `keep` is called after its commit. */
export interface UserNumbers {
  get(environmentId: number, userId: string): number | undefined
  learn(environmentId: number, userId: string, userNo: number): void
  forget(environmentId: number, userId: string): void
  /** The transaction is committed. */
  keep(): void
  /** The transaction is rolled back. */
  drop(): void
}

/** Least recently used entries go first. */
export function createUserNumbers(most = MOST): UserNumbers {
  const kept = new Map<string, number>()
  const learned = new Map<string, number>()
  const keyOf = (environmentId: number, userId: string) => `${environmentId}:${userId}`

  return {
    get(environmentId, userId) {
      const key = keyOf(environmentId, userId)
      const fresh = learned.get(key)
      if (fresh !== undefined) return fresh
      const userNo = kept.get(key)
      if (userNo !== undefined) {
        kept.delete(key) // a Map keeps the order of insertion: taken out and put back is "used last"
        kept.set(key, userNo)
      }
      return userNo
    },
    learn(environmentId, userId, userNo) {
      learned.set(keyOf(environmentId, userId), userNo)
    },
    forget(environmentId, userId) {
      const key = keyOf(environmentId, userId)
      kept.delete(key)
      learned.delete(key)
    },
    keep() {
      for (const [key, userNo] of learned) kept.set(key, userNo)
      learned.clear()
      for (const key of kept.keys()) {
        if (kept.size <= most) break
        kept.delete(key)
      }
    },
    drop() {
      learned.clear()
    },
  }
}
