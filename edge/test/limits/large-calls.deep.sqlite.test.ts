// Tests that calls of enrichers with large profiles end no process, of however many environments they are. SQLite alone: engines call alike.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DemoFile } from '../../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from '../support/edge-process.ts'
import { cookieOf } from '../support/given-dashboard.ts'
import { createRawClient } from '../support/raw-client.ts'
import { createPageReader } from '../support/read-pages.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'nc-calls-'))
const client = createRawClient()
let edge: EdgeProcess
const keys: string[] = []

/** 252 KB of JSON, which take twenty times as much when they are parsed. */
const LARGE = Array.from({ length: 84_000 }, () => ({}))
const USERS = Array.from({ length: 12 }, (_, at) => `reader_${at}`)
const ENVIRONMENTS = 6

/** Answers no call before it is told to. */
const held: ServerResponse[] = []
let isOpen = false
const answer = (to: ServerResponse) =>
  to.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true,"data":{}}')
const endpoint = createServer((request, to) => {
  request.resume().on('end', () => (isOpen ? answer(to) : held.push(to)))
})

async function call<T>(key: string, method: string, path: string, body?: object): Promise<T> {
  const answered = await client.ask(edge.url, method, path, { key, ...(body && { body }) })
  if (answered.status >= 300) throw new Error(`${path} answered ${answered.status}: ${JSON.stringify(answered.body)}`)
  return answered.body as T
}

beforeAll(async () => {
  await buildEdge()
  endpoint.listen(0, '127.0.0.1')
  edge = await startEdgeProcess(dataDir, {
    NODE_OPTIONS: '--max-old-space-size=256',
    OUTBOUND_ALLOW: '127.0.0.0/8',
  })
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
  const post = async (path: string, body: object, cookie = '') => {
    const headers = { 'x-nc-request': '1', 'content-type': 'application/json', cookie }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const made = await fetch(`${edge.url}/v1/dashboard/${path}`, init)
    return { headers: made.headers, body: (await made.json()) as { secrets: { sdkSecretKey: string } } }
  }
  const cookie = cookieOf(await post('auth/sign-in', demo.dashboard))
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`
  for (let at = 0; at < ENVIRONMENTS; at++) {
    const { body } = await post(
      `organisations/${demo.organisation.id}/environments`,
      { name: `e${at}`, isProduction: false, sdkKeyMayManage: true },
      cookie,
    )
    const key = body.secrets.sdkSecretKey
    keys.push(key)
    await call(key, 'PUT', '/v1/enrichers/crm', { url, timeoutMs: 10_000 })
    const steps = [
      { id: 'crm', type: 'enrich', enricher: 'crm' },
      { id: 'tell', type: 'inbox', title: '{{ user.attributes.town }}' },
    ]
    const { id } = await call<{ id: string }>(key, 'POST', '/v1/campaigns', {
      key: 'k',
      trigger: { event: 'e' },
      steps,
    })
    await call(key, 'POST', `/v1/campaigns/${id}/publish`, {})
    for (const userId of USERS) await call(key, 'PUT', `/v1/users/${userId}`, { attributes: { LARGE, town: 'Bern' } })
  }
}, 240_000)
afterAll(async () => {
  client.close()
  endpoint.closeAllConnections()
  endpoint.close()
  await edge?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

test('each user has the message', { timeout: 240_000 }, async () => {
  for (const key of keys) {
    const body = { sdkSecretKey: key, name: 'e', userIds: USERS }
    const track = async () => (await client.ask(edge.url, 'POST', '/v1/events/track', { key, body })).status
    await expect.poll(track, { timeout: 60_000 }).toBe(202)
  }
  await expect.poll(() => held.length, { timeout: 60_000 }).toBeGreaterThan(6)
  isOpen = true
  for (const to of held) answer(to)
  const { readAll } = createPageReader(client, edge.url)
  for (const key of keys) {
    const told = async () => (await readAll<{ title: string }>('/v1/deliveries', key)).map(({ title }) => title)
    await expect.poll(told, { timeout: 110_000, interval: 500 }).toEqual(USERS.map(() => 'Bern'))
  }
  expect(await edge.stop()).toBe(0)
})
