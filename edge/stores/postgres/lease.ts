// Leases a node number from the database by its clock. Ids and counters of the node contain the number.

import type { StoreClock } from '../../lib/clock.ts'
import type { Connection } from './connection.ts'
import { isFenced, LeaseLost } from './faults.ts'
import type { Fence } from './transaction.ts'

/** SQL for the database's clock (epoch ms). */
export const DATABASE_NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

const LEASE_MS = 15_000
/** The number of renewals within one lease. */
const RENEWALS = 5

export interface Lease {
  /** Returns the node number; undefined before the first lease. */
  number(): number | undefined
  /**
   * Takes the node's earlier number when it is free, else any free one.
   * @throws Error when all numbers are in use.
   */
  take(connection: Connection): Promise<void>
  /** Checks that the database answers, and renews the lease when it is time. */
  heartbeat(connection: Connection): Promise<void>
  /**
   * Returns a statement that fails when the lease has ended. Unless `usesNoCache`, it also fails when another node has
   * erased a user since the count was read.
   * @throws LeaseLost before the first lease.
   */
  fence(usesNoCache?: boolean): Fence
  /** Returns how many users other nodes have erased, as last read. When it rises, cached users must be dropped. */
  erasures(): number
  /**
   * Reads the lease and the erasure count after a failed fence.
   * @throws LeaseLost when the lease has ended.
   */
  sync(connection: Connection): Promise<void>
  /** Gives the number back, so that another node can take it at once. */
  release(connection: Connection): Promise<void>
}

/** A renewal: who sees its row in a copy of the database sees all that was committed before. */
export interface Renewal {
  /** What the row has then (epoch ms of the database). */
  leasedUntil: number
  /** Before it (monotonic ms). */
  at: number
}

interface Held {
  number: number
  erasures: number
}

/** The first and the last of a row of numbers. */
export interface NodeNumbers {
  first: number
  last: number
}

export interface LeaseOptions {
  /** A random text that identifies this process. */
  holder: string
  leaseMs?: number | undefined
  /** Those that it may take; all without it. */
  numbers?: NodeNumbers | undefined
  /** Pause between two renewals (ms). Default: a fifth of the lease. */
  renewEveryMs?: number | undefined
  onRenewed?: ((renewal: Renewal) => void) | undefined
  /** Receives the database's time at each heartbeat that renews nothing, and before the number is used. */
  clock?: Pick<StoreClock, 'compare'> | undefined
}

/** Creates a lease that is not taken yet. */
export function createLease({
  holder,
  numbers = { first: 0, last: 30 },
  leaseMs = LEASE_MS,
  renewEveryMs = leaseMs / RENEWALS,
  onRenewed,
  clock,
}: LeaseOptions): Lease {
  let held: Held | undefined
  let renewAt = 0

  async function extend(connection: Connection): Promise<boolean> {
    if (held === undefined) return false
    const at = performance.now()
    const [row] = await connection.query<{ leasedUntil: number }>(EXTEND, [leaseMs, held.number, holder])
    renewAt = performance.now() + renewEveryMs
    if (row === undefined) return false
    onRenewed?.({ leasedUntil: row.leasedUntil, at })
    return true
  }

  async function take(connection: Connection): Promise<void> {
    if (!(await extend(connection))) {
      const [row] = await connection.query<{ number: number }>(TAKE, [
        ...[holder, leaseMs, numbers.first, numbers.last],
      ])
      if (row === undefined) throw new Error('All node numbers of this store (NODE_NUMBERS) are in use.')
      held = { number: row.number, erasures: -1 }
      renewAt = performance.now() + renewEveryMs
    }
    await sync(connection)
    await compareClock(connection)
  }

  async function compareClock(connection: Connection): Promise<void> {
    const readNow = async () => (await connection.query<{ now: number }>(READ_NOW))[0]?.now ?? 0
    await (clock?.compare(readNow) ?? readNow())
  }

  async function sync(connection: Connection): Promise<void> {
    if (held === undefined) throw new LeaseLost()
    const [row] = await connection.query<{ erasures: number }>(READ, [held.number, holder])
    if (row === undefined) throw new LeaseLost()
    held.erasures = row.erasures
  }

  return {
    number: () => held?.number,
    take,
    sync,
    async heartbeat(connection) {
      if (performance.now() < renewAt) await compareClock(connection)
      else if (!(await extend(connection))) await take(connection)
    },
    fence(usesNoCache = false) {
      if (held === undefined) throw new LeaseLost()
      const params = [held.number, holder]
      return usesNoCache ? { text: LEASED, params } : { text: FENCE, params: [...params, held.erasures] }
    },
    erasures: () => held?.erasures ?? -1,
    async release(connection) {
      if (held !== undefined) await connection.query(RELEASE, [held.number, holder])
    },
  }
}

/** Returns whether a transaction failed because of its fence. */
export const isFenceError = isFenced

const READ_NOW = `SELECT ${DATABASE_NOW} AS now`
const EXTEND = `UPDATE nodes SET leased_until = ${DATABASE_NOW} + $1 WHERE number = $2 AND holder = $3
  RETURNING leased_until AS "leasedUntil"`
const TAKE = `UPDATE nodes SET holder = $1, leased_until = ${DATABASE_NOW} + $2 WHERE number = (SELECT number FROM nodes
  WHERE leased_until <= ${DATABASE_NOW} AND number BETWEEN $3 AND $4 ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING number`
const READ = `SELECT erasures FROM nodes WHERE number = $1 AND holder = $2 AND leased_until > ${DATABASE_NOW}`
const fenceOf = (more: string) =>
  `SELECT 1 / (SELECT COUNT(*) FROM nodes WHERE number = $1 AND holder = $2${more} AND leased_until > ${DATABASE_NOW}) AS held`
const FENCE = fenceOf(' AND erasures = $3')
const LEASED = fenceOf('')
const RELEASE = 'UPDATE nodes SET leased_until = 0 WHERE number = $1 AND holder = $2'
