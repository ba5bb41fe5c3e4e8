// Reads from a replica of the database (DATABASE_READ_URL) while it is close enough to the database, else from the database.

import { setTimeout as delay } from 'node:timers/promises'
import { withDeadline } from '../../lib/deadline.ts'
import type { Log } from '../../lib/log.ts'
import { type Connection, openConnection } from './connection.ts'
import type { Renewal } from './lease.ts'
import type { Send } from './sql.ts'

export interface ReplicaOptions {
  /** Contains a password: must not reach a log or an error. */
  url: string
  /** Sends a statement to the database itself. */
  primary: Send
  /** Whose lease the replica must have: no replica of another database, or of a branch of this one, shows its renewals. */
  holder: string
  /** A replica of another store is not read. */
  storeEpoch: string
  log?: Pick<Log, 'info' | 'warn'> | undefined
}

export interface Replica {
  /** Sends a statement that only reads. The database answers it when the replica is too old, or fails. */
  send: Send
  /** Greatest age (ms) of an answer that begins now; 0 while the database itself answers. */
  ageMs(): number
  /** Takes a renewal of the lease, each second or so. */
  onRenewed(renewal: Renewal): void
  close(): Promise<void>
}

const READERS = 4
/** An older replica is not read. */
export const MAX_AGE_MS = 10_000
/** Pause between two renewals of the lease where there is a replica. */
export const RENEW_EVERY_MS = 1000
/** Pause between two looks for a renewal. */
const LOOK_EVERY_MS = 250
/** After this time without a response the replica counts as lost. */
const SILENCE_MS = 2000
const OPEN_MS = 5000
const RETRY_MS = 2000

const FACTS = `SELECT pg_is_in_recovery() AS "isReplica", (SELECT value FROM meta WHERE name = 'store_epoch') AS epoch`
const SEEN = 'SELECT MAX(leased_until) AS "leasedUntil" FROM nodes WHERE holder = $1'

/** Opens connections in the background, and opens them again when they are lost. */
export function openReplica({ url, primary, holder, storeEpoch, log }: ReplicaOptions): Replica {
  const closing = new AbortController()
  let readers: Connection[] = []
  const renewals: Renewal[] = []
  /** The replica has all that was committed before (monotonic ms). */
  let completeUntil = Number.NEGATIVE_INFINITY
  const ageNow = () => performance.now() - completeUntil
  const isUsable = () => readers.length > 0 && ageNow() <= MAX_AGE_MS

  async function keepOpen(): Promise<void> {
    let isTold = false
    while (!closing.signal.aborted) {
      try {
        await openReaders()
        isTold = false
        await follow()
      } catch (error) {
        if (!isTold && !closing.signal.aborted) log?.warn('replica not read: the database answers', { error })
        isTold = true
      } finally {
        dropReaders()
      }
      await pause(RETRY_MS)
    }
  }

  async function openReaders(): Promise<void> {
    const opening = Array.from({ length: READERS }, () => openConnection({ url, deadlineMs: OPEN_MS }))
    const opened = (await Promise.allSettled(opening)).flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    try {
      const [first] = await Promise.all(opening)
      if (first === undefined) throw new Error('There is no connection.')
      const [facts] = await answerOf(first.query<{ isReplica: boolean; epoch: string | null }>(FACTS))
      if (facts?.isReplica !== true) throw new Error('DATABASE_READ_URL names no replica.')
      if (facts.epoch !== storeEpoch) throw new Error('DATABASE_READ_URL names a replica of another database.')
      if (closing.signal.aborted) throw new Error('closed')
      readers = opened
    } catch (error) {
      for (const connection of opened) connection.destroy('not needed')
      throw error
    }
  }

  /** Looks for the renewals of the lease in the replica until it is lost. */
  async function follow(): Promise<void> {
    let wasUsable: boolean | undefined
    const begunAt = performance.now()
    for (;;) {
      const reader = chooseReader()
      if (reader === undefined || readers.some((one) => one.isLost())) throw new Error('The connection is lost.')
      const [row] = await answerOf(reader.query<{ leasedUntil: number | null }>(SEEN, [holder]))
      const seen = renewals.findLastIndex(({ leasedUntil }) => leasedUntil === row?.leasedUntil)
      if (seen >= 0) completeUntil = Math.max(completeUntil, (renewals[seen] as Renewal).at)
      renewals.splice(0, seen)
      if (closing.signal.aborted) return
      if (isUsable()) {
        if (wasUsable !== true) log?.info('replica is read')
        wasUsable = true
      } else if (wasUsable !== false && performance.now() - begunAt > MAX_AGE_MS) {
        log?.warn('replica not read: the database answers', { reason: 'it is more than 10 s behind, or promoted' })
        wasUsable = false
      }
      await pause(LOOK_EVERY_MS)
    }
  }

  const chooseReader = (): Connection | undefined =>
    readers.reduce<Connection | undefined>(
      (best, one) => (best === undefined || one.inFlight() < best.inFlight() ? one : best),
      undefined,
    )
  function dropReaders(): void {
    for (const connection of readers) connection.destroy('closed')
    readers = []
    completeUntil = Number.NEGATIVE_INFINITY
  }
  const pause = (ms: number) => delay(ms, undefined, { ref: false, signal: closing.signal }).catch(() => {})

  const keeping = keepOpen()
  return {
    async send<Row>(...[text, params, kind, isUnread]: Parameters<Send>) {
      const reader = isUsable() ? chooseReader() : undefined
      if (reader !== undefined) {
        try {
          return await reader.query<Row>(text, params, kind)
        } catch {
          // A replica cancels what hinders it. The database gives the answer, or the error.
        }
      }
      return primary<Row>(text, params, kind, isUnread)
    },
    ageMs: () => (isUsable() ? ageNow() : 0),
    onRenewed(renewal) {
      renewals.push(renewal)
      // What is older than the limit cannot make the replica usable.
      while (renewals[0] !== undefined && renewal.at - renewals[0].at > MAX_AGE_MS) renewals.shift()
    },
    async close() {
      closing.abort()
      dropReaders()
      await keeping
    },
  }
}

const answerOf = <T>(answer: Promise<T>) => withDeadline(answer, SILENCE_MS, () => new Error('The replica is silent.'))
