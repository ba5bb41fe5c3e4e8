// Tests that kill -9 in the middle of a run of deliveries loses and doubles none of its events, on each engine.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedSourceAnswer, SourceAnswer } from '../../contract/resources/source.ts'
import type { DemoFile } from '../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from './support/edge-process.ts'
import { endLeases } from './support/end-leases.ts'
import { ENGINE, engineSettings } from './support/engine.ts'
import { signedHeaders } from './support/given-sources.ts'
import { createRawClient } from './support/raw-client.ts'
import { createPageReader } from './support/read-pages.ts'
import { reportCounts } from './support/report-counts.ts'

const KILLS = 3
const DELIVERIES = 400
const MAPPINGS = [{ providerEvent: '*', event: 'run.again' }]

const dataDir = mkdtempSync(join(tmpdir(), 'nc-crash-'))
const client = createRawClient()
let edge: EdgeProcess | undefined
beforeAll(() => buildEdge())
afterAll(async () => {
  client.close()
  await edge?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

test(`${KILLS} kills in the middle of a run double and lose none of its events (${ENGINE})`, async () => {
  const { env } = await engineSettings()
  edge = await startEdgeProcess(dataDir, env)
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
  const key = demo.environments.dev.sdkSecretKey
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${edge?.url}/v1/sources${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    })
    return (await answer.json()) as T
  }
  const source = await call<CreatedSourceAnswer>('POST', '', { name: 'runs', provider: 'stripe' })
  const ids = Array.from({ length: DELIVERIES }, (_, at) => `evt_${at}`)
  await Promise.all(
    ids.map(async (id) => {
      const body = JSON.stringify({ id, type: 'payout.paid', data: { object: { event: id } } })
      const signed = signedHeaders('stripe', { secret: source.verificationSecret, body, url: '' })
      const url = `${edge?.url}/v1/connectors/stripe/${source.id}`
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signed },
        body,
      })
      expect(answer.status).toBe(200)
    }),
  )
  const runOf = async () => (await call<SourceAnswer>('GET', `/${source.id}`)).run
  await call('PUT', `/${source.id}`, { mappings: MAPPINGS })
  // Bodies are written in the background.
  const time = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' }
  const begin = () => call<{ accepted: number }>('POST', `/${source.id}/deliveries/run`, time)
  await expect.poll(async () => (await call<SourceAnswer>('GET', `/${source.id}`)).counts.accepted).toBe(DELIVERIES)
  expect((await begin()).accepted).toBe(DELIVERIES)
  let inTheMiddle = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const before = (await runOf())?.done ?? 0
    await expect.poll(async () => (await runOf())?.done, { interval: 1 }).not.toBe(before)
    await edge.kill()
    await endLeases(dataDir, env)
    edge = await startEdgeProcess(dataDir, { ...env, SEED_DEMO: 'false' })
    const run = await runOf()
    if (run?.state === 'running') inTheMiddle++
    else break
  }
  await expect.poll(async () => (await runOf())?.state).toBe('done')

  const { readAll } = createPageReader(client, edge.url)
  const stored = await readAll<{ properties: { event: string } }>('/v1/events?name=run.again', key)
  const events = stored.map(({ properties }) => properties.event)
  reportCounts(`Kills in the middle of a run of deliveries on ${ENGINE}`, {
    kills: inTheMiddle,
    deliveries: DELIVERIES,
    doubled: events.length - new Set(events).size,
    lost: ids.filter((id) => !events.includes(id)).length,
  })
  expect(inTheMiddle).toBeGreaterThan(0)
  expect(events.sort()).toEqual(ids.sort())
  expect(await runOf()).toMatchObject({ deliveries: DELIVERIES, done: DELIVERIES, refused: 0 })
})
