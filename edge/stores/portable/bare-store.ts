// A store as export, import and migrate work on it: one connection, without ports, writer or relay.

import type { Clock } from '../../lib/clock.ts'
import type { Dialect } from '../migrate.ts'
import type { Engine, Sql } from '../sql/sql.ts'

export interface BareStore extends Engine {
  /** `SQLite` or `PostgreSQL`. */
  engine: string
  dialect: Dialect
  /** Reads that all see the store as it is at one moment, while others go on writing. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  hasTable(sql: Sql, table: string): Promise<boolean>
  /** The highest number that the identity column ever gave; 0 when none. */
  readIdentity(sql: Sql, table: string, column: string): Promise<number>
  /** No number at or below it is given again. */
  raiseIdentity(sql: Sql, table: string, column: string, value: number): Promise<void>
  /** How far the store's own clock is ahead of this machine's (ms); null when it has none. */
  clockSkewMs(clock: Clock): Promise<number | null>
  /** Tells the engine's planner what the tables hold; nothing where statements name their indexes. */
  learnTables(): Promise<void>
  /** Whether a server is at work on the store. */
  isInUse(): Promise<boolean>
  close(): Promise<void>
}
