// Tests on PostgreSQL that indexes serve the claims of jobs, waits and mails, and the cut of a log. Over 50,000 analysed
// rows, no query scans them. Claims keep their limit under plans for a table that was small when it was analysed.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/servers.ts'
import { CUT_LOGS } from '../sql/commit/inbox-work.ts'
import { runWaitWrites } from '../sql/run-wait.ts'
import { claimAll, contextOf, fillClaims, NOW, ROWS } from '../test/claim-plans.ts'
import { type Connection, openConnection } from './connection.ts'
import { plainSql, prepareStore } from './prepare.ts'
import { numberParams } from './sql.ts'

let connection: Connection
beforeEach(async () => {
  const url = await freshDatabase()
  await prepareStore({ url, clock: { now: () => NOW } })
  connection = await openConnection({ url, deadlineMs: 10_000 })
})
afterEach(() => connection.destroy('done'))

async function run(...texts: string[]): Promise<void> {
  for (const text of texts) await connection.query(text, [], { prepare: false })
}

test('no claim scans or sorts the due rows', async () => {
  await run(...fillClaims(`generate_series(0, ${ROWS - 1}) AS i`), 'ANALYZE')
  const statements = await claimAll(plainSql(connection))
  expect(statements.length).toBeGreaterThan(8)
  for (const { text, params } of statements) {
    const explain = `EXPLAIN ${numberParams(text)}`
    const plan = await connection.query<{ 'QUERY PLAN': string }>(explain, params, { prepare: false })
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n')
    expect(lines, text).not.toMatch(/Seq Scan on (job|run_wait|mail)\b/)
  }
})

test('a claim respects its limit when the statistics show one row', async () => {
  // Rows on one page: the plan would then run the subquery of the claim again for each row of the table.
  const [, waits = ''] = fillClaims('generate_series(0, 29) AS i').map((text) => text.replace('- i % 1000', '- 1'))
  await run(`${waits} LIMIT 1`, 'VACUUM ANALYZE run_wait', `${waits} OFFSET 1`)
  const claim = () => runWaitWrites.claimWaits(contextOf(plainSql(connection)), NOW, 1000, 20, 0)
  expect((await claim()).waits).toHaveLength(20)
  expect((await claim()).waits).toHaveLength(10)
})

test('a claim that ran while nothing waited reads only the rows that it takes', async () => {
  await run('VACUUM ANALYZE run_wait')
  const claim = () => runWaitWrites.claimWaits(contextOf(plainSql(connection)), NOW, 1000, 500, 0)
  // PostgreSQL keeps the plan of the sixth call.
  for (let count = 0; count < 6; count++) expect((await claim()).waits).toEqual([])
  const [, waits = ''] = fillClaims('generate_series(0, 29999) AS i').map((text) => text.replace('- i % 1000', '- 1'))
  await run(waits, 'BEGIN')
  expect((await claim()).waits).toHaveLength(500)
  expect(await rowsRead('run_wait')).toBeLessThan(3000)
})

test('the log of one inbox is cut without reading those of others, also after cuts of nearly empty logs', async () => {
  await run('VACUUM ANALYZE inbox_change')
  const cut = (floor: number) => plainSql(connection).bulk(CUT_LOGS, [[1, 1, floor]])
  for (let count = 0; count < 6; count++) await cut(10)
  const user = (userNo: number, changes: number) =>
    `INSERT INTO inbox_change (environment_id, user_no, seq, message_id, patch)
      SELECT 1, ${userNo}, i, 1, '{}' FROM generate_series(1, ${changes}) AS i`
  await run(user(1, 1700), user(2, 3000), 'BEGIN')
  await cut(700)
  expect(await rowsRead('inbox_change')).toBeLessThan(5000)
})

/** Rows of a table that the transaction has read until now. */
async function rowsRead(table: string): Promise<number> {
  const [read] = await connection.query<{ rows: string }>(
    `SELECT seq_tup_read + COALESCE(idx_tup_fetch, 0) AS rows FROM pg_stat_xact_user_tables WHERE relname = '${table}'`,
  )
  return Number(read?.rows)
}
