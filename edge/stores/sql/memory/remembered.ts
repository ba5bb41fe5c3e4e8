// What the writer remembers of rows that every batch asks for: heads of inboxes, and keys that are live. It may be old where other
// nodes write too: a batch that goes by it says so to the database, which fails when it is not so (decision 0221).

import type { WorkingHead } from '../commit/working-rows.ts'

/** A key, as far as a batch asks for it. */
export interface LiveSecret {
  id: number
  retiresAt: number | null
  lastUsedAt: number
}

type Head = Omit<WorkingHead, 'standing'>

/** What is learned in a transaction counts only once `keep` is called after its commit. */
export interface Remembered {
  /** The heads of all these users, or undefined where one is not known, or memory was wrong a moment ago. */
  headsOf(userNos: Iterable<number>): WorkingHead[] | undefined
  findSecret(id: number): LiveSecret | undefined
  learnHeads(heads: Iterable<Head>): void
  learnSecrets(secrets: LiveSecret[]): void
  /** A batch that went by memory met something else: memory is left alone for some batches, for more of them each time. */
  distrust(): void
  /** The transaction is committed. */
  keep(): void
  /** The transaction is rolled back. */
  drop(): void
}

/** Heads are some 100 bytes each. */
const MOST_HEADS = 50_000
const MOST_SECRETS = 1000
const LEAST_PAUSE = 8
const LONGEST_PAUSE = 2048

/** Two generations of heads, as with the numbers of users (`commit/user-numbers.ts`). */
export function createRemembered(mostHeads = MOST_HEADS): Remembered {
  let young = new Map<number, Head>()
  let old = new Map<number, Head>()
  const secrets = new Map<number, LiveSecret>()
  let learned: { heads: Head[]; secrets: LiveSecret[] } = { heads: [], secrets: [] }
  /** How many batches the next mistake costs, and how many are left of the latest. */
  let pause = 0
  let left = 0
  let isUsed = false

  function put(head: Head): void {
    young.set(head.userNo, head)
    if (young.size < mostHeads / 2) return
    old = young
    young = new Map()
  }

  return {
    headsOf(userNos) {
      if (left > 0) return undefined
      const heads: WorkingHead[] = []
      for (const userNo of userNos) {
        const head = young.get(userNo) ?? old.get(userNo)
        if (head === undefined) return undefined
        const { seq, unread, unopened, floor } = head
        heads.push({ userNo, seq, unread, unopened, floor, standing: 'same' })
      }
      isUsed = true
      return heads
    },
    findSecret: (id) => secrets.get(id),
    learnHeads(heads) {
      for (const { userNo, seq, unread, unopened, floor } of heads)
        learned.heads.push({ userNo, seq, unread, unopened, floor })
    },
    learnSecrets: (live) => void learned.secrets.push(...live),
    distrust() {
      pause = Math.min(LONGEST_PAUSE, Math.max(LEAST_PAUSE, 2 * pause))
      left = pause
      isUsed = false
    },
    keep() {
      for (const head of learned.heads) put(head)
      if (secrets.size + learned.secrets.length > MOST_SECRETS) secrets.clear()
      for (const secret of learned.secrets) secrets.set(secret.id, secret)
      if (isUsed) pause = Math.max(0, pause - 1)
      else left = Math.max(0, left - 1)
      forgetLearned()
    },
    drop: forgetLearned,
  }

  function forgetLearned(): void {
    learned = { heads: [], secrets: [] }
    isUsed = false
  }
}
