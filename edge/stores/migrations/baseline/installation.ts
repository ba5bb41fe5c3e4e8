// Creates the tables of the installation: epoch and floor of ids, nodes with their numbers, jobs, notices.

/** Ids have five bits for the node; the command line uses the last number, without a lease. */
const LEASED_NUMBERS = 31

export const installation: string[] = [
  `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,

  `CREATE TABLE id_floor (slot INTEGER PRIMARY KEY, value INTEGER NOT NULL)`,

  // erasures: counts the users that other nodes have erased, whose numbers this node must drop.
  `CREATE TABLE nodes (number INTEGER PRIMARY KEY, holder TEXT NOT NULL, leased_until INTEGER NOT NULL,
    erasures INTEGER NOT NULL)`,
  `INSERT INTO nodes (number, holder, leased_until, erasures) VALUES ${Array.from(
    { length: LEASED_NUMBERS },
    (_, number) => `(${number}, '', 0, 0)`,
  ).join(', ')}`,

  // Short-lived: every server reads them within a second.
  `CREATE TABLE notice (number IDENTITY, at INTEGER NOT NULL, topic TEXT NOT NULL, payload TEXT NOT NULL)`,

  // due_at: when it may be claimed next (its time, or the end of a lease); null when dead.
  `CREATE TABLE job (environment_id INTEGER NOT NULL, id INTEGER NOT NULL, kind TEXT NOT NULL,
    payload TEXT NOT NULL, run_at INTEGER NOT NULL, created_at INTEGER NOT NULL, due_at INTEGER,
    attempts INTEGER NOT NULL, fence INTEGER NOT NULL, error TEXT, crashes INTEGER NOT NULL DEFAULT 0,
    given_up_at INTEGER, PRIMARY KEY (environment_id, id))`,
  `CREATE INDEX job_due ON job (due_at, id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX job_dead ON job (id) WHERE due_at IS NULL`,
  `CREATE INDEX job_of_environment ON job (environment_id, due_at, id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX job_of_kind ON job (kind, due_at, id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX job_in_turn ON job (environment_id, kind, due_at, id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX job_given_up ON job (environment_id, given_up_at) WHERE given_up_at IS NOT NULL`,
]
