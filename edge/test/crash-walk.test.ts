// Tests that each step takes effect once, wherever its process ends: at any store call or effect.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectedOutcome, RUNS } from './crash/expected-outcome.ts'
import { NAMED_POINTS } from './crash/named-points.ts'
import { startWalkEndpoint } from './crash/walk-endpoint.ts'
import type { Broken, Mended } from './crash/walk-process.ts'
import { userOf } from './crash/walker.ts'
import type { Endpoint } from './support/endpoint.ts'
import { ENGINE, type EngineSettings, engineSettings } from './support/engine.ts'
import { reportCounts } from './support/report-counts.ts'
import { buildTestScript } from './support/test-script.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'nc-walk-'))
let engine: EngineSettings
let endpoint: Endpoint
let script: string
let env: Record<string, string>
beforeAll(async () => {
  script = await buildTestScript(join(import.meta.dirname, 'crash/walk-process.ts'))
  engine = await engineSettings(ENGINE, { withRedis: false })
  endpoint = await startWalkEndpoint()
  env = { DATA_DIR: dataDir, MASTER_KEY: Buffer.alloc(32, 9).toString('base64'), ...engine.env }
}, 120_000)
afterAll(async () => {
  await endpoint?.close()
  await engine?.release()
  rmSync(dataDir, { recursive: true, force: true })
})

function begin(...words: string[]): ChildProcessByStdio<null, Readable, null> {
  return spawn(process.execPath, [script, ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Stops all walkers in one process, which is then killed. */
async function breakAll(): Promise<Broken> {
  const child = begin('break', endpoint.url)
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    child.kill('SIGKILL')
    await exited
    return JSON.parse(line) as Broken
  }
  throw new Error('The process ended by itself.')
}

async function mendAll(broken: Broken): Promise<Mended[]> {
  const file = join(dataDir, 'broken.json')
  writeFileSync(file, JSON.stringify(broken))
  const child = begin('mend', file)
  const mended: Mended[] = []
  for await (const line of createInterface({ input: child.stdout })) mended.push(JSON.parse(line) as Mended)
  return mended
}

/** Returns the number of endpoint calls by call id; repeats of one id must be equal. */
function callsOf(userId: string): Map<string, number> {
  const calls = new Map<string, number>()
  const questions = new Map<string, string>()
  for (const { headers, body } of endpoint.heard) {
    const { user } = JSON.parse(body.payload) as { user: { id: string } }
    if (user.id !== userId) continue
    const id = String(headers['webhook-id'])
    calls.set(id, (calls.get(id) ?? 0) + 1)
    expect(body.payload).toBe(questions.get(id) ?? body.payload)
    questions.set(id, body.payload)
  }
  return calls
}

const EXPECTED = expectedOutcome()

test(`each step takes effect once, wherever the process ends (${ENGINE})`, async () => {
  const broken = await breakAll()
  const { walkers } = broken
  const mended = await mendAll(broken)
  let asked = 0
  for (const walker of walkers) {
    const about = `walker ${walker.number}, whose process ended ${walker.endedAt}`
    const found = mended.find((one) => 'outcome' in one && one.number === walker.number)
    expect(found, about).toEqual({ number: walker.number, outcome: EXPECTED })
    // At least one call for each run; a crash repeats only calls in progress.
    const calls = callsOf(userOf(walker))
    expect(calls.size, about).toBe(RUNS)
    expect(Math.max(...calls.values()), about).toBeLessThanOrEqual(walker.endedAt === null ? 1 : 2)
    asked += [...calls.values()].reduce((sum, count) => sum + count, 0)
  }
  const count = walkers.length
  const funnel = { delivery: EXPECTED.log.filter((op) => op === 'add').length * count, read: count }
  expect(mended.at(-1)).toMatchObject({ funnel, differed: 0 })
  reportCounts(`a walk through every step (${ENGINE})`, {
    points: count - 1,
    whole: 1,
    different: 0,
    asked,
    runs: count * RUNS,
  })
  // Requires that walkers stopped at each kind of action.
  const points = new Set(walkers.map(({ endedAt }) => endedAt))
  for (const point of NAMED_POINTS) expect(points).toContain(point)
}, 240_000)
