// The one who writes: batch after batch on the node's writing connection, each transaction behind the node's fence (issue part 3).

import { type Batch, type BatchDeps, type BatchResult, runBatch, type Settled } from '../sql/commit/run-batch.ts'
import { createUserNumbers, type UserNumbers } from '../sql/commit/user-numbers.ts'
import { createRemembered, type Remembered } from '../sql/memory/remembered.ts'
import type { Engine, Sql } from '../sql/sql.ts'
import { isConflict, isFenced, isStoreFault, toCallerError } from './faults.ts'
import type { Lease } from './lease.ts'
import type { Links } from './links.ts'
import type { Room } from './room.ts'
import { runTransaction } from './transaction.ts'

export interface PostgresWriter {
  /** Batches run one after the other, in the order in which they came. Answers for every piece; never throws. */
  run(batch: Batch): Promise<BatchResult>
}

export interface WriterDeps {
  links: Pick<Links, 'writer'>
  lease: Pick<Lease, 'fence' | 'sync' | 'number' | 'erasures'>
  room: Pick<Room, 'note'>
  storeEpoch: string
  /** The clock that leases of jobs go by. */
  readNow(sql: Sql): Promise<number>
}

/** A batch that meets others so often is given up. */
const ATTEMPTS = 10

export function createPostgresWriter(deps: WriterDeps): PostgresWriter {
  const users = createUserNumbers()
  const remembered = createRemembered()
  const engine = createEngine(deps, users, remembered)
  const known: Omit<BatchDeps['context'], 'slot'> = {
    storeEpoch: deps.storeEpoch,
    users,
    remembered,
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

/** Tries again at once when another node was in the way, or has erased a user whose number was known here. */
function createEngine({ links, lease, room }: WriterDeps, users: UserNumbers, remembered: Remembered): Engine {
  let known = lease.erasures()

  /** The count is read anew by a fence that did not hold, and by connections that were lost and are had again. */
  function forgetErased(): void {
    if (lease.erasures() === known) return
    known = lease.erasures()
    users.clear()
  }

  return {
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        const link = await links.writer()
        forgetErased()
        try {
          return await runTransaction(link, work, lease.fence())
        } catch (error) {
          users.drop()
          remembered.drop()
          room.note(error)
          if (attempt === ATTEMPTS || !(isConflict(error) || isFenced(error))) throw error
          if (!isFenced(error)) continue
          remembered.distrust()
          await lease.sync(link)
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
