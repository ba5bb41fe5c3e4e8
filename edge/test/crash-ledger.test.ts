// Tests that repeated kill -9 under load loses or doubles nothing that was answered 202, on each engine.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DemoFile } from '../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, rebuildStats, startEdgeProcess } from './support/edge-process.ts'
import { endLeases } from './support/end-leases.ts'
import { ENGINE, engineSettings } from './support/engine.ts'
import { expectNoneGivenUp } from './support/expect-none-given-up.ts'
import { type GivenLedger, givenLedger } from './support/given-ledger.ts'
import { reportCounts } from './support/report-counts.ts'

const KILLS = 20
const SEED = Number(process.env.CRASH_SEED ?? 20)

const dataDir = mkdtempSync(join(tmpdir(), 'nc-crash-'))
let edge: EdgeProcess | undefined
let given: GivenLedger | undefined
beforeAll(buildEdge)
afterAll(async () => {
  given?.close()
  await edge?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

test(`${KILLS} kills under load lose and duplicate nothing (${ENGINE}, seed ${SEED})`, async () => {
  const engine = await engineSettings()
  edge = await startEdgeProcess(dataDir, engine.env)
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
  given = await givenLedger(edge.url, demo, { seed: SEED, users: 60, waits: true })
  for (let kill = 0; kill < KILLS; kill += 1) {
    await given.startClicks(edge.url)
    let isKilled = false
    const running = given.load.run(edge.url, () => isKilled)
    await new Promise((resolve) => setTimeout(resolve, 50 + (given as GivenLedger).random() * 350))
    await edge.kill()
    isKilled = true
    await running
    given.stopClicks()
    if (kill === KILLS - 1) await endLeases(dataDir, engine.env)
    edge = await startEdgeProcess(dataDir, engine.env)
    await given.settle(edge.url)
  }
  const counts = await given.expectLedger(edge.url)
  const waits = await given.expectWaits(edge.url)
  reportCounts(`${KILLS} kills of the edge on ${ENGINE}`, { ...counts, ...waits })

  // Requires events of each kind and clicks; otherwise the load would prove nothing.
  expect(counts.events).toBeGreaterThan(1000)
  expect(counts.fanOuts).toBeGreaterThan(0)
  expect(counts.clicks).toBeGreaterThan(0)
  for (const count of Object.values(waits)) expect(count).toBeGreaterThan(0)

  expect(await edge.stop()).toBe(0)
  await expectNoneGivenUp(dataDir, engine.env)
  const rebuilt = await rebuildStats(dataDir, engine.env)
  expect(rebuilt.counters).toBeGreaterThan(0)
  expect(rebuilt.differed).toBe(0)
})
