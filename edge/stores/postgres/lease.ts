// The number of a node, leased from the database by its clock: the node part of ids and the node's own counters (issue part 3).

import type { StoreClock } from '../../lib/clock.ts'
import { isFenced, LeaseLost } from './faults.ts'
import type { Link } from './link.ts'
import type { Fence } from './transaction.ts'

/** The database's clock (epoch ms). */
export const DATABASE_NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

const LEASE_MS = 15_000
/** As often as that it is renewed while it lasts. */
const RENEWALS = 5

export interface Lease {
  /** Undefined before the first was had. */
  number(): number | undefined
  /** Takes the number that it had, when no other has it, or a free one. Throws when all are in use. */
  take(link: Link): Promise<void>
  /** Asks for a sign of life, and renews what is to be renewed. */
  beat(link: Link): Promise<void>
  /** Holds while the lease does, and while no other node has erased a user since the count was read. */
  fence(): Fence
  /** How many users others have erased, as far as it was read: who sees it rise must forget what is known of users. */
  erasures(): number
  /** After a fence that did not hold: reads why, and the count of erasures. Throws LeaseLost. */
  sync(link: Link): Promise<void>
  release(link: Link): Promise<void>
}

interface Held {
  number: number
  erasures: number
}

export interface LeaseOptions {
  /** Random text of this process. */
  holder: string
  leaseMs?: number | undefined
  /** Hears the database's time at each beat that renews nothing, and before anything is done under the number. */
  clock?: Pick<StoreClock, 'compare'> | undefined
}

export function createLease({ holder, leaseMs = LEASE_MS, clock }: LeaseOptions): Lease {
  let held: Held | undefined
  let renewAt = 0

  async function extend(link: Link): Promise<boolean> {
    if (held === undefined) return false
    const { count } = await link.query(EXTEND, [leaseMs, held.number, holder])
    renewAt = performance.now() + leaseMs / RENEWALS
    return count > 0
  }

  async function take(link: Link): Promise<void> {
    if (!(await extend(link))) {
      const [row] = await link.query<{ number: number }>(TAKE, [holder, leaseMs])
      if (row === undefined) throw new Error('All node numbers of this store are in use.')
      held = { number: row.number, erasures: -1 }
      renewAt = performance.now() + leaseMs / RENEWALS
    }
    await sync(link)
    await lookAtClock(link)
  }

  async function lookAtClock(link: Link): Promise<void> {
    const readNow = async () => (await link.query<{ now: number }>(READ_NOW))[0]?.now ?? 0
    await (clock?.compare(readNow) ?? readNow())
  }

  async function sync(link: Link): Promise<void> {
    if (held === undefined) throw new LeaseLost()
    const [row] = await link.query<{ erasures: number }>(READ, [held.number, holder])
    if (row === undefined) throw new LeaseLost()
    held.erasures = row.erasures
  }

  return {
    number: () => held?.number,
    take,
    sync,
    async beat(link) {
      if (performance.now() < renewAt) await lookAtClock(link)
      else if (!(await extend(link))) await take(link)
    },
    fence() {
      if (held === undefined) throw new LeaseLost()
      return { text: FENCE, params: [held.number, holder, held.erasures] }
    },
    erasures: () => held?.erasures ?? -1,
    async release(link) {
      if (held !== undefined) await link.query(RELEASE, [held.number, holder])
    },
  }
}

/** Whether a transaction came to nothing because of its fence. */
export const isHeldOff = isFenced

const READ_NOW = `SELECT ${DATABASE_NOW} AS now`
const EXTEND = `UPDATE nodes SET leased_until = ${DATABASE_NOW} + $1 WHERE number = $2 AND holder = $3`
const TAKE = `UPDATE nodes SET holder = $1, leased_until = ${DATABASE_NOW} + $2 WHERE number = (SELECT number FROM nodes
  WHERE leased_until <= ${DATABASE_NOW} ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING number`
const READ = `SELECT erasures FROM nodes WHERE number = $1 AND holder = $2 AND leased_until > ${DATABASE_NOW}`
const FENCE = `SELECT 1 / (SELECT COUNT(*) FROM nodes WHERE number = $1 AND holder = $2 AND erasures = $3
  AND leased_until > ${DATABASE_NOW}) AS held`
const RELEASE = 'UPDATE nodes SET leased_until = 0 WHERE number = $1 AND holder = $2'
