// Tests that profiles as large as they may be end no process, however many of them one request, job or turn of waits needs.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DemoFile } from '../../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from '../support/edge-process.ts'
import { engineSettings } from '../support/engine.ts'
import { createRawClient } from '../support/raw-client.ts'
import { createPageReader } from '../support/read-pages.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'nc-profiles-'))
const client = createRawClient()
let edge: EdgeProcess
let key: string

/** 252 KB of JSON, which take twenty times as much when they are parsed. */
const LARGE = Array.from({ length: 84_000 }, () => ({}))
const USERS = Array.from({ length: 60 }, (_, at) => `reader_${at}`)

beforeAll(async () => {
  await buildEdge()
  const engine = await engineSettings()
  // As a container with the 512 MiB of deploy/ has it.
  edge = await startEdgeProcess(dataDir, { ...engine.env, NODE_OPTIONS: '--max-old-space-size=256' })
  key = (JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile).environments.dev.sdkSecretKey
  const attributes = { LARGE, town: 'Bern' }
  for (const userId of USERS) await call('PUT', `/v1/users/${userId}`, { name: 'Reader', attributes })
}, 240_000)
afterAll(async () => {
  client.close()
  await edge?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await client.ask(edge.url, method, path, { key, ...(body && { body }) })
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body as T
}

async function publish(name: string, steps: object[]): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/v1/campaigns', { key: name, trigger: { event: name }, steps })
  await call('POST', `/v1/campaigns/${id}/publish`, {})
  return id
}

const tell = { id: 'tell', type: 'inbox', title: '{{ user.name }} of {{ user.attributes.town }}' }

/** What is refused because others have large profiles in memory. */
const HELD = { status: 503, code: 'service/unavailable', reason: 'profiles' }

/** Waits for one message of the campaign to each user. */
async function expectTold(campaignId: string, users: readonly string[]): Promise<void> {
  const { readAll } = createPageReader(client, edge.url)
  const told = async () => {
    const all = await readAll<{ userId: string; title: string }>(`/v1/deliveries?campaignId=${campaignId}`, key)
    return all.map(({ userId, title }) => `${userId} ${title}`).toSorted()
  }
  const expected = users.map((userId) => `${userId} Reader of Bern`).toSorted()
  await expect.poll(told, { timeout: 110_000, interval: 500 }).toEqual(expected)
}

const track = (name: string, userIds: readonly string[]) =>
  call('POST', '/v1/events/track', { sdkSecretKey: key, name, userIds })

test('a list of them has shorter pages', async () => {
  const { readAll } = createPageReader(client, edge.url)
  const all = await readAll<{ userId: string }>('/v1/users', key)
  expect(all.map(({ userId }) => userId).filter((id) => USERS.includes(id))).toEqual(USERS.toReversed())
})

test('an event for fifty of them', { timeout: 120_000 }, async () => {
  const id = await publish('few', [tell])
  const some = USERS.slice(0, 50)
  await track('few', some)
  await expectTold(id, some)
})

test('an event for all of them', { timeout: 120_000 }, async () => {
  const id = await publish('many', [tell])
  await track('many', USERS)
  await expectTold(id, USERS)
})

test('a batch of events that changes all of them, and begins a run for each', { timeout: 120_000 }, async () => {
  const id = await publish('batch', [tell])
  const events = USERS.map((userId) => ({ name: 'batch', userId, user: { attributes: { seen: true } } }))
  await call('POST', '/v1/events/track/batch', { sdkSecretKey: key, events })
  await expectTold(id, USERS)
})

test('runs that are due together', { timeout: 120_000 }, async () => {
  const id = await publish('later', [{ id: 'pause', type: 'delay', for: 'PT10S' }, tell])
  for (let at = 0; at < USERS.length; at += 50) await track('later', USERS.slice(at, at + 50))
  await expectTold(id, USERS)
})

test('events that are run again', { timeout: 120_000 }, async () => {
  const events = USERS.map((userId) => ({ name: 'again', userId }))
  await call('POST', '/v1/events/track/batch', { sdkSecretKey: key, events })
  const id = await publish('again', [tell])
  await call('POST', '/v1/again', { kind: 'events', filter: { name: 'again' }, pace: 6000 })
  await expectTold(id, USERS)
})

test('an event for each of them at the same time', { timeout: 120_000 }, async () => {
  const id = await publish('each', [tell])
  await Promise.all(USERS.map((userId) => track('each', [userId])))
  await expectTold(id, USERS)
})

test('the same where a sandbox evaluates', { timeout: 120_000 }, async () => {
  const id = await publish('sandboxed', [{ ...tell, title: `{% for i in (1..1) %}{% endfor %}${tell.title}` }])
  await Promise.all(USERS.map((userId) => track('sandboxed', [userId])))
  await expectTold(id, USERS)
})

test('changes and dry runs of all at the same time are done, or refused for now', { timeout: 120_000 }, async () => {
  const id = await publish('tried', [{ ...tell, title: `{% for i in (1..1) %}{% endfor %}${tell.title}` }])
  const all = await Promise.all(
    USERS.flatMap((userId) => [
      client.ask(edge.url, 'PUT', `/v1/users/${userId}`, { key, body: { attributes: { seen: false } } }),
      client.ask(edge.url, 'POST', `/v1/campaigns/${id}/dry-run`, { key, body: { user: { id: userId } } }),
    ]),
  )
  const refused = all.filter(({ status }) => status !== 200)
  expect(refused.length).toBeLessThan(all.length)
  for (const { status, body } of refused) expect({ status, ...Object(body) }).toMatchObject(HELD)
})

test('the process is still the same, and ends in order', async () => {
  expect(await edge.stop()).toBe(0)
})
