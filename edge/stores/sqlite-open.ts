// How each of the three connections of a SQLite store is set up (choices, storage).

import { explainFile, type SqliteConnection, type SqliteDriver } from './sqlite-driver.ts'

export type ConnectionRole = 'reader' | 'writer' | 'checkpoint'

const BUSY_MS = 10_000
/** KiB at most, taken only as pages are used. */
const CACHE_KIB: Record<ConnectionRole, number> = { writer: 16 * 1024, reader: 62 * 1024, checkpoint: 2 * 1024 }
/** Of a writer whose file is large (256 MB in all then). */
const LARGE_CACHE_KIB = 192 * 1024
/** Where SQLite's locks lie in the file. */
const LOCK_BYTE = 2 ** 30

export function openConnection(driver: SqliteDriver, path: string, role: ConnectionRole): SqliteConnection {
  let connection: SqliteConnection | undefined
  try {
    connection = driver.open(path, BUSY_MS)
    setUp(connection, role)
    return connection
  } catch (error) {
    connection?.close()
    throw explainFile(error, path)
  }
}

function setUp(connection: SqliteConnection, role: ConnectionRole): void {
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
}

/**
 * Gives the writer its large cache once the file is beyond the page of SQLite's locks. Until then a commit looks at every page that
 * is cached: to sort siblings SQLite gives one of them that page's number for a moment, and behind it clears the cache of all that
 * lies beyond the file's end (decision 0222).
 */
export function sizeWriterCache(connection: SqliteConnection): void {
  const [{ page_count, page_size } = { page_count: 0, page_size: 0 }] = connection
    .prepare('SELECT page_count, page_size FROM pragma_page_count(), pragma_page_size()')
    .all([]) as { page_count: number; page_size: number }[]
  if (page_count * page_size > LOCK_BYTE) connection.exec(`PRAGMA cache_size = -${LARGE_CACHE_KIB}`)
}

/** From here on the connection only reads. */
export function makeReadOnly(connection: SqliteConnection): void {
  connection.exec('PRAGMA query_only = 1')
}
