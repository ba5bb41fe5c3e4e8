// Tests that waiting runs move with their store: exported and imported between engines, they resume on time.
// Both engines, in the run that starts PostgreSQL.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { expectedOutcome } from '../crash/expected-outcome.ts'
import { WALK } from '../crash/walk-campaign.ts'
import { startWalkEndpoint } from '../crash/walk-endpoint.ts'
import { readOutcome } from '../crash/walk-outcome.ts'
import { openWalkStore } from '../crash/walk-server.ts'
import { freshWalker, walk } from '../crash/walker.ts'
import { engineSettings } from '../support/engine.ts'
import { givenNc } from '../support/given-nc.ts'

const MASTER_KEY = Buffer.alloc(32, 4).toString('base64')
const folder = mkdtempSync(join(tmpdir(), 'nc-moving-waits-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function createSettings(engine: 'sqlite' | 'postgres'): Promise<Record<string, string>> {
  const { env } = await engineSettings(engine, { withRedis: false })
  return { ...env, DATA_DIR: mkdtempSync(join(folder, `${engine}-`)), MASTER_KEY }
}

/** After these numbers of actions, runs wait for an answer, an instant, a window and an event. */
const MOVE_AFTER = [2, 3, 6, 8, 10, 11]

test('a waiting run resumes on time after each move between the engines', async () => {
  const endpoint = await startWalkEndpoint()
  let env = await createSettings('sqlite')
  let walkStore = await openWalkStore(env)
  let environment = await walkStore.createFixtures(endpoint.url)
  let walker = freshWalker(1, walkStore.clock.at)
  for (const [index, until] of MOVE_AFTER.entries()) {
    walker = await walk(walkStore, environment, walker, { until })
    const { waiting } = await readOutcome(walkStore.stores, environment, walker)
    expect(waiting).toBeGreaterThan(0)
    const target = await createSettings(index % 2 === 0 ? 'postgres' : 'sqlite')
    await walkStore.close()
    const file = join(folder, `${index}.ndjson.gz`)
    const sent = await givenNc(env).json<{ rows: number; tables: { run_wait: { rows: number } } }>(
      `export --to ${file}`,
    )
    expect(sent.tables.run_wait.rows).toBe(waiting)
    await givenNc(target).json(`import --from ${file}`)
    env = target
    walkStore = await openWalkStore(env)
    const found = await walkStore.stores.environments.find(environment.id)
    if (found === undefined) throw new Error('The import lacks the environment.')
    environment = found
  }
  walker = await walk(walkStore, environment, walker, { until: WALK.length })
  expect(await readOutcome(walkStore.stores, environment, walker)).toEqual(expectedOutcome())
  // The endpoint is asked once, wherever a run resumed.
  expect(endpoint.requests).toHaveLength(4)
  await walkStore.close()
  await endpoint.close()
})
