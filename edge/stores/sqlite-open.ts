// How each of the three connections of a SQLite store is set up (choices, storage).

import type { SqliteConnection, SqliteDriver } from './sqlite-driver.ts'

export type ConnectionRole = 'reader' | 'writer' | 'checkpoint'

const BUSY_MS = 10_000
/** KiB at most, taken only as pages are used: 256 MB in all. */
const CACHE_KIB: Record<ConnectionRole, number> = { writer: 192 * 1024, reader: 62 * 1024, checkpoint: 2 * 1024 }

export function openConnection(driver: SqliteDriver, path: string, role: ConnectionRole): SqliteConnection {
  const connection = driver.open(path, BUSY_MS)
  const pragmas = [
    `busy_timeout = ${BUSY_MS}`,
    `cache_size = -${CACHE_KIB[role]}`,
    'synchronous = FULL',
    'temp_store = MEMORY',
    // Checkpoints belong to the thread made for them.
    'wal_autocheckpoint = 0',
    `journal_size_limit = ${64 * 1024 * 1024}`,
  ]
  for (const pragma of pragmas) connection.exec(`PRAGMA ${pragma}`)
  return connection
}

/** From here on the connection only reads. */
export function makeReadOnly(connection: SqliteConnection): void {
  connection.exec('PRAGMA query_only = 1')
}
