// Tests that a killed process's claim on a run is released at the next start (docs/decisions/0020-fair-claims.md).
// SQLite alone: its store has one process, so no other one can hold the claim.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DemoFile } from '../../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from '../support/edge-process.ts'
import { answer, type Endpoint, startPlainEndpoint } from '../support/endpoint.ts'
import { reportCounts } from '../support/report-counts.ts'
import { within } from '../support/within.ts'

/** Less than the 15 seconds of a claim, with time for a start on a busy machine. */
const RESUME_WITHIN_MS = 10_000
const dataDir = mkdtempSync(join(tmpdir(), 'nc-killed-lease-'))

let edge: EdgeProcess
let endpoint: Endpoint
beforeAll(async () => {
  await buildEdge()
  endpoint = await startPlainEndpoint()
  edge = await startEdgeProcess(dataDir)
})
afterAll(async () => {
  await edge?.kill()
  await endpoint?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const keys = () => (JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile).environments.dev

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${keys().sdkSecretKey}`, 'content-type': 'application/json' }
  const response = await fetch(edge.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

test('a run whose process was killed during a step continues as soon as the next process starts', async () => {
  await ask('PUT', '/v1/enrichers/slow', { url: endpoint.url, timeoutMs: 10_000, cacheSeconds: 0 })
  const steps = [
    { id: 'details', type: 'enrich', enricher: 'slow', params: {} },
    { id: 'tell', type: 'inbox', title: 'Hello' },
  ]
  const { id } = await ask<{ id: string }>('POST', '/v1/campaigns', { key: 'k', trigger: { event: 'killed' }, steps })
  await ask('POST', `/v1/campaigns/${id}/publish`, {})
  // The endpoint does not answer, so that the claim is held when the process ends.
  endpoint.handle = () => {}
  const { sdkSecretKey } = keys()
  const event = { sdkSecretKey, name: 'killed', userId: 'u' }
  const { eventId } = await ask<{ eventId: string }>('POST', '/v1/events/track', event)
  await expect.poll(() => endpoint.requests.length).toBe(1)
  const killedAt = performance.now()
  await edge.kill()

  endpoint.handle = (_request, response) => answer(response, 200, { ok: true, data: {} })
  edge = await startEdgeProcess(dataDir)
  const states = async () =>
    (await ask<{ runs: { state: string }[] }>('GET', `/v1/events/${eventId}`)).runs.map(({ state }) => state)
  await within(RESUME_WITHIN_MS, async () => expect(await states()).toEqual(['completed']))
  reportCounts('a process killed in the middle of a step', { interruptedMs: Math.round(performance.now() - killedAt) })
  expect(endpoint.requests).toHaveLength(2)
  expect(new Set(endpoint.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})
