// Defines the context and the types of write operations, which run in the writer's transaction and are called by name.

import { ID_FLOOR } from '../tables/installation.ts'
import { insertInto } from '../tables/table.ts'
import type { UserIdCache } from './commit/user-id-cache.ts'
import type { WriterCache } from './commit/writer-cache.ts'
import type { Sql } from './sql.ts'

/** The context of all writes of one transaction. */
export interface WriteContext {
  sql: Sql
  /** When the transaction began (epoch ms). */
  now: number
  /** The counter slot of this node. Nodes write separate counter rows, so that they never wait for each other. */
  slot: number
  /** A random text of this store. A restored store has another, so that clients discard their old positions. */
  storeEpoch: string
  /** Cached user numbers. Entries added in a transaction are dropped when it rolls back. */
  users: UserIdCache
  /** Cached heads and keys; undefined where each batch reads them. */
  cache?: WriterCache
  /** `nextAt`: when expired idempotency keys are removed next (epoch ms). */
  keySweep: { nextAt: number }
  /** Reads the clock for leases where several nodes share a store (epoch ms); undefined: the caller's `now` counts. */
  readNow?: (sql: Sql) => Promise<number>
}

/** Write operations without their context. They take and return plain data, which may be sent to a thread. */
export type Writes<T> = {
  [K in keyof T]: T[K] extends (context: WriteContext, ...args: infer A) => Promise<infer R>
    ? (...args: A) => Promise<R>
    : never
}

/** Raises the id floor: no id at or below it is generated again, even after the clock was set back. */
export async function raiseIdFloor(context: WriteContext, id: number): Promise<void> {
  await RAISE_FLOOR.write(context.sql, [{ slot: context.slot, value: id }])
}

const RAISE_FLOOR = insertInto(
  ID_FLOOR,
  undefined,
  'ON CONFLICT (slot) DO UPDATE SET value = excluded.value WHERE id_floor.value < excluded.value',
)

/** Proves that writes work. An UPDATE to the same values would not be written to the file. */
async function touchStore({ sql }: WriteContext): Promise<void> {
  await sql.run(`INSERT INTO meta (name, value) VALUES ('write_trial', '')`)
  await sql.run(`DELETE FROM meta WHERE name = 'write_trial'`)
}

export const healthWrites = { touchStore }
