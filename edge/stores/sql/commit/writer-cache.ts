// Caches rows that every batch needs: inbox heads and live keys. Entries may be stale where other nodes write: a
// batch on cached rows is checked by the database (docs/decisions/0007-postgres-batches.md).

import { createCache } from '../../../lib/cache.ts'
import type { WorkingHead } from './working-rows.ts'

/** The fields of a key that a batch needs. */
export interface LiveSecret {
  id: number
  retiresAt: number | null
  lastUsedAt: number
}

type Head = Omit<WorkingHead, 'standing'>

/** Entries learned in a transaction are used after `keep`, which is called after its commit. */
export interface WriterCache {
  /** Returns the heads of all these users; undefined when one is not cached, or the cache is backing off. */
  headsOf(userNos: Iterable<number>): WorkingHead[] | undefined
  findSecret(id: number): LiveSecret | undefined
  learnHeads(heads: Iterable<Head>): void
  learnSecrets(secrets: LiveSecret[]): void
  /** Backs off after a stale entry: the cache is not used for some batches, for more of them each time. */
  backOff(): void
  /** Keeps what was learned: the transaction is committed. */
  keep(): void
  /** Drops what was learned: the transaction is rolled back. */
  drop(): void
}

/** A head takes about 100 bytes. */
const MAX_HEADS = 50_000
const MAX_SECRETS = 1000
const LEAST_PAUSE = 8
const LONGEST_PAUSE = 2048

export function createWriterCache(maxHeads = MAX_HEADS): WriterCache {
  const known = createCache<number, Head>({ maxSize: maxHeads })
  const secrets = createCache<number, LiveSecret>({ maxSize: MAX_SECRETS })
  let learned: { heads: Head[]; secrets: LiveSecret[] } = { heads: [], secrets: [] }
  /** The number of batches without the cache after the next stale entry, and what is left of the current pause. */
  let pause = 0
  let left = 0
  let isUsed = false

  return {
    headsOf(userNos) {
      if (left > 0) return undefined
      const heads: WorkingHead[] = []
      for (const userNo of userNos) {
        const head = known.get(userNo)
        if (head === undefined) return undefined
        const { seq, unread, unopened, floor } = head
        heads.push({ userNo, seq, unread, unopened, floor, standing: 'same' })
      }
      isUsed = true
      return heads
    },
    findSecret: secrets.get,
    learnHeads(heads) {
      for (const { userNo, seq, unread, unopened, floor } of heads)
        learned.heads.push({ userNo, seq, unread, unopened, floor })
    },
    learnSecrets: (live) => void learned.secrets.push(...live),
    backOff() {
      pause = Math.min(LONGEST_PAUSE, Math.max(LEAST_PAUSE, 2 * pause))
      left = pause
      isUsed = false
    },
    keep() {
      for (const head of learned.heads) known.set(head.userNo, head)
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
