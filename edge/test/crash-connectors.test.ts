// Tests that repeated kill -9 while deliveries arrive loses and doubles none that was answered 200, on each engine.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedSourceAnswer } from '../../contract/resources/source.ts'
import type { DemoFile } from '../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from './support/edge-process.ts'
import { ENGINE, engineSettings } from './support/engine.ts'
import { signedHeaders } from './support/given-sources.ts'
import { createRandom } from './support/ledger.ts'
import { createRawClient } from './support/raw-client.ts'
import { createPageReader } from './support/read-pages.ts'
import { reportCounts } from './support/report-counts.ts'

/** A long run: `NC_CONNECTOR_KILLS=200`. */
const KILLS = Number(process.env.NC_CONNECTOR_KILLS ?? 6)
const SEED = Number(process.env.CRASH_SEED ?? 23)
const WORKERS = 4
/** A platform sends an event again although it was answered, now and then. */
const REPEATED = 0.2

const dataDir = mkdtempSync(join(tmpdir(), 'nc-crash-'))
const client = createRawClient()
const random = createRandom(SEED)
let edge: EdgeProcess | undefined
beforeAll(() => buildEdge())
afterAll(async () => {
  client.close()
  await edge?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Sends one event as Stripe does. @returns the status; 0 when the connection ended without an answer */
async function deliver(url: string, { id, verificationSecret }: CreatedSourceAnswer, event: string): Promise<number> {
  const body = JSON.stringify({ id: event, type: 'payout.paid', data: { object: { event } } })
  const headers = signedHeaders('stripe', { secret: verificationSecret, body, url: '' })
  try {
    const answer = await fetch(`${url}/v1/connectors/stripe/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}

test(`${KILLS} kills while deliveries arrive double and lose none (${ENGINE}, seed ${SEED})`, async () => {
  const { env } = await engineSettings()
  edge = await startEdgeProcess(dataDir, env)
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
  const key = demo.environments.dev.sdkSecretKey
  const created = await fetch(`${edge.url}/v1/sources`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'crashes', provider: 'stripe' }),
  })
  expect(created.status).toBe(201)
  const source = (await created.json()) as CreatedSourceAnswer

  const answered = new Set<string>()
  const unanswered = new Set<string>()
  let count = 0
  let repeated = 0
  const work = async (url: string, isEnded: () => boolean) => {
    while (!isEnded()) {
      const known = [...answered].at(-1)
      const isRepeat = known !== undefined && random() < REPEATED
      const event = isRepeat ? known : `evt_${count++}`
      if (isRepeat) repeated++
      const status = await deliver(url, source, event)
      if (status === 200) answered.add(event)
      else if (!answered.has(event)) unanswered.add(event)
    }
  }
  for (let kill = 0; kill < KILLS; kill++) {
    let isKilled = false
    const { url } = edge
    const before = answered.size
    const workers = Array.from({ length: WORKERS }, () => work(url, () => isKilled))
    // On a busy machine a process needs longer than the pause below for its first answer.
    await expect.poll(() => answered.size).toBeGreaterThan(before + 1)
    await setTimeout(100 + random() * 400)
    await edge.kill()
    isKilled = true
    await Promise.all(workers)
    edge = await startEdgeProcess(dataDir, { ...env, SEED_DEMO: 'false' })
  }
  // The platform sends again what was not answered.
  for (const event of unanswered) {
    while ((await deliver(edge.url, source, event)) !== 200) await setTimeout(50)
  }

  const { readAll } = createPageReader(client, edge.url)
  const stored = await readAll<{ properties: { event: string } }>('/v1/events?name=stripe.payout.paid', key)
  const times = new Map<string, number>()
  for (const { properties } of stored) times.set(properties.event, (times.get(properties.event) ?? 0) + 1)
  const sent = [...answered, ...unanswered]
  reportCounts(`${KILLS} kills while deliveries arrive on ${ENGINE}`, {
    sent: sent.length,
    answered: answered.size,
    sentAgain: unanswered.size,
    repeated,
    doubled: [...times.values()].filter((number) => number > 1).length,
    lost: sent.filter((event) => !times.has(event)).length,
  })
  expect(sent.filter((event) => times.get(event) !== 1)).toEqual([])
  expect(times.size).toBe(new Set(sent).size)
  expect(answered.size).toBeGreaterThan(KILLS)
  expect(unanswered.size).toBeGreaterThan(0)
})
