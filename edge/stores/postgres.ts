// Opens the PostgreSQL store: several nodes share one database. One connection commits batches of plans, a few others
// read.

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Stores, StoreWatch } from '../domain/stores.ts'
import type { Clock, StoreClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { type Connections, openConnections } from './postgres/connections.ts'
import { createDiskSpace, type DiskSpace } from './postgres/disk-space.ts'
import { isRefusal, isStoreFault, unavailable } from './postgres/faults.ts'
import { createLease, DATABASE_NOW, type Lease, type NodeNumbers } from './postgres/lease.ts'
import { prepareStore, type StoreFacts } from './postgres/prepare.ts'
import { openReplica, RENEW_EVERY_MS, type Replica } from './postgres/replica.ts'
import { createPostgresSql, type Send } from './postgres/sql.ts'
import { createPostgresWriter } from './postgres/writer.ts'
import type { Sql } from './sql/sql.ts'
import { createPorts } from './sql/stores.ts'
import { resumeErasures } from './sql/user.ts'
import { bindWrites } from './sql/writes.ts'
import { timeReads } from './timed-reads.ts'
import { createCommit, createWriteQueue, type QueueLimits, type WriteQueue } from './write-queue.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`. It must never reach a log or an error. */
  url: string
  /** The address of a replica for reports; undefined: none. */
  readUrl?: string | undefined
  /** A `StoreClock` is compared with the database's clock at the start and five times a second. */
  clock: Clock | StoreClock
  limits?: Partial<QueueLimits> | undefined
  watch?: StoreWatch | undefined
  log?: Pick<Log, 'info' | 'warn'> | undefined
  /**
   * Called once when the database cannot be reached or takes long to prepare; opening is retried until `signal`
   * aborts.
   */
  onWaiting?: ((error: unknown) => void | Promise<void>) | undefined
  signal?: AbortSignal | undefined
  /** The numbers that a node may take; all without it. */
  nodeNumbers?: NodeNumbers | undefined
  /** The lease of a node number (ms), 15 s without it. For tests. */
  nodeLeaseMs?: number | undefined
  /** The time the database may be silent before calls are refused (ms), 600 without it. For tests. */
  silenceMs?: number | undefined
  /** Replaces the database's clock for leases of jobs. For tests that move time. */
  readNow?: ((sql: Sql) => Promise<number>) | undefined
}

export interface PostgresStores extends Stores {
  nodeNumber(): number
  /** Reports the disk of the database as full after a commit failed for lack of space. */
  probeDisk: DiskSpace['probe']
}

/** The writer shares this thread: a second batch could not start earlier, and would contain fewer plans. */
const ONE_BATCH = { batchesUnderWay: 1 }
const RETRY_MS = 250
const SLOW_OPEN_MS = 2000

/**
 * Opens the store; retries while the database cannot be reached.
 * @throws Error with a text for the operator when the database refuses the login, or a newer program changed its
 * tables.
 */
export async function openPostgresStores(options: PostgresOptions): Promise<PostgresStores> {
  const { clock, nodeLeaseMs: leaseMs, readUrl } = options
  const holder = randomUUID()
  let replica: Replica | undefined
  const lease = createLease({
    holder,
    leaseMs,
    numbers: options.nodeNumbers,
    ...('compare' in clock && { clock }),
    ...(readUrl !== undefined && { renewEveryMs: RENEW_EVERY_MS, onRenewed: (renewal) => replica?.onRenewed(renewal) }),
  })
  const [facts, connections] = await openWhenReachable(options, async () => {
    const known = await prepareStore(options)
    const opened = await openConnections({
      url: options.url,
      log: options.log,
      silenceMs: options.silenceMs,
      onOpen: lease.take,
      heartbeat: lease.heartbeat,
      onClose: lease.release,
    })
    return [known, opened] as const
  })
  const send = createSend(connections)
  const { storeEpoch } = facts
  if (readUrl !== undefined) {
    replica = openReplica({ url: readUrl, primary: send, holder, storeEpoch, log: options.log })
  }
  try {
    return await createStores(options, facts, { connections, send, replica }, lease)
  } catch (error) {
    await replica?.close()
    await connections.close()
    throw error
  }
}

async function createStores(
  { clock, limits, watch, readNow = readDatabaseNow }: PostgresOptions,
  { storeEpoch, idFloor }: StoreFacts,
  { connections, send, replica }: { connections: Connections; send: Send; replica: Replica | undefined },
  lease: Lease,
): Promise<PostgresStores> {
  const sql = createPostgresSql(send)
  const diskSpace = createDiskSpace({
    query: async (text) => (await connections.reader()).query(text, [], { prepare: false }),
  })
  const writer = createPostgresWriter({ connections, lease, diskSpace, storeEpoch, readNow })
  const queue: WriteQueue = createWriteQueue({
    clock,
    send: (batch) => void writer.run(batch).then((result) => queue.settle(result)),
    limits: { ...ONE_BATCH, ...limits },
    onBatch: watch?.onBatch,
  })
  const writes = bindWrites((write) => queue.write(write))
  await resumeErasures(sql, writes)
  const lagging = replica && {
    sql: timeReads(createPostgresSql(replica.send), watch),
    ageMs: replica.ageMs,
    now: () => clock.now(),
  }
  let closing: Promise<void> | undefined
  return {
    ...createPorts(timeReads(sql, watch), writes, createCommit(queue), storeEpoch, readNow, lagging),
    engine: 'PostgreSQL',
    idFloor,
    nodeNumber: () => lease.number() ?? 0,
    probeDisk: diskSpace.probe,
    async ping() {
      await connections.writer()
      await sql.one('SELECT name FROM meta LIMIT 1')
    },
    close() {
      closing ??= Promise.all([queue.drained(), replica?.close()]).then(() => connections.close())
      return closing
    },
  }
}

/** Sends each read to the connection with the fewest statements in flight. */
function createSend(connections: Connections): Send {
  return async (text, params, kind) => {
    const connection = await connections.reader()
    try {
      return await connection.query(text, params, kind)
    } catch (error) {
      throw isStoreFault(error) ? unavailable(error) : error
    }
  }
}

async function readDatabaseNow(sql: Sql): Promise<number> {
  return (await sql.one<{ now: number }>(`SELECT ${DATABASE_NOW} AS now`))?.now ?? 0
}

async function openWhenReachable<T>({ onWaiting, signal, log }: PostgresOptions, open: () => Promise<T>): Promise<T> {
  let waitingReported: Promise<void> | undefined
  let isReasonLogged = false
  const reportWaiting = (error: unknown) => {
    waitingReported ??= (async () => onWaiting?.(error))()
    return waitingReported
  }
  for (;;) {
    // Another process may be migrating the tables, for a long time.
    const timer = setTimeout(
      () => void reportWaiting(new Error('The tables are not ready.')).catch(() => {}),
      SLOW_OPEN_MS,
    )
    try {
      const opened = await open()
      await waitingReported
      return opened
    } catch (error) {
      if (isRefusal(error) || !isStoreFault(error)) throw error
      // Once `onWaiting` was called, the log gets the reason as well.
      if (waitingReported !== undefined && !isReasonLogged)
        log?.warn('PostgreSQL connection failed: retrying', { error })
      isReasonLogged = true
      await reportWaiting(error)
      signal?.throwIfAborted()
      await delay(RETRY_MS, undefined, signal === undefined ? {} : { signal })
    } finally {
      clearTimeout(timer)
    }
  }
}
