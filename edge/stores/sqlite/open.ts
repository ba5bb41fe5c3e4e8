// Opens and configures the three connections of a SQLite store.

import { explainFile, type SqliteConnection, type SqliteDriver } from './driver.ts'

export type ConnectionRole = 'reader' | 'writer' | 'checkpoint'

const BUSY_MS = 10_000
/** Maximum KiB; memory is allocated as pages are read. */
const CACHE_KIB: Record<ConnectionRole, number> = { writer: 16 * 1024, reader: 62 * 1024, checkpoint: 2 * 1024 }
/** The writer's cache for a large file (256 MB in all then). */
const LARGE_CACHE_KIB = 192 * 1024
/** The offset of SQLite's lock page in the file. */
const LOCK_BYTE = 2 ** 30

/** @throws Error with a text for the operator when the file is damaged or cannot be written. */
export function openConnection(driver: SqliteDriver, path: string, role: ConnectionRole): SqliteConnection {
  let connection: SqliteConnection | undefined
  try {
    connection = driver.open(path, BUSY_MS)
    configure(connection, role)
    return connection
  } catch (error) {
    connection?.close()
    throw explainFile(error, path)
  }
}

function configure(connection: SqliteConnection, role: ConnectionRole): void {
  const pragmas = [
    `busy_timeout = ${BUSY_MS}`,
    `cache_size = -${CACHE_KIB[role]}`,
    'synchronous = FULL',
    'temp_store = MEMORY',
    // The checkpoint thread runs the checkpoints.
    'wal_autocheckpoint = 0',
    `journal_size_limit = ${64 * 1024 * 1024}`,
  ]
  for (const pragma of pragmas) connection.exec(`PRAGMA ${pragma}`)
}

/**
 * Enlarges the writer's cache once the file is larger than the offset of SQLite's lock page. In a smaller file, each
 * commit visits every cached page (docs/decisions/0002-sqlite-writer-thread.md).
 */
export function sizeWriterCache(connection: SqliteConnection): void {
  const [{ page_count, page_size } = { page_count: 0, page_size: 0 }] = connection
    .prepare('SELECT page_count, page_size FROM pragma_page_count(), pragma_page_size()')
    .all([]) as { page_count: number; page_size: number }[]
  if (page_count * page_size > LOCK_BYTE) connection.exec(`PRAGMA cache_size = -${LARGE_CACHE_KIB}`)
}

/** Makes the connection read-only from now on. */
export function makeReadOnly(connection: SqliteConnection): void {
  connection.exec('PRAGMA query_only = 1')
}
