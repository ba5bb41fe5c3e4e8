// What each connection to PostgreSQL sets for itself, whatever the server, the database or the account says, and what it refuses
// to work on (issue part 3, PostgreSQL).

/** A server ends what a frozen process holds: its locks would stop the other nodes (ms). */
const IDLE_IN_TRANSACTION_MS = 5000
const LOCK_WAIT_MS = 10_000

/** Words: the client leaves out what is false. */
export const SESSION_SETTINGS = {
  application_name: 'notification-center',
  default_transaction_isolation: 'read committed' as const,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  lock_timeout: LOCK_WAIT_MS,
  jit: 'off',
  // Our statements are written for loops over indices, which is all that SQLite has. Without these a plan that is kept from
  // before the first statistics reads a whole table for one row.
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  standard_conforming_strings: 'on',
}

export interface Session {
  encoding: string
  lock_wait_ms: number
}

/**
 * The first statement of a connection. Connections wait for work, and a migration or an export may take long: limits meant for
 * people would cut them. What is answered 202 is on the disk: where the server would tell of a commit before that, ours are
 * waited for; the stricter ways of a server with replicas stay.
 */
export const OPEN_SESSION = `SELECT current_setting('server_encoding') AS encoding,
  (SELECT setting::int FROM pg_settings WHERE name = 'lock_timeout') AS lock_wait_ms,
  set_config('statement_timeout', '0', false), set_config('idle_session_timeout', '0', false),
  CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END AS durable`

const POOLER =
  'DATABASE_URL leads to a pooler of connections, such as PgBouncer, which does not pass on what this service sets for them. Name PostgreSQL itself.'

/** Throws a text for the operator. */
export function confirmSession({ encoding, lock_wait_ms: lockWaitMs }: Session): void {
  if (lockWaitMs !== LOCK_WAIT_MS) throw new Error(POOLER)
  // Bytes as they come are UTF-8 all the same.
  if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII') {
    throw new Error(
      `The encoding of the database is ${encoding}, which has no place for every text. Create one with ENCODING 'UTF8' TEMPLATE template0.`,
    )
  }
}

/** The same, where the pooler itself refuses. */
export function explainOpening(error: unknown): unknown {
  const isRefused = error instanceof Error && error.message.includes('unsupported startup parameter')
  return isRefused ? new Error(POOLER, { cause: error }) : error
}
