// What a process beside the servers works with, on either engine: all ports, each write a transaction of its own (contract section 11).

import type { Commit, DeliveryOutcome, InboxOutcome, TrackOutcome } from '../domain/plan.ts'
import type { Stores } from '../domain/stores.ts'
import type { Clock } from '../lib/clock.ts'
import { knownTables, readTables } from './migrate.ts'
import { refuseHalfImport } from './portable/half-import.ts'
import { type Batch, type BatchDeps, runBatch, type Settled } from './sql/commit/run-batch.ts'
import { createUserNumbers } from './sql/commit/user-numbers.ts'
import type { Plan } from './sql/commit.ts'
import type { Engine, Sql } from './sql/sql.ts'
import { bindWrites, createPorts, runWrite } from './sql/stores.ts'

export interface BesideDeps {
  /** For reading. */
  sql: Sql
  engine: Engine
  /** Whose counters and ids this process writes: none of the servers'. */
  slot: number
  clock: Clock
  isStoreFault: BatchDeps['isStoreFault']
  readNow?: BatchDeps['context']['readNow']
}

type BesideStores = Omit<Stores, 'engine' | 'ping' | 'close'>

/** Throws a text for the operator when the tables are not of this program's version, or half imported. */
export async function createBeside({
  sql,
  engine,
  slot,
  clock,
  isStoreFault,
  readNow,
}: BesideDeps): Promise<BesideStores> {
  const { number } = await readTables(sql)
  if (number !== knownTables()) {
    throw new Error(
      `The store has tables of version ${number}, this program knows ${knownTables()}. Use the server's own version.`,
    )
  }
  await refuseHalfImport(sql)
  const { storeEpoch, idFloor } = await readStore(sql)
  const users = createUserNumbers()
  const keySweep = { nextAt: Number.POSITIVE_INFINITY }
  const known = { slot, storeEpoch, users, keySweep, ...(readNow === undefined ? {} : { readNow }) }
  const oneAtATime = createTurns()
  const writes = bindWrites((write) =>
    oneAtATime(() =>
      engine.transaction(async (inside) => {
        // Another process may have erased whom this one knew a moment ago.
        users.clear()
        return runWrite({ ...known, sql: inside, now: clock.now() }, write)
      }),
    ),
  )
  const commit = createCommit(clock, (batch) =>
    oneAtATime(() => runBatch({ engine, context: known, isStoreFault }, batch)),
  )
  return { ...createPorts(sql, writes, commit, storeEpoch, readNow), idFloor }
}

async function readStore(sql: Sql): Promise<{ storeEpoch: string; idFloor: number }> {
  const epoch = await sql.one<{ value: string }>(`SELECT value FROM meta WHERE name = 'store_epoch'`)
  const floor = await sql.one<{ floor: number }>('SELECT COALESCE(MAX(value), 0) AS floor FROM id_floor')
  return { storeEpoch: epoch?.value ?? '', idFloor: floor?.floor ?? 0 }
}

/** Plans of this process, one transaction each. */
function createCommit(clock: Clock, run: (batch: Batch) => Promise<{ plans: Settled<unknown>[] }>): Commit {
  async function commit(plan: Plan): Promise<unknown> {
    const { plans } = await run({ writes: [], plans: [plan], now: clock.now() })
    const [settled] = plans
    if (settled === undefined) throw new Error('A plan was not answered.')
    if ('error' in settled) throw settled.error
    return settled.value
  }
  return {
    track: async (plan) => (await commit(plan)) as TrackOutcome,
    deliver: async (plan) => (await commit(plan)) as DeliveryOutcome,
    change: async (plan) => (await commit(plan)) as InboxOutcome,
    backlog: () => ({ plans: 0, oldestMs: 0 }),
  }
}

/** A connection has one transaction at a time. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
