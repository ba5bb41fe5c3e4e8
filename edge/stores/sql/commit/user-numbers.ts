// Which number a user has: a bounded memory of the writer, so that a known user costs no query.

const MOST = 200_000

/** Entries learned in a transaction count only once `keep` is called after its commit. */
export interface UserNumbers {
  get(environmentId: number, userId: string): number | undefined
  learn(environmentId: number, userId: string, userNo: number): void
  forget(environmentId: number, userId: string): void
  /** Another process has written: nothing that is known here can be trusted. */
  clear(): void
  /** The transaction is committed. */
  keep(): void
  /** The transaction is rolled back. */
  drop(): void
}

type Numbers = Map<number, Map<string, number>>

/** Two generations: when the young one is full it becomes the old one, and what was not asked for since is gone. */
export function createUserNumbers(most = MOST): UserNumbers {
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
