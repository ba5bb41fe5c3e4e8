// Opens the configured store: PostgreSQL with DATABASE_URL, else SQLite in DATA_DIR.

import type { Stores, StoreWatch } from '../domain/stores.ts'
import { type Clock, createStoreClock, systemClock } from '../lib/clock.ts'
import { makeFolder } from '../lib/folder.ts'
import type { Log } from '../lib/log.ts'
import type { Space } from './disk/disk-guard.ts'
import { openPostgresStores } from './postgres.ts'
import { openSqliteStores } from './sqlite/stores.ts'
import type { QueueLimits } from './write-queue.ts'

export interface OpenedStore {
  stores: Stores
  /** The clock of the service: this machine's, or the database's where several nodes share a store. */
  clock: Clock
  /** Returns the bytes inside the store's files that new rows can use. */
  reusableBytes(): Promise<number>
  /** Replaces the check of the file system where the store is on another machine. */
  probeDisk?: () => Promise<Space>
}

export interface OpenOptions {
  log: Log
  watch: StoreWatch
  /** Replaces the clock of the service, and that of the database. For tests. */
  clock?: Clock | undefined
  queue?: Partial<QueueLimits> | undefined
  /** The time PostgreSQL may be silent (ms). For tests. */
  silenceMs?: number | undefined
  /** Called once when the database cannot be reached; opening is retried from then on. */
  onWaiting?: (error: unknown) => void | Promise<void>
  /** Aborts the retries. */
  signal?: AbortSignal | undefined
}

export interface StoreSettings {
  databaseUrl: string | null
  /** A replica of the database, for reports. */
  databaseReadUrl: string | null
  dataDir: string
  /** Of nodes of this deployment. */
  nodeNumbers: { first: number; last: number }
}

/** @throws The errors of the engine's own open function. */
export async function openStores(
  { databaseUrl, databaseReadUrl, dataDir, nodeNumbers }: StoreSettings,
  { log, watch, clock: given, queue, silenceMs, onWaiting, signal }: OpenOptions,
): Promise<OpenedStore> {
  if (databaseUrl === null) {
    const clock = given ?? systemClock
    const stores = await openSqliteStores({ dataDir, nodeNumber: nodeNumbers.first, clock, log, watch, queue })
    return { stores, clock, reusableBytes: stores.reusableBytes }
  }
  await makeFolder(dataDir)
  const clock = given ?? createStoreClock()
  const stores = await openPostgresStores({
    url: databaseUrl,
    readUrl: databaseReadUrl ?? undefined,
    nodeNumbers,
    clock,
    ...(given && { readNow: async () => given.now() }),
    log,
    watch,
    limits: queue,
    silenceMs,
    onWaiting,
    signal,
  })
  return { stores, clock, reusableBytes: async () => 0, probeDisk: stores.probeDisk }
}
