// Opens all ports for a process that is not a server (a command line), on either engine. Each write is a transaction
// of its own.

import type { MailOutcome } from '../domain/mail/mail.ts'
import type { Commit, DeliveryOutcome, InboxOutcome, TrackOutcome } from '../domain/plan.ts'
import type { Stores } from '../domain/stores.ts'
import { IdTaken } from '../domain/tenant/revised.ts'
import type { Clock } from '../lib/clock.ts'
import { knownTables, readTables } from './migrate.ts'
import { refuseUnfinishedImport } from './portable/unfinished-import.ts'
import { type Batch, type BatchDeps, runBatch, type Settled } from './sql/commit/run-batch.ts'
import { createUserIdCache } from './sql/commit/user-id-cache.ts'
import type { Plan } from './sql/commit.ts'
import { runWrite } from './sql/run-write.ts'
import type { Engine, Sql } from './sql/sql.ts'
import { createPorts } from './sql/stores.ts'
import { bindWrites } from './sql/writes.ts'

export interface ExternalAccessDeps {
  /** The connection for reads. */
  sql: Sql
  engine: Engine
  /** The id and counter slot that this process writes to; no server uses it. */
  slot: number
  clock: Clock
  isStoreFault: BatchDeps['isStoreFault']
  readNow?: BatchDeps['context']['readNow']
}

type ExternalStores = Omit<Stores, 'engine' | 'ping' | 'close'>

/**
 * Creates the ports.
 * @throws Error with a text for the operator when the tables have another version, or an import is unfinished.
 */
export async function createExternalAccess({
  sql,
  engine,
  slot,
  clock,
  isStoreFault,
  readNow,
}: ExternalAccessDeps): Promise<ExternalStores> {
  const { number } = await readTables(sql)
  if (number !== knownTables()) {
    throw new Error(
      `The store has tables of version ${number}, this program knows ${knownTables()}. Use the server's own version.`,
    )
  }
  await refuseUnfinishedImport(sql)
  const { storeEpoch, idFloor } = await readStore(sql)
  const users = createUserIdCache()
  const keySweep = { nextAt: Number.POSITIVE_INFINITY }
  const context = { slot, storeEpoch, users, keySweep, ...(readNow === undefined ? {} : { readNow }) }
  const runExclusive = createMutex()
  const writes = bindWrites((write) =>
    runExclusive(() =>
      engine.transaction(async (inside) => {
        // Another process may have erased users whose numbers are cached here.
        users.clear()
        return runWrite({ ...context, sql: inside, now: clock.now() }, write)
      }),
    ).catch((error: unknown) => Promise.reject(isKeyTaken(error) ? new IdTaken() : error)),
  )
  const commit = createCommit(clock, (batch) => runExclusive(() => runBatch({ engine, context, isStoreFault }, batch)))
  return { ...createPorts(sql, writes, commit, storeEpoch, readNow), idFloor }
}

/**
 * Returns whether a primary key is taken, on either engine. Servers have separate id slots; command lines share one.
 */
function isKeyTaken(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  if (error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return true
  return error.code === '23505' && 'constraint_name' in error && String(error.constraint_name).endsWith('_pkey')
}

async function readStore(sql: Sql): Promise<{ storeEpoch: string; idFloor: number }> {
  const epoch = await sql.one<{ value: string }>(`SELECT value FROM meta WHERE name = 'store_epoch'`)
  const floor = await sql.one<{ floor: number }>('SELECT COALESCE(MAX(value), 0) AS floor FROM id_floor')
  return { storeEpoch: epoch?.value ?? '', idFloor: floor?.floor ?? 0 }
}

/** Commits each plan in its own transaction. */
function createCommit(clock: Clock, run: (batch: Batch) => Promise<{ plans: Settled<unknown>[] }>): Commit {
  async function commit(plan: Plan): Promise<unknown> {
    const { plans } = await run({ writes: [], plans: [plan], now: clock.now() })
    const [settled] = plans
    if (settled === undefined) throw new Error('The writer returned no result for a plan.')
    if ('error' in settled) throw settled.error
    return settled.value
  }
  return {
    track: async (plan) => (await commit(plan)) as TrackOutcome,
    deliver: async (plan) => (await commit(plan)) as DeliveryOutcome,
    change: async (plan) => (await commit(plan)) as InboxOutcome,
    mail: async (plan) => (await commit(plan)) as MailOutcome,
    backlog: () => ({ plans: 0, oldestMs: 0 }),
  }
}

/** Runs one transaction after the other, because a connection has one at a time. */
function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
