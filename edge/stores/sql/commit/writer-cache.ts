// Caches rows that most batches need: inbox heads and live keys. Entries may be stale because of other nodes, so the
// database checks each batch that uses them (docs/decisions/0007-postgres-batches.md).

import { createCache } from '../../../lib/cache.ts'
import type { WorkingHead } from './working-rows.ts'

/** The fields of a key that a batch needs. */
export interface LiveSecret {
  id: number
  retiresAt: number | null
  lastUsedAt: number
}

type Head = Omit<WorkingHead, 'rowState'>

/** A cache whose entries of a transaction are used only after its commit. */
export interface WriterCache {
  /** Returns the heads of all these users; undefined when one is not cached, or the cache is backing off. */
  headsOf(userNos: Iterable<number>): WorkingHead[] | undefined
  findSecret(id: number): LiveSecret | undefined
  learnHeads(heads: Iterable<Head>): void
  learnSecrets(secrets: LiveSecret[]): void
  /** Backs off after a stale entry: disables the cache for some batches, twice as many each time. */
  backOff(): void
  /** Keeps the entries of the transaction; called after its commit. */
  keep(): void
  /** Drops the entries of the transaction; called after its rollback. */
  drop(): void
}

/** A head takes about 100 bytes. */
const MAX_HEADS = 50_000
const MAX_SECRETS = 1000
/** Batches without the cache after a stale entry. */
const MIN_PAUSE = 8
const MAX_PAUSE = 2048

/** Creates an empty cache. */
export function createWriterCache(maxHeads = MAX_HEADS): WriterCache {
  const known = createCache<number, Head>({ maxSize: maxHeads })
  const secrets = createCache<number, LiveSecret>({ maxSize: MAX_SECRETS })
  let learned: { heads: Head[]; secrets: LiveSecret[] } = { heads: [], secrets: [] }
  /** The length of the last pause in batches, and the batches that remain of it. */
  let pause = 0
  let remaining = 0
  let isUsed = false

  return {
    headsOf(userNos) {
      if (remaining > 0) return undefined
      const heads: WorkingHead[] = []
      for (const userNo of userNos) {
        const head = known.get(userNo)
        if (head === undefined) return undefined
        const { environmentId, seq, unread, unopened, floor } = head
        heads.push({ environmentId, userNo, seq, unread, unopened, floor, rowState: 'same' })
      }
      isUsed = true
      return heads
    },
    findSecret: secrets.get,
    learnHeads(heads) {
      for (const { environmentId, userNo, seq, unread, unopened, floor } of heads)
        learned.heads.push({ environmentId, userNo, seq, unread, unopened, floor })
    },
    learnSecrets: (live) => void learned.secrets.push(...live),
    backOff() {
      pause = Math.min(MAX_PAUSE, Math.max(MIN_PAUSE, 2 * pause))
      remaining = pause
      isUsed = false
    },
    keep() {
      for (const head of learned.heads) known.set(head.userNo, head)
      for (const secret of learned.secrets) secrets.set(secret.id, secret)
      if (isUsed) pause = Math.max(0, pause - 1)
      else remaining = Math.max(0, remaining - 1)
      clearLearned()
    },
    drop: clearLearned,
  }

  function clearLearned(): void {
    learned = { heads: [], secrets: [] }
    isUsed = false
  }
}
