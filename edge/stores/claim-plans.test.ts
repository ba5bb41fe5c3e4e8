// Tests on SQLite that indexes serve the claims of jobs, waits and mails. Over 50,000 due rows, no query scans or sorts them,
// with statistics and without.

import { expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { loadDriver } from './sqlite/driver.ts'
import { createSqliteEngine, createSqliteSql, SQLITE } from './sqlite/sql.ts'
import { claimAll, fillClaims, NOW, ROWS } from './test/claim-plans.ts'

test.each(['without statistics', 'analysed'])('%s', async (mode) => {
  const connection = (await loadDriver()).open(':memory:', 0)
  const sql = createSqliteSql(connection)
  await migrate(createSqliteEngine(connection, sql), SQLITE, NOW)
  const rows = `(WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS - 1}) SELECT i FROM n) AS n`
  for (const text of fillClaims(rows)) connection.exec(text)
  if (mode === 'analysed') connection.exec('ANALYZE')
  const statements = await claimAll(sql)
  expect(statements.length).toBeGreaterThan(8)
  for (const { text, params } of statements) {
    const plan = await sql.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params)
    // A scan of a union has few rows. A scan of a table has many, unless it is limited in the order of an index.
    const faults = plan
      .map(({ detail }) => detail)
      .filter((line) => /^SCAN (job|run_wait|mail|[dwjx])\b(?!.*USING (COVERING )?INDEX)/.test(line))
    expect(faults, text).toEqual([])
  }
  connection.close()
})
