// Opens a store in memory that records the statements of its reads, for tests that have their plans explained.

import { migrate } from '../migrate.ts'
import type { Sql } from '../sql/sql.ts'
import { loadDriver, type SqliteConnection } from '../sqlite/driver.ts'
import { createSqliteEngine, createSqliteSql, SQLITE } from '../sqlite/sql.ts'

export interface Recorder {
  connection: SqliteConnection
  sql: Sql
  /** Reads once; returns the steps of the plan of each statement. */
  plansOf(read: () => Promise<unknown>): Promise<string[][]>
}

/** `now` is the time of the migrations, epoch ms. */
export async function givenRecorder(now: number): Promise<Recorder> {
  const native = (await loadDriver()).open(':memory:', 0)
  const statements: { text: string; params: unknown[] }[] = []
  const connection: SqliteConnection = {
    ...native,
    prepare(text) {
      const statement = native.prepare(text)
      return {
        ...statement,
        all(params) {
          statements.push({ text, params })
          return statement.all(params)
        },
      }
    },
  }
  const sql = createSqliteSql(connection)
  await migrate(createSqliteEngine(connection, sql), SQLITE, now)
  return {
    connection,
    sql,
    async plansOf(read) {
      statements.length = 0
      await read()
      return statements.map(({ text, params }) => {
        const steps = native.prepare(`EXPLAIN QUERY PLAN ${text}`).all(params as number[]) as { detail: string }[]
        return steps.map(({ detail }) => detail)
      })
    },
  }
}
