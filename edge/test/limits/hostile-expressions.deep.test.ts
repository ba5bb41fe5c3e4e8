// Tests that nothing that a customer writes into a campaign ends the service: each attack has its record, and the next
// event of another campaign is served.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ATTACKS, type Attack } from '../../../contract/vectors/attacks.ts'
import type { DemoFile } from '../../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from '../support/edge-process.ts'
import { engineSettings } from '../support/engine.ts'
import { createRawClient } from '../support/raw-client.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'nc-hostile-'))
const client = createRawClient()
let edge: EdgeProcess
let key: string

beforeAll(async () => {
  await buildEdge()
  const engine = await engineSettings()
  // A small heap, so that what grows without a bound ends the process soon.
  edge = await startEdgeProcess(dataDir, { ...engine.env, NODE_OPTIONS: '--max-old-space-size=256' })
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
  key = demo.environments.dev.sdkSecretKey
  await call('PUT', '/v1/users/victim', { email: 'victim@example.org' })
  await publish({ key: 'bystander', name: 'Bystander', trigger: { event: 'by.stander' }, steps: [TELL] })
})
afterAll(async () => {
  client.close()
  await edge?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

const TELL = { id: 'tell', type: 'inbox', title: 'Still here' }

async function call<T>(method: string, path: string, body?: object): Promise<{ status: number; body: T }> {
  return (await client.ask(edge.url, method, path, { key, ...(body && { body }) })) as { status: number; body: T }
}

async function publish(definition: object): Promise<string | undefined> {
  const { status, body } = await call<{ id: string; code: string }>('POST', '/v1/campaigns', definition)
  // Refused when it is saved: just as well.
  if (status === 400 && body.code === 'campaign/invalid-definition') return undefined
  expect(status).toBe(201)
  expect((await call('POST', `/v1/campaigns/${body.id}/publish`, {})).status).toBe(200)
  return body.id
}

const track = async (name: string, properties: object) => {
  const body = { sdkSecretKey: key, name, userId: 'victim', properties }
  const answer = await call<{ eventId: string }>('POST', '/v1/events/track', body)
  expect(answer.status).toBe(202)
  return answer.body.eventId
}

interface EventAnswer {
  outcome: string
  runs: { state: string }[]
  considered: { outcome: string }[]
}

/** Waits until the event's run has ended, or the campaign has begun none. */
async function settled(eventId: string): Promise<EventAnswer> {
  let event: EventAnswer | undefined
  const isSettled = async () => {
    event = (await call<EventAnswer>('GET', `/v1/events/${eventId}`)).body
    const { outcome, runs, considered } = event
    if (outcome === 'fanned-out' && runs.length === 0 && considered.length === 0) return false
    return runs.every(({ state }) => state !== 'waiting' && state !== 'running')
  }
  await expect.poll(isSettled, { interval: 50 }).toBe(true)
  return event as EventAnswer
}

const ENDED = ['delivered', 'sent', 'failed', 'skipped']

async function attack({ name, where, steps, properties, isMail }: Attack, at: number): Promise<void> {
  const event = `attack.n${at}`
  const id = await publish({ key: `attack-${at}`, name, trigger: { event, ...(where && { where }) }, steps })
  if (id === undefined) return
  const tried = { event: { properties }, user: { id: 'victim', email: 'victim@example.org' } }
  const [{ id: stepId } = { id: '' }] = steps as { id: string }[]
  for (const [verb, body] of [
    ['dry-run', tried],
    ['preview', { stepId, ...tried }],
    ['test', { userId: 'victim', event: { properties } }],
  ] as const) {
    expect([200, 400, 503], verb).toContain((await call('POST', `/v1/campaigns/${id}/${verb}`, body)).status)
  }
  await settled(await track(event, properties))
  if (isMail !== true) return
  const statuses = async () => {
    const { body } = await call<{ data: { status: string }[] }>('GET', `/v1/deliveries?campaignId=${id}`)
    return body.data.filter(({ status }) => !ENDED.includes(status)).length
  }
  await expect.poll(statuses, { interval: 50 }).toBe(0)
}

test.each(ATTACKS.map((one, at) => [one.name, one, at] as const))('%s', async (_, one, at) => {
  await attack(one, at)
  const { runs } = await settled(await track('by.stander', {}))
  expect(runs.map(({ state }) => state)).toEqual(['completed'])
})

test('conditions of cancellations', async () => {
  const waits = {
    key: 'waits',
    name: 'Waits',
    trigger: { event: 'wait.begun' },
    steps: [{ id: 'd', type: 'delay', for: 'P1D' }],
  }
  await publish(waits)
  for (const { where, properties } of ATTACKS) {
    if (where === undefined) continue
    await track('wait.begun', properties)
    const { status } = await call('POST', '/v1/runs/cancel', { campaignKey: 'waits', userId: 'victim', where })
    expect([200, 503]).toContain(status)
  }
})

/** 252 KB of JSON, which take twenty times as much when they are parsed. */
const LARGE = Array.from({ length: 84_000 }, () => ({}))

/** Waits until so many messages of the campaign are delivered. */
async function delivered(campaignId: string | undefined, count: number): Promise<void> {
  const ask = async () => {
    const path = `/v1/deliveries?campaignId=${campaignId}&limit=100`
    return (await call<{ data: { status: string }[] }>('GET', path)).body.data.filter(
      (one) => one.status === 'delivered',
    )
  }
  await expect.poll(ask, { interval: 100 }).toHaveLength(count)
}

test('digests of large events for many users, which are due together, and again after a delay', {
  timeout: 120_000,
}, async () => {
  const steps = [
    // Full with the last event, however long these take to come.
    { id: 'gather', type: 'digest', window: 'PT1H', max: 12 },
    { id: 'later', type: 'delay', for: 'PT1S' },
    { id: 'tell', type: 'inbox', title: '{{ events | map: "properties" | size }}' },
  ]
  const id = await publish({ key: 'large-digests', name: 'Large digests', trigger: { event: 'large.happened' }, steps })
  const userIds = Array.from({ length: 6 }, (_, at) => `reader_${at}`)
  for (let at = 0; at < 12; at += 1) {
    const body = { sdkSecretKey: key, name: 'large.happened', userIds, properties: { at, LARGE } }
    expect(await call('POST', '/v1/events/track', body)).toEqual({ status: 202, body: expect.anything() })
  }
  await delivered(id, userIds.length)
})

test('large events that arrive for waiting runs while their campaign is paused', async () => {
  const steps = [
    {
      id: 'wait',
      type: 'waitFor',
      event: 'large.arrived',
      timeout: 'P1D',
      where: 'awaited.properties.at == 39',
      then: [{ id: 'tell', type: 'inbox', title: 'The last one came' }],
    },
  ]
  const id = await publish({ key: 'large-arrivals', name: 'Large arrivals', trigger: { event: 'wait.large' }, steps })
  for (let at = 0; at < 2; at += 1) await track('wait.large', {})
  expect((await call('POST', `/v1/campaigns/${id}/pause`, {})).status).toBe(200)
  for (let at = 0; at < 40; at += 1) await track('large.arrived', { at, LARGE })
  expect((await call('POST', `/v1/campaigns/${id}/resume`, {})).status).toBe(200)
  await delivered(id, 2)
})

test('a cancellation of waiting runs that large events began', { timeout: 120_000 }, async () => {
  const steps = [{ id: 'wait', type: 'delay', for: 'P1D' }]
  await publish({ key: 'large-waits', name: 'Large waits', trigger: { event: 'large.begun' }, steps })
  for (let at = 0; at < 100; at += 1) await track('large.begun', { at, LARGE })
  const cancel = { campaignKey: 'large-waits', userId: 'victim', where: 'event.properties.at < 90' }
  const { status, body } = await call<{ cancelled: number }>('POST', '/v1/runs/cancel', cancel)
  expect([status, body.cancelled]).toEqual([200, 90])
})

test('the process is still the same, and ends in order', async () => {
  expect(await edge.stop()).toBe(0)
})
