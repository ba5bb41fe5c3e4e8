// Reads from a replica of the database (DATABASE_READ_URL) while it is close enough to the database, else from the database.

import { setTimeout as delay } from 'node:timers/promises'
import { withDeadline } from '../../lib/deadline.ts'
import type { Log } from '../../lib/log.ts'
import { type Connection, openConnection } from './connection.ts'
import type { Send } from './sql.ts'

export interface ReplicaOptions {
  /** Contains a password: must not reach a log or an error. */
  url: string
  /** Sends a statement to the database itself. */
  primary: Send
  /** A replica of another store is not read. */
  storeEpoch: string
  log?: Pick<Log, 'info' | 'warn'> | undefined
}

export interface Replica {
  /** Sends a statement that only reads. The database answers it when the replica is too old, or fails. */
  send: Send
  /** Greatest age (ms) of an answer that begins now; 0 while the database itself answers. */
  ageMs(): number
  close(): Promise<void>
}

const READERS = 4
/** An older replica is not read. */
export const MAX_AGE_MS = 10_000
const LOOK_EVERY_MS = 500
/** After this time without a response the replica counts as lost. */
const SILENCE_MS = 2000
const OPEN_MS = 5000
const RETRY_MS = 2000

const FACTS = `SELECT pg_is_in_recovery() AS "isReplica", (SELECT value FROM meta WHERE name = 'store_epoch') AS epoch`
const WRITTEN = 'SELECT pg_current_wal_lsn()::text AS position'
const REPLAYED = 'SELECT pg_last_wal_replay_lsn()::text AS position'
const READ = { prepare: true }

/** A place in the log of the database, and when all before it had been committed (monotonic ms). */
interface Mark {
  position: bigint
  at: number
}

/** Opens connections in the background, and opens them again when they are lost. */
export function openReplica({ url, primary, storeEpoch, log }: ReplicaOptions): Replica {
  const closing = new AbortController()
  let readers: Connection[] = []
  /** The replica has all that was committed before (monotonic ms). */
  let completeUntil = Number.NEGATIVE_INFINITY
  const ageNow = () => performance.now() - completeUntil
  const isUsable = () => readers.length > 0 && ageNow() <= MAX_AGE_MS

  async function keepOpen(): Promise<void> {
    let isTold = false
    while (!closing.signal.aborted) {
      try {
        await openReaders()
        log?.info('replica connected')
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

  /** Compares the replica with the database until it is lost. */
  async function follow(): Promise<void> {
    const marks: Mark[] = []
    for (;;) {
      const reader = chooseReader()
      if (reader === undefined || readers.some((one) => one.isLost())) throw new Error('The connection is lost.')
      const at = performance.now()
      const mark = await primary<Position>(WRITTEN, [], READ, false).then(
        (rows) => ({ at, position: toPosition(rows) }),
        // The database is away: the replica grows older.
        () => undefined,
      )
      if (mark !== undefined) marks.push(mark)
      const replayed = toPosition(await answerOf(reader.query<Position>(REPLAYED)))
      while (marks[0] !== undefined && marks[0].position <= replayed) {
        completeUntil = (marks.shift() as Mark).at
      }
      // What is older than the limit cannot make the replica usable.
      while (marks[0] !== undefined && performance.now() - marks[0].at > MAX_AGE_MS) marks.shift()
      if (closing.signal.aborted) return
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
    async close() {
      closing.abort()
      dropReaders()
      await keeping
    },
  }
}

interface Position {
  position: string | null
}

/** Reads a place in the log, such as `16/B374D848`. */
function toPosition([row]: Position[]): bigint {
  const [, high, low] = /^([0-9A-F]+)\/([0-9A-F]+)$/.exec(row?.position ?? '') ?? []
  if (high === undefined) throw new Error('The replica tells no position in the log.')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

const answerOf = <T>(answer: Promise<T>) => withDeadline(answer, SILENCE_MS, () => new Error('The replica is silent.'))
