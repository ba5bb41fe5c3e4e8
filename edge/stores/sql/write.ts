// Defines write operations: functions that run in the writer's transaction and are called by name.

import type { UserIdCache } from './commit/user-id-cache.ts'
import type { WriterCache } from './commit/writer-cache.ts'
import { insertRows, type Sql } from './sql.ts'

/** The context of all writes of one transaction. */
export interface WriteContext {
  sql: Sql
  /** When the transaction began (epoch ms). */
  now: number
  /** The counter slot of this node: nodes write separate counter rows, so that they never wait for each other. */
  slot: number
  /** A random text of this store; a restored or new store has another, so that no client trusts old positions. */
  storeEpoch: string
  /** Cached user numbers. Entries learned in a transaction that rolls back are dropped. */
  users: UserIdCache
  /** Without a cache, everything is read. */
  cache?: WriterCache
  /** When expired idempotency keys are removed next (epoch ms). */
  keySweep: { nextAt: number }
  /** The clock of leases where several nodes claim them (epoch ms); without it, each caller's own. */
  readNow?: (sql: Sql) => Promise<number>
}

/** Operations take and return plain data, which may cross a thread. */
export type Writes<T> = {
  [K in keyof T]: T[K] extends (context: WriteContext, ...args: infer A) => Promise<infer R>
    ? (...args: A) => Promise<R>
    : never
}

/** Raises the id floor: no id at or below it is given again, whatever the clock does. */
export async function raiseIdFloor(context: WriteContext, id: number): Promise<void> {
  await context.sql.bulk(RAISE_FLOOR, [[context.slot, id]])
}

const RAISE_FLOOR = insertRows(
  'id_floor',
  { slot: 'int', value: 'int' },
  'ON CONFLICT (slot) DO UPDATE SET value = excluded.value WHERE id_floor.value < excluded.value',
)

/** Writes without a change. An UPDATE to the same values would not be written to the file. */
async function touchStore({ sql }: WriteContext): Promise<void> {
  await sql.run(`INSERT INTO meta (name, value) VALUES ('write_trial', '')`)
  await sql.run(`DELETE FROM meta WHERE name = 'write_trial'`)
}

export const trialWrites = { touchStore }
