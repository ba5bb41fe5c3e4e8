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

/** A batch is rejected after this many conflicts. */
const ATTEMPTS = 10

/** Creates a writer with empty caches. */
export function createPostgresWriter(deps: WriterDeps): PostgresWriter {
  const users = createUserIdCache()
  const cache = createWriterCache()
  const engine = createEngine(deps, users, cache)
  const context: Omit<BatchDeps['context'], 'slot'> = {
    storeEpoch: deps.storeEpoch,
    users,
    cache,
    keySweep: { nextAt: 0 },
    readNow: deps.readNow,
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(batch) {
      const result = last.then(async () => {
        const slot = deps.lease.number() ?? 0
        return toCallerResult(await runBatch({ engine, context: { ...context, slot }, isStoreFault }, batch))
      })
      last = result
      return result
    },
  }
}

/** Creates an engine that retries at once after a conflict with another node, or when a cached user was erased. */
function createEngine({ connections, lease, diskSpace }: WriterDeps, users: UserIdCache, cache: WriterCache): Engine {
  let knownErasures = lease.erasures()

  /** Clears the user cache when the erasure count has changed; a failed fence and new connections read the count. */
  function dropErasedUsers(): void {
    if (lease.erasures() === knownErasures) return
    knownErasures = lease.erasures()
    users.clear()
  }

  return {
    async transaction(work, usesNoCache) {
      for (let attempt = 1; ; attempt++) {
        const connection = await connections.writer()
        dropErasedUsers()
        try {
          return await runTransaction(connection, work, lease.fence(usesNoCache))
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

function toCallerResult(result: BatchResult): BatchResult {
  const convert = <T>(settled: Settled<T>): Settled<T> =>
    'value' in settled ? settled : { error: toCallerError(settled.error) }
  return { writes: result.writes.map(convert), plans: result.plans.map(convert) }
}
