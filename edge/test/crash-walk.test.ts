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
import type { ResumedWalker, StoppedWalkers } from './crash/walk-process.ts'
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
})
afterAll(async () => {
  await endpoint?.close()
  await engine?.release()
  rmSync(dataDir, { recursive: true, force: true })
})

function startProcess(...args: string[]): ChildProcessByStdio<null, Readable, null> {
  return spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Stops all walkers in one process, which is then killed. */
async function stopWalkers(): Promise<StoppedWalkers> {
  const child = startProcess('stop', endpoint.url)
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    child.kill('SIGKILL')
    await exited
    return JSON.parse(line) as StoppedWalkers
  }
  throw new Error('The process ended by itself.')
}

async function resumeWalkers(stopped: StoppedWalkers): Promise<ResumedWalker[]> {
  const file = join(dataDir, 'stopped.json')
  writeFileSync(file, JSON.stringify(stopped))
  const child = startProcess('resume', file)
  const resumed: ResumedWalker[] = []
  for await (const line of createInterface({ input: child.stdout })) resumed.push(JSON.parse(line) as ResumedWalker)
  return resumed
}

/** Returns the number of endpoint calls by call id; repeats of one id must be equal. */
function callsOf(userId: string): Map<string, number> {
  const callsById = new Map<string, number>()
  const payloads = new Map<string, string>()
  for (const { headers, body } of endpoint.requests) {
    const { user } = JSON.parse(body.payload) as { user: { id: string } }
    if (user.id !== userId) continue
    const id = String(headers['webhook-id'])
    callsById.set(id, (callsById.get(id) ?? 0) + 1)
    expect(body.payload).toBe(payloads.get(id) ?? body.payload)
    payloads.set(id, body.payload)
  }
  return callsById
}

const EXPECTED = expectedOutcome()

test(`each step takes effect once, wherever the process ends (${ENGINE})`, async () => {
  const stopped = await stopWalkers()
  const { walkers } = stopped
  const resumed = await resumeWalkers(stopped)
  let calls = 0
  for (const walker of walkers) {
    const about = `walker ${walker.number}, whose process ended ${walker.endedAt}`
    const found = resumed.find((result) => 'outcome' in result && result.number === walker.number)
    expect(found, about).toEqual({ number: walker.number, outcome: EXPECTED })
    // At least one call for each run; a crash repeats only calls in progress.
    const callsById = callsOf(userOf(walker))
    expect(callsById.size, about).toBe(RUNS)
    expect(Math.max(...callsById.values()), about).toBeLessThanOrEqual(walker.endedAt === null ? 1 : 2)
    calls += [...callsById.values()].reduce((sum, count) => sum + count, 0)
  }
  const count = walkers.length
  const funnel = { delivery: EXPECTED.log.filter((op) => op === 'add').length * count, read: count }
  const last = resumed.at(-1)
  expect(last).toMatchObject({ funnel, differed: 0 })
  if (last === undefined || !('flow' in last)) throw new Error('The steps were not counted.')
  expect(last.flow).toEqual(last.counted)
  expect(last.flow.runs.started).toBeGreaterThan(RUNS)
  reportCounts(`a walk through every step (${ENGINE})`, {
    points: count - 1,
    complete: 1,
    different: 0,
    calls,
    runs: count * RUNS,
  })
  // Requires that walkers stopped at each kind of action.
  const points = new Set(walkers.map(({ endedAt }) => endedAt))
  for (const point of NAMED_POINTS) expect(points).toContain(point)
})
