// Claims of jobs and waits are served by indexes on PostgreSQL too: over 50,000 analysed rows that are due, no query scans them.

import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/servers.ts'
import { claimAll, fillClaims, NOW, ROWS } from '../suite/claim-plans.ts'
import { openLink } from './link.ts'
import { plainSql, prepareStore } from './prepare.ts'

test('no claim scans or sorts what is due', async () => {
  const url = await freshDatabase()
  await prepareStore({ url, clock: { now: () => NOW } })
  const link = await openLink({ url, deadlineMs: 10_000 })
  const rows = `generate_series(0, ${ROWS - 1}) AS i`
  for (const text of [...fillClaims(rows), 'ANALYZE']) await link.query(text, [], { prepare: false })
  const asked = await claimAll(plainSql(link))
  expect(asked.length).toBeGreaterThan(8)
  for (const { text, params } of asked) {
    let number = 0
    const numbered = text.replace(/\?/g, () => `$${++number}`)
    const plan = await link.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${numbered}`, params, { prepare: false })
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n')
    expect(lines, text).not.toMatch(/Seq Scan on (job|run_wait)\b/)
  }
  link.destroy('done')
}, 60_000)
