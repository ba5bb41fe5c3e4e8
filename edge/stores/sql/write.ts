// Write operations: functions that run in the writer's transaction and are called by name from anywhere else.

import type { UserNumbers } from './commit/user-numbers.ts'
import type { Remembered } from './memory/remembered.ts'
import { insertRows, type Sql } from './sql.ts'

/** What every write of one transaction works with. */
export interface WriteContext {
  sql: Sql
  /** When the transaction began (epoch ms). */
  now: number
  /** Which node counts: its own rows of the counters, so that nodes never wait for each other. */
  slot: number
  /** Random text of this store; a restored or new store has another, so that no client trusts old positions. */
  storeEpoch: string
  /** Known user numbers. What is learned in a transaction that rolls back is forgotten. */
  users: UserNumbers
  /** Without it everything is asked. */
  remembered?: Remembered
  /** When expired idempotency keys are looked for next (epoch ms). */
  keySweep: { nextAt: number }
  /** The clock that leases of jobs go by where several nodes claim them (epoch ms); without it each caller's own. */
  readNow?: (sql: Sql) => Promise<number>
}

/** An operation takes plain data and gives plain data: both may cross a thread. */
export type Writes<T> = {
  [K in keyof T]: T[K] extends (context: WriteContext, ...args: infer A) => Promise<infer R>
    ? (...args: A) => Promise<R>
    : never
}

/** No id at or below the floor is ever handed out again, whatever the clock does. */
export async function raiseIdFloor(context: WriteContext, id: number): Promise<void> {
  await context.sql.bulk(RAISE_FLOOR, [[context.slot, id]])
}

const RAISE_FLOOR = insertRows(
  'id_floor',
  { slot: 'int', value: 'int' },
  'ON CONFLICT (slot) DO UPDATE SET value = excluded.value WHERE id_floor.value < excluded.value',
)

/** Changes nothing, and is written all the same; a row that was given its own values would not be. */
async function touchStore({ sql }: WriteContext): Promise<void> {
  await sql.run(`INSERT INTO meta (name, value) VALUES ('write_trial', '')`)
  await sql.run(`DELETE FROM meta WHERE name = 'write_trial'`)
}

export const trialWrites = { touchStore }
