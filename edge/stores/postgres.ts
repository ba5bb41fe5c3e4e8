// The PostgreSQL store: several nodes on one database. Plans that wait are committed together on one connection, reads go to a few
// others (house section 3; issue part 3).

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Stores, StoreWatch } from '../domain/stores.ts'
import type { Clock, StoreClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { isRefusal, isStoreFault, unavailable } from './postgres/faults.ts'
import { createLease, DATABASE_NOW, type Lease } from './postgres/lease.ts'
import { type Links, openLinks } from './postgres/links.ts'
import { prepareStore, type StoreFacts } from './postgres/prepare.ts'
import { createRoom, type Room } from './postgres/room.ts'
import { createPostgresSql } from './postgres/sql.ts'
import { createPostgresWriter } from './postgres/writer.ts'
import type { Sql } from './sql/sql.ts'
import { bindWrites, createPorts } from './sql/stores.ts'
import { resumeErasures } from './sql/user.ts'
import { timeReads } from './watch/timed-sql.ts'
import { createCommit, createWriteQueue, type QueueLimits, type WriteQueue } from './write-queue.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`: never in a log or an error. */
  url: string
  /** One that can be compared is, with the database's: at the start and five times a second. */
  clock: Clock | StoreClock
  limits?: Partial<QueueLimits> | undefined
  watch?: StoreWatch | undefined
  log?: Pick<Log, 'info' | 'warn'> | undefined
  /** Told once when the database cannot be reached or is long in preparing; it is tried again until `signal` says otherwise. */
  onWaiting?: ((error: unknown) => void | Promise<void>) | undefined
  signal?: AbortSignal | undefined
  /** In place of the 15 s for which a node's number is leased. For tests. */
  nodeLeaseMs?: number | undefined
  /** In place of the 600 ms for which the database may be silent before callers are refused. For tests of something else. */
  silenceMs?: number | undefined
  /** In place of the database's clock for leases of jobs. For tests that move time. */
  readNow?: ((sql: Sql) => Promise<number>) | undefined
}

export interface PostgresStores extends Stores {
  nodeNumber(): number
  /** The room on its disk, as far as commits have met its end. */
  probeRoom: Room['probe']
}

/** Its writer shares this thread: what is handed over early only misses the plans that come until its turn. */
const ONE_BATCH = { batchesUnderWay: 1 }
const RETRY_MS = 250
const LATE_MS = 2000

/**
 * Throws a text for the operator when the database refuses (password, name) or when a newer version has changed its tables
 * beyond this one. While it cannot be reached it is waited for.
 */
export async function openPostgresStores(options: PostgresOptions): Promise<PostgresStores> {
  const { clock, nodeLeaseMs: leaseMs } = options
  const lease = createLease({ holder: randomUUID(), leaseMs, ...('compare' in clock && { clock }) })
  const [facts, links] = await whenReached(options, async () => {
    const known = await prepareStore(options)
    const opened = await openLinks({
      url: options.url,
      log: options.log,
      silenceMs: options.silenceMs,
      onOpen: lease.take,
      beat: lease.beat,
      onClose: lease.release,
    })
    return [known, opened] as const
  })
  try {
    return await createStores(options, facts, links, lease)
  } catch (error) {
    await links.close()
    throw error
  }
}

async function createStores(
  { clock, limits, watch, readNow = readDatabaseNow }: PostgresOptions,
  { storeEpoch, idFloor }: StoreFacts,
  links: Links,
  lease: Lease,
): Promise<PostgresStores> {
  const sql = createReader(links)
  const room = createRoom({ query: async (text) => (await links.reader()).query(text, [], { prepare: false }) })
  const writer = createPostgresWriter({ links, lease, room, storeEpoch, readNow })
  const queue: WriteQueue = createWriteQueue({
    clock,
    send: (batch) => void writer.run(batch).then((result) => queue.settle(result)),
    limits: { ...ONE_BATCH, ...limits },
    onBatch: watch?.onBatch,
  })
  const writes = bindWrites((write) => queue.write(write))
  await resumeErasures(sql, writes)
  let closing: Promise<void> | undefined
  return {
    ...createPorts(timeReads(sql, watch), writes, createCommit(queue), storeEpoch, readNow),
    engine: 'PostgreSQL',
    idFloor,
    nodeNumber: () => lease.number() ?? 0,
    probeRoom: room.probe,
    async ping() {
      await links.writer()
      await sql.one('SELECT name FROM meta LIMIT 1')
    },
    close() {
      closing ??= queue.drained().then(() => links.close())
      return closing
    },
  }
}

/** Each read on the connection with the least to do. */
function createReader(links: Links): Sql {
  return createPostgresSql(async (text, params, kind) => {
    const link = await links.reader()
    try {
      return await link.query(text, params, kind)
    } catch (error) {
      throw isStoreFault(error) ? unavailable(error) : error
    }
  })
}

async function readDatabaseNow(sql: Sql): Promise<number> {
  return (await sql.one<{ now: number }>(`SELECT ${DATABASE_NOW} AS now`))?.now ?? 0
}

async function whenReached<T>({ onWaiting, signal, log }: PostgresOptions, open: () => Promise<T>): Promise<T> {
  let told: Promise<void> | undefined
  let isReasonTold = false
  const tell = (error: unknown) => {
    told ??= (async () => onWaiting?.(error))()
    return told
  }
  for (;;) {
    // Another process may be making the tables, for a long time.
    const timer = setTimeout(() => void tell(new Error('The tables are not ready.')).catch(() => {}), LATE_MS)
    try {
      const opened = await open()
      await told
      return opened
    } catch (error) {
      if (isRefusal(error) || !isStoreFault(error)) throw error
      // Who was told that it takes long is told why, too.
      if (told !== undefined && !isReasonTold)
        log?.warn('PostgreSQL cannot be reached; it is tried again and again.', { error })
      isReasonTold = true
      await tell(error)
      signal?.throwIfAborted()
      await delay(RETRY_MS, undefined, signal === undefined ? {} : { signal })
    } finally {
      clearTimeout(timer)
    }
  }
}
