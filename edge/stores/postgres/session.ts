// Sets the session parameters of each connection, independently of server, database and account, and refuses
// unsuitable servers.

/** The server ends an idle transaction after this time (ms): locks of a frozen process would stop other nodes. */
const IDLE_IN_TRANSACTION_MS = 5000
const LOCK_WAIT_MS = 10_000

/** `off` is a text, because the client omits values that are `false`. */
export const SESSION_SETTINGS = {
  application_name: 'notification-center',
  default_transaction_isolation: 'read committed' as const,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  lock_timeout: LOCK_WAIT_MS,
  jit: 'off',
  // The statements are written for nested loops over indexes in their order, which is all that SQLite has. Without these
  // settings, a plan made while a table was empty reads the whole table for one row, or all due rows to sort them.
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_seqscan: 'off',
  enable_mergejoin: 'off',
  // Tables are joined in the order in which they are written. All keys begin with the environment, so the planner would otherwise
  // join whole environments first: campaigns to the messages of a page, then all messages of the environment to each of them.
  join_collapse_limit: 1,
  standard_conforming_strings: 'on',
}

export interface Session {
  encoding: string
  lock_wait_ms: number
}

/**
 * The first statement of a connection. It turns off time limits, because an export may take long.
 * It turns on `synchronous_commit` when it is off, because a 202 promises a durable commit; stricter settings stay.
 */
export const OPEN_SESSION = `SELECT current_setting('server_encoding') AS encoding,
  (SELECT setting::int FROM pg_settings WHERE name = 'lock_timeout') AS lock_wait_ms,
  set_config('statement_timeout', '0', false), set_config('idle_session_timeout', '0', false),
  CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END AS durable`

const POOLER =
  'DATABASE_URL names a connection pooler, such as PgBouncer, which does not forward session settings. Name PostgreSQL itself.'

/** @throws Error with a text for the operator when the session is unsuitable. */
export function checkSession({ encoding, lock_wait_ms: lockWaitMs }: Session): void {
  if (lockWaitMs !== LOCK_WAIT_MS) throw new Error(POOLER)
  // SQL_ASCII stores bytes as they are sent, which is UTF-8.
  if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII') {
    throw new Error(
      `The encoding of the database is ${encoding}, which cannot store every text. Create one with ENCODING 'UTF8' TEMPLATE template0.`,
    )
  }
}

/** Returns an explanation for the error of a pooler that refuses the session parameters; other errors unchanged. */
export function explainOpening(error: unknown): unknown {
  const isRefused = error instanceof Error && error.message.includes('unsupported startup parameter')
  return isRefused ? new Error(POOLER, { cause: error }) : error
}
