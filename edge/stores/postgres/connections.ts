// Manages the connections of a node: one writer, several readers, and one for heartbeats. When one is lost or the
// server is silent, all are closed and reopened; calls are refused meanwhile.

import { setTimeout as delay } from 'node:timers/promises'
import { withDeadline } from '../../lib/deadline.ts'
import type { Log } from '../../lib/log.ts'
import { type Connection, openConnection } from './connection.ts'
import { unavailable } from './faults.ts'

export interface Connections {
  /**
   * Returns the reader with the fewest statements in flight.
   * @throws ApiError `service/unavailable` while the database cannot be reached.
   */
  reader(): Promise<Connection>
  writer(): Promise<Connection>
  close(): Promise<void>
}

export interface ConnectionsDeps {
  url: string
  log?: Pick<Log, 'info' | 'warn'> | undefined
  /** Called before the connections are used; throws when they must not be. */
  onOpen(monitor: Connection): Promise<void>
  /** Sends a heartbeat. */
  heartbeat(monitor: Connection): Promise<void>
  /** Replaces `SILENCE_MS`. For tests. */
  silenceMs?: number | undefined
  /** Called before the final close. */
  onClose(monitor: Connection): Promise<void>
}

const READERS = 4
const HEARTBEAT_MS = 200
/** After this time without a response the server counts as lost. Callers need a response within 1.5 s. */
export const SILENCE_MS = 600
const OPEN_MS = 2000
const RETRY_MS = 200
/** A closed connection can usually be reopened at once: calls wait this long for it. */
const GRACE_MS = 300

interface ConnectionSet {
  monitor: Connection
  writer: Connection
  readers: Connection[]
  /** Resolves with the reason for the end. */
  ended: Promise<string>
}
interface PoolState {
  deps: ConnectionsDeps
  set: ConnectionSet | undefined
  /** Calls wait for new connections until this time (monotonic ms). */
  graceUntil: number
  waiting: ((set: ConnectionSet | undefined) => void)[]
  isClosed: boolean
}

/**
 * Opens the connections.
 * @throws The error of the first attempt.
 */
export async function openConnections(deps: ConnectionsDeps): Promise<Connections> {
  const pool: PoolState = { deps, set: undefined, graceUntil: 0, waiting: [], isClosed: false }
  const first = await openSet(deps)
  const keeping = keepOpen(pool, first)
  return {
    async reader() {
      const { readers } = await getSet(pool)
      return readers.reduce((best, one) => (one.inFlight() < best.inFlight() ? one : best))
    },
    writer: async () => (await getSet(pool)).writer,
    async close() {
      if (pool.isClosed) return
      pool.isClosed = true
      const { set } = pool
      if (set !== undefined) await withDeadline(deps.onClose(set.monitor), SILENCE_MS, silence).catch(() => {})
      destroyAll(pool, 'closed')
      await keeping
    },
  }
}

/** Watches the connections and reopens them until the pool is closed. */
async function keepOpen(pool: PoolState, first: ConnectionSet): Promise<void> {
  const { log } = pool.deps
  for (let set: ConnectionSet | undefined = first; set !== undefined; set = await openAgain(pool)) {
    setConnections(pool, set)
    const reason = await watch(pool, set)
    if (pool.isClosed) break
    // After a disconnect the server may accept connections at once; for a silent server, calls do not wait.
    pool.graceUntil = reason === SILENT ? 0 : performance.now() + GRACE_MS
    destroyAll(pool, reason)
    log?.warn('PostgreSQL connection lost', { reason })
  }
  setConnections(pool, undefined)
}

const SILENT = 'silent'

/** @returns The reason why the connections ended. */
async function watch({ deps }: PoolState, set: ConnectionSet): Promise<string> {
  const { silenceMs = SILENCE_MS } = deps
  const monitor = async (): Promise<string> => {
    for (;;) {
      await delay(HEARTBEAT_MS, undefined, { ref: false })
      try {
        await withDeadline(deps.heartbeat(set.monitor), silenceMs, silence)
      } catch (error) {
        return error instanceof Silence ? SILENT : 'heartbeat failed'
      }
    }
  }
  return Promise.race([set.ended, monitor()])
}

async function openAgain(pool: PoolState): Promise<ConnectionSet | undefined> {
  for (let failures = 0; !pool.isClosed; failures++) {
    try {
      const set = await openSet(pool.deps)
      if (pool.isClosed) {
        for (const connection of connectionsOf(set)) connection.destroy('closed')
        break
      }
      pool.deps.log?.info('PostgreSQL connection restored', { attempt: failures + 1 })
      return set
    } catch (error) {
      if (failures === 0) pool.deps.log?.warn('PostgreSQL connection failed: retrying', { error })
      await delay(RETRY_MS)
    }
  }
  return undefined
}

async function openSet({ url, onOpen }: ConnectionsDeps): Promise<ConnectionSet> {
  let reportEnd: (reason: string) => void = () => {}
  const ended = new Promise<string>((resolve) => {
    reportEnd = resolve
  })
  const opened: Connection[] = []
  const open = async () => {
    const connection = await openConnection({ url, deadlineMs: OPEN_MS, onLost: (error) => reportEnd(error.message) })
    opened.push(connection)
    return connection
  }
  try {
    const monitor = await open()
    await withDeadline(onOpen(monitor), OPEN_MS, silence)
    const opening = Array.from({ length: 1 + READERS }, open)
    // Wait until all have opened or failed, so that none opens after the others were closed.
    await Promise.allSettled(opening)
    const [writer, ...readers] = await Promise.all(opening)
    if (writer === undefined) throw new Error('There is no connection for the writer.')
    return { monitor, writer, readers, ended }
  } catch (error) {
    for (const connection of opened) connection.destroy('not needed')
    throw error
  }
}

function setConnections(pool: PoolState, set: ConnectionSet | undefined): void {
  pool.set = set
  for (const resolve of pool.waiting) resolve(set)
  pool.waiting = []
}

function destroyAll(pool: PoolState, reason: string): void {
  const { set } = pool
  pool.set = undefined
  if (set === undefined) return
  for (const connection of connectionsOf(set)) connection.destroy(reason)
}

const connectionsOf = ({ monitor, writer, readers }: ConnectionSet) => [monitor, writer, ...readers]

async function getSet(pool: PoolState): Promise<ConnectionSet> {
  if (pool.set !== undefined && isIntact(pool.set)) return pool.set
  // A set with a lost connection that `keepOpen` has not replaced yet gets the whole time.
  const graceMs = pool.set === undefined ? pool.graceUntil - performance.now() : GRACE_MS
  if (pool.isClosed || graceMs <= 0) throw unavailable()
  const next = await new Promise<ConnectionSet | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), graceMs)
    pool.waiting.push((set) => {
      clearTimeout(timer)
      resolve(set)
    })
  })
  if (next === undefined) throw unavailable()
  return next
}

const isIntact = ({ writer, readers }: ConnectionSet) => !writer.isLost() && readers.every((reader) => !reader.isLost())

class Silence extends Error {}

const silence = () => new Silence('PostgreSQL does not respond.')
