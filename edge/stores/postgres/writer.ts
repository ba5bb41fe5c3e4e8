// Writes batch after batch on the node's writing connection, each transaction guarded by the node's fence.

import { type Batch, type BatchDeps, type BatchResult, runBatch, type Settled } from '../sql/commit/run-batch.ts'
import { createUserIdCache, type UserIdCache } from '../sql/commit/user-id-cache.ts'
import { createWriterCache, type WriterCache } from '../sql/commit/writer-cache.ts'
import type { Engine, Sql } from '../sql/sql.ts'
import type { Connections } from './connections.ts'
import type { DiskSpace } from './disk-space.ts'
import { isConflict, isFenced, isStoreFault, toCallerError } from './faults.ts'
import type { Lease } from './lease.ts'
import { runTransaction } from './transaction.ts'

export interface PostgresWriter {
  /** Runs batches one after the other, in the order of the calls. Returns a result for every piece; never throws. */
  run(batch: Batch): Promise<BatchResult>
}

export interface WriterDeps {
  connections: Pick<Connections, 'writer'>
  lease: Pick<Lease, 'fence' | 'sync' | 'number' | 'erasures'>
  diskSpace: Pick<DiskSpace, 'recordFault'>
  storeEpoch: string
  /** Reads the clock of job leases. */
  readNow(sql: Sql): Promise<number>
}

/** A batch with this many conflicts is given up. */
const ATTEMPTS = 10

export function createPostgresWriter(deps: WriterDeps): PostgresWriter {
  const users = createUserIdCache()
  const cache = createWriterCache()
  const engine = createEngine(deps, users, cache)
  const known: Omit<BatchDeps['context'], 'slot'> = {
    storeEpoch: deps.storeEpoch,
    users,
    cache,
    keySweep: { nextAt: 0 },
    readNow: deps.readNow,
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(batch) {
      const answered = last.then(async () => {
        const slot = deps.lease.number() ?? 0
        return forCallers(await runBatch({ engine, context: { ...known, slot }, isStoreFault }, batch))
      })
      last = answered
      return answered
    },
  }
}

/**
 * Creates an engine that retries at once after a conflict with another node, or after another node erased a cached
 * user.
 */
function createEngine({ connections, lease, diskSpace }: WriterDeps, users: UserIdCache, cache: WriterCache): Engine {
  let known = lease.erasures()

  /** Clears the user cache when the erasure count has changed; a failed fence and new connections read the count. */
  function forgetErased(): void {
    if (lease.erasures() === known) return
    known = lease.erasures()
    users.clear()
  }

  return {
    async transaction(work, asksAnew) {
      for (let attempt = 1; ; attempt++) {
        const connection = await connections.writer()
        forgetErased()
        try {
          return await runTransaction(connection, work, lease.fence(asksAnew))
        } catch (error) {
          users.drop()
          cache.drop()
          diskSpace.recordFault(error)
          if (attempt === ATTEMPTS || !(isConflict(error) || isFenced(error))) throw error
          if (!isFenced(error)) continue
          cache.backOff()
          await lease.sync(connection)
        }
      }
    },
  }
}

function forCallers(result: BatchResult): BatchResult {
  const turn = <T>(settled: Settled<T>): Settled<T> =>
    'value' in settled ? settled : { error: toCallerError(settled.error) }
  return { writes: result.writes.map(turn), plans: result.plans.map(turn) }
}
