// Tests waiting runs while retention removes old rows and users are erased.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Environment } from '../../domain/environment.ts'
import { expectedOutcome } from '../crash/expected-outcome.ts'
import { HOUR_MS, WALK } from '../crash/walk-campaign.ts'
import { startWalkEndpoint } from '../crash/walk-endpoint.ts'
import { type Outcome, readOutcome } from '../crash/walk-outcome.ts'
import { openWalkStore, type WalkStore } from '../crash/walk-server.ts'
import { freshWalker, userOf, walk } from '../crash/walker.ts'
import type { Endpoint } from '../support/endpoint.ts'
import { ENGINE, type EngineSettings, engineSettings } from '../support/engine.ts'

const MASTER_KEY = Buffer.alloc(32, 3).toString('base64')
const dataDir = mkdtempSync(join(tmpdir(), 'nc-waiting-'))
let engine: EngineSettings
let endpoint: Endpoint
let walkStore: WalkStore
let environment: Environment
beforeAll(async () => {
  engine = await engineSettings(ENGINE, { withRedis: false })
  endpoint = await startWalkEndpoint()
  walkStore = await openWalkStore({ DATA_DIR: dataDir, MASTER_KEY, ...engine.env })
  environment = await walkStore.createFixtures(endpoint.url)
})
afterAll(async () => {
  await walkStore?.close()
  await endpoint?.close()
  await engine?.release()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Advances the clock so that everything is old enough, and purges. */
async function purgeAll(): Promise<number> {
  let rows = 0
  for (let step = -1; step !== 0; rows += step) {
    step = (await walkStore.stores.retention.purgeStep(environment.id, walkStore.clock.at + 1)).rows
  }
  return rows
}

test('retention keeps what a waiting run needs, and a read is known as long as its message exists', async () => {
  const runs = new Map<string | undefined, Outcome['runs'][number]>()
  let walker = freshWalker(1, walkStore.clock.at)
  let purged = 0
  for (const [index, action] of WALK.entries()) {
    walker = await walk(walkStore, environment, walker, { until: index + 1 })
    const { runs: seen, gathered } = await readOutcome(walkStore.stores, environment, walker)
    for (const run of seen) runs.set(run.by, run)
    if (index === 4) expect(gathered).toContainEqual([3])
    // The fifth action reads the message.
    const waitsForRead = WALK.slice(index + 1).some((following) => following.do === 'read') && action.do === 'pass'
    if (!waitsForRead) purged += await purgeAll()
  }
  expect(purged).toBeGreaterThan(20)
  const expected = expectedOutcome().runs.map((run) => ({
    ...run,
    trace: run.trace.map((step) => (step.startsWith('mail email skipped tell') ? 'mail email done ' : step)),
  }))
  expect([...runs.values()].sort((a, b) => ((a.by ?? '') < (b.by ?? '') ? -1 : 1))).toEqual(expected)
  expect((await walkStore.stores.events.list(environment.id, {}, null, 100)).events).toEqual([])
})

test.each([2, 3, 4, 7, 10])(
  'erasing a user after action %i removes the waiting runs and all data of that user',
  async (until) => {
    const walker = await walk(walkStore, environment, freshWalker(until, walkStore.clock.at), { until })
    const userId = userOf(walker)
    const before = await readOutcome(walkStore.stores, environment, walker)
    expect(before.waiting).toBeGreaterThan(0)
    await walkStore.stores.users.erase(environment.id, userId, walkStore.clock.now())
    walkStore.clock.at += 30 * HOUR_MS
    expect(await walkStore.stores.waits.claim(walkStore.clock.at, 1000, 500)).toEqual([])
    expect((await walkStore.stores.events.list(environment.id, { userId }, null, 100)).events).toEqual([])
    expect((await walkStore.stores.deliveries.step(environment.id, { userId }, null, 100)).records).toEqual([])
    expect(await walkStore.stores.users.find(environment.id, userId)).toBeUndefined()
  },
)
