// Measures the duration of reads through the Sql port; not for the writer's connection.

import { performance } from 'node:perf_hooks'
import type { StoreWatch } from '../domain/stores.ts'
import type { Param, RowsStatement, Sql } from './sql/sql.ts'

/** Returns the same port with timed reads. Failed reads are not counted. */
export function timeReads(sql: Sql, watch: StoreWatch | undefined): Sql {
  if (watch === undefined) return sql
  const { onRead } = watch
  return {
    ...sql,
    async all<Row>(text: string, params?: Param[]) {
      const from = performance.now()
      const rows = await sql.all<Row>(text, params)
      onRead(performance.now() - from)
      return rows
    },
    async one<Row>(text: string, params?: Param[]) {
      const from = performance.now()
      const row = await sql.one<Row>(text, params)
      onRead(performance.now() - from)
      return row
    },
    async bulk<Row>(statement: RowsStatement, rows: Param[][]) {
      const from = performance.now()
      const found = await sql.bulk<Row>(statement, rows)
      onRead(performance.now() - from)
      return found
    },
  }
}
