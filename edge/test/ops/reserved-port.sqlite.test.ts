// Tests PORT=0: a port is reserved before the store opens and kept until the edge listens on it.
// SQLite alone: what is tested lies before the store.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEdge } from '../../serve.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
  await given.edge.close()
})
afterAll(() => given.stop())

/** Returns the listening ports of this machine, from Linux's table. */
function listListening(): number[] {
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)
  const columns = rows.map((row) => row.trim().split(/\s+/))
  return columns.filter((row) => row[3] === '0A').map((row) => Number.parseInt(row[1]?.split(':')[1] ?? '', 16))
}

test.skipIf(process.platform !== 'linux')('the reserved port is held while the store is opened', async () => {
  let held: number[] = []
  given.edge = await startEdge(
    { ...given.settings, PORT: '0' },
    {
      writeLog: () => {},
      // Called when the store is open, before the edge listens.
      get seedCampaigns() {
        held = listListening()
        return []
      },
    },
  )
  expect(held).toContain(Number(new URL(given.edge.url).port))
})
