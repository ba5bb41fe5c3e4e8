// Tests that another node takes over a killed node's run when its lease expires (docs/decisions/0020-fair-claims.md).
// PostgreSQL alone: a SQLite store has one process (killed-lease.deep.sqlite.test.ts).

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LEASE_MS } from '../../domain/lease.ts'
import type { DemoFile } from '../../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from '../support/edge-process.ts'
import { answer, type Endpoint, startPlainEndpoint } from '../support/endpoint.ts'
import { type EngineSettings, engineSettings } from '../support/engine.ts'
import { reportCounts } from '../support/report-counts.ts'

/** The longest pause of a node without due work, with time for a busy machine. */
const POLL_WITHIN_MS = 10_000
const folders = ['first', 'second'].map((name) => mkdtempSync(join(tmpdir(), `nc-killed-node-${name}-`)))

let settings: EngineSettings
let nodes: EdgeProcess[] = []
let endpoint: Endpoint
beforeAll(async () => {
  await buildEdge()
  settings = await engineSettings('postgres')
  endpoint = await startPlainEndpoint()
  for (const folder of folders) nodes.push(await startEdgeProcess(folder, settings.env))
})
afterAll(async () => {
  for (const node of nodes) await node.kill()
  nodes = []
  await endpoint?.close()
  await settings?.release()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

test('another node continues the run of a killed node once, within seconds of the end of its lease', async () => {
  const [killed, other] = nodes as [EdgeProcess, EdgeProcess]
  const { sdkSecretKey } = readKeys()
  async function ask<T>(node: EdgeProcess, method: string, path: string, body?: object): Promise<T> {
    const headers = { authorization: `Bearer ${sdkSecretKey}`, 'content-type': 'application/json' }
    const response = await fetch(node.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }
  await ask(killed, 'PUT', '/v1/enrichers/slow', { url: endpoint.url, timeoutMs: 10_000, cacheSeconds: 0 })
  const steps = [
    { id: 'details', type: 'enrich', enricher: 'slow', params: {} },
    { id: 'tell', type: 'inbox', title: 'Hello' },
  ]
  const campaign = { key: 'killed', trigger: { event: 'killed' }, steps }
  const { id } = await ask<{ id: string }>(killed, 'POST', '/v1/campaigns', campaign)
  await ask(killed, 'POST', `/v1/campaigns/${id}/publish`, {})
  // The endpoint does not answer, so that the claim is held when the process ends.
  endpoint.handle = () => {}
  const event = { sdkSecretKey, name: 'killed', userId: 'u' }
  const { eventId } = await ask<{ eventId: string }>(killed, 'POST', '/v1/events/track', event)
  await expect.poll(() => endpoint.requests.length).toBe(1)
  const killedAt = performance.now()
  await killed.kill()
  endpoint.handle = (_request, response) => answer(response, 200, { ok: true, data: {} })

  const states = async () =>
    (await ask<{ runs: { state: string }[] }>(other, 'GET', `/v1/events/${eventId}`)).runs.map(({ state }) => state)
  await expect.poll(states, { timeout: LEASE_MS + POLL_WITHIN_MS, interval: 50 }).toEqual(['completed'])
  reportCounts('a node killed in the middle of a step', { interruptedMs: Math.round(performance.now() - killedAt) })
  expect(endpoint.requests).toHaveLength(2)
  expect(new Set(endpoint.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

/** Reads the keys of the node that began first. */
function readKeys(): { sdkSecretKey: string } {
  const path = join(folders[0] ?? '', 'demo.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as DemoFile).environments.dev
}
