// Tests that killing PostgreSQL under load loses or doubles nothing that was answered 202, and that the server recovers.
// PostgreSQL alone: SQLite has no such process.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Server } from '../../tools/servers/server-process.ts'
import type { DemoFile } from '../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, rebuildStats, startEdgeProcess } from './support/edge-process.ts'
import { type GivenLedger, givenLedger } from './support/given-ledger.ts'
import { reportCounts } from './support/report-counts.ts'
import { startPostgres } from './support/servers.ts'
import { runningNow } from './support/within.ts'

const KILLS = 6
const SEED = Number(process.env.CRASH_SEED ?? 21)
/** Minimum number of requests before each kill. */
const MIN_REQUESTS = 60
/** Maximum time from PostgreSQL's return until the edge is ready. */
const READY_WITHIN_MS = 2000

const dataDir = mkdtempSync(join(tmpdir(), 'nc-crash-'))
let server: Server
let edge: EdgeProcess | undefined
let given: GivenLedger | undefined
beforeAll(async () => {
  await buildEdge()
  server = await startPostgres()
})
afterAll(async () => {
  given?.close()
  await edge?.kill()
  await server?.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

test(`${KILLS} kills of PostgreSQL under load lose and duplicate nothing (seed ${SEED})`, async () => {
  const settings = { DATABASE_URL: server.url, MASTER_KEY: Buffer.alloc(32, 5).toString('base64') }
  edge = await startEdgeProcess(dataDir, settings)
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
  given = await givenLedger(edge.url, demo, { seed: SEED, users: 60 })
  const readyMs: number[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    await given.startClicks(edge.url)
    let isOver = false
    const running = given.load.run(edge.url, () => isOver)
    const begun = given.load.sent()
    await new Promise((resolve) => setTimeout(resolve, 100 + (given as GivenLedger).random() * 400))
    await expect.poll(given.load.sent).toBeGreaterThan(begun + MIN_REQUESTS)
    await server.kill()
    await expect.poll(() => readiness(edge as EdgeProcess), { interval: 20 }).toBe(503)
    isOver = true
    await running
    given.stopClicks()
    await server.restart()
    const returnedAt = runningNow()
    await expect.poll(() => readiness(edge as EdgeProcess), { interval: 20 }).toBe(200)
    readyMs.push(runningNow() - returnedAt)
    await given.settle(edge.url)
  }
  const counts = await given.expectLedger(edge.url)
  const failures = Object.fromEntries(given.load.failures)
  const longestReadyMs = Math.round(Math.max(...readyMs))
  reportCounts(`${KILLS} kills of PostgreSQL`, { ...counts, lost: 0, doubled: 0, failures, longestReadyMs })
  expect(counts.events).toBeGreaterThan(300)
  expect(counts.fanOuts).toBeGreaterThan(0)
  expect(longestReadyMs).toBeLessThan(READY_WITHIN_MS)
  // The connection to the edge never failed: each call had an answer, and an event of a batch its code.
  const { 503: refused = 0, 'service/unavailable': _, ...others } = failures
  expect(refused).toBeGreaterThan(0)
  expect(others).toEqual({})

  expect(await edge.stop()).toBe(0)
  expect((await rebuildStats(dataDir, settings)).differed).toBe(0)
})

async function readiness(process: EdgeProcess): Promise<number> {
  return (await fetch(`${process.url}/readyz`)).status
}
