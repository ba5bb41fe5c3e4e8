// Opens the store that the settings name: PostgreSQL with DATABASE_URL, else SQLite in DATA_DIR (contract section 12).

import type { Stores, StoreWatch } from '../domain/stores.ts'
import { type Clock, createStoreClock, systemClock } from '../lib/clock.ts'
import { makeFolder } from '../lib/folder.ts'
import type { Log } from '../lib/log.ts'
import type { Space } from './disk/disk-guard.ts'
import { openPostgresStores } from './postgres.ts'
import { openSqliteStores } from './sqlite.ts'
import type { QueueLimits } from './write-queue.ts'

export interface OpenedStore {
  stores: Stores
  /** The one to go by: this machine's, or the database's where several nodes share it. */
  clock: Clock
  /** Bytes inside the store's files that new rows can take. */
  reusableBytes(): Promise<number>
  /** In place of the file system's word on its free space, where the store is not on it. */
  probeDisk?: () => Promise<Space>
}

export interface OpenOptions {
  log: Log
  watch: StoreWatch
  queue?: Partial<QueueLimits> | undefined
  /** How long PostgreSQL may be silent. For tests. */
  silenceMs?: number | undefined
  /** Told once when the database cannot be reached; from then on it is waited for. */
  onWaiting?: (error: unknown) => void | Promise<void>
  /** Ends the waiting. */
  signal?: AbortSignal | undefined
}

/** Throws what the engine throws. */
export async function openStores(
  { databaseUrl, dataDir }: { databaseUrl: string | null; dataDir: string },
  { log, watch, queue, silenceMs, onWaiting, signal }: OpenOptions,
): Promise<OpenedStore> {
  if (databaseUrl === null) {
    const stores = await openSqliteStores({ dataDir, clock: systemClock, log, watch, queue })
    return { stores, clock: systemClock, reusableBytes: stores.reusableBytes }
  }
  await makeFolder(dataDir)
  const clock = createStoreClock()
  const stores = await openPostgresStores({
    url: databaseUrl,
    clock,
    log,
    watch,
    limits: queue,
    silenceMs,
    onWaiting,
    signal,
  })
  return { stores, clock, reusableBytes: async () => 0, probeDisk: stores.probeRoom }
}
