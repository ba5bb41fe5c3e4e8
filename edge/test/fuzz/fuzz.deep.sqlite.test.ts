// Tests that requests made from the API reference find no fault of the built server; `npm run fuzz:api` sends more of them.
// SQLite alone: most of them end before the store.

import { expect, test } from 'vitest'
import { buildEdge } from '../support/edge-process.ts'
import { runRequests } from './run-requests.ts'

test('no generated request finds a fault', async () => {
  await buildEdge()
  const seed = Number(process.env.NC_SEED ?? 39)
  const { faults, sent, statuses } = await runRequests({
    ...{ requests: 3000, seed, engine: 'sqlite', concurrency: 4, only: undefined },
    print() {},
  })
  expect({ seed, faults }).toEqual({ seed, faults: [] })
  expect(sent).toBeGreaterThanOrEqual(3000)
  // Most requests reach a route, and many are accepted.
  expect(statuses.get(200)).toBeGreaterThan(sent / 10)
})
