// Describes a store for export, import and migrate: one connection, without ports, writer or bus.

import type { Clock } from '../../lib/clock.ts'
import type { Migration } from '../migrations/migration.ts'
import type { Engine, Sql } from '../sql/sql.ts'

export interface MaintenanceStore extends Engine {
  engine: 'SQLite' | 'PostgreSQL'
  /** Applies the missing migrations like the start of a server, and returns their numbers. */
  migrate(now: number, migrations?: Migration[]): Promise<number[]>
  /** Runs reads that all see one state of the store, while other processes write. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  hasTable(sql: Sql, table: string): Promise<boolean>
  /** Returns the number of rows, on PostgreSQL as its statistics have it. */
  countRows(sql: Sql, table: string): Promise<number>
  /** Returns the highest number that the identity column has generated; 0 when none. */
  readIdentity(sql: Sql, table: string, column: string): Promise<number>
  /** Raises the identity: no number at or below `value` is generated again. */
  raiseIdentity(sql: Sql, table: string, column: string, value: number): Promise<void>
  /** Returns how far the store's clock is ahead of this machine's (ms); null when the store has none. */
  clockSkewMs(clock: Clock): Promise<number | null>
  /** Updates the planner statistics; does nothing where statements name their indexes. */
  updateStatistics(): Promise<void>
  /** Resolves when every transaction that had begun before the call has ended. */
  settle(): Promise<void>
  /** Returns whether a server works on the store. */
  isInUse(): Promise<boolean>
  close(): Promise<void>
}
