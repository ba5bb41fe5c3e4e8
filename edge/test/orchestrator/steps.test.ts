// Tests runs that wait for an event and for an enricher, on a running edge with a real endpoint.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'

let given: GivenEdge
let endpoint: Server
const callIds: string[] = []
beforeAll(async () => {
  endpoint = createServer((request, response) => {
    callIds.push(String(request.headers['webhook-id']))
    const answer = { ok: true, data: { item: 'lamp' }, name: 'details', durationMs: 1 }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
  given = await givenEdge({ OUTBOUND_ALLOW: '127.0.0.0/8' })
})
afterAll(async () => {
  await given.stop()
  endpoint.close()
})

const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 20 })
const key = () => given.demo.environments.dev.sdkSecretKey
const inboxStep = (id: string, title: string) => ({ id, type: 'inbox', title })

async function titlesOf(userId: string): Promise<string[]> {
  return (await given.page(await given.signIn(userId))).data.map((message) => message.title)
}

async function runOf(eventId: unknown) {
  const event = await given.call<{ runs: { runId: string }[] }>('GET', `/v1/events/${eventId}`, { key: key() })
  return (await given.call('GET', `/v1/runs/${event.body.runs[0]?.runId}`, { key: key() })).body
}

test('an event resumes the waiting runs of its user whose condition holds, and no others', async () => {
  const steps = [
    {
      id: 'order',
      type: 'waitFor',
      event: 'order.placed',
      where: 'awaited.properties.cart == event.properties.cart',
      timeout: 'P1D',
      then: [inboxStep('thanks', 'Thank you, {{ user.id }}')],
      onTimeout: [inboxStep('nudge', 'Your cart waits')],
    },
    inboxStep('after', 'After'),
  ]
  await given.publish({ key: 'cart', trigger: { event: 'cart.filled' }, steps })
  for (const userId of ['ada', 'bob']) await given.track({ name: 'cart.filled', userId, properties: { cart: 7 } })
  const other = await given.track({ name: 'cart.filled', userId: 'ada', properties: { cart: 8 } })
  await given.track({ name: 'order.placed', userId: 'ada', properties: { cart: 7 } })
  await eventually(async () => expect(await titlesOf('ada')).toEqual(['After', 'Thank you, ada']))
  expect(await runOf(other.body.eventId)).toMatchObject({ state: 'waiting' })
  expect(await titlesOf('bob')).toEqual([])
})

test('an enricher is called after the commit, and its answer is in the message', async () => {
  const { port } = endpoint.address() as AddressInfo
  const put = await given.call('PUT', '/v1/enrichers/details', {
    key: key(),
    body: { url: `http://127.0.0.1:${port}/`, timeoutMs: 10_000, cacheSeconds: 0 },
  })
  expect(put.status).toBe(200)
  const steps = [
    { id: 'details', type: 'enrich', enricher: 'details', params: { id: '{{ event.properties.id }}' } },
    inboxStep('tell', 'Your {{ enriched.details.item }} is on its way'),
  ]
  await given.publish({ key: 'shipped', trigger: { event: 'order.sent' }, steps })
  const tracked = await given.track({ name: 'order.sent', userId: 'eve', properties: { id: 5 } })
  await eventually(async () => expect(await titlesOf('eve')).toEqual(['Your lamp is on its way']))
  expect(callIds).toHaveLength(1)
  expect(await runOf(tracked.body.eventId)).toMatchObject({
    state: 'completed',
    steps: [{ stepId: 'details', type: 'enrich', outcome: 'done' }, { stepId: 'tell' }],
  })
})

test('an event for 60 users resumes the waiting run of one of them', async () => {
  const step = { id: 'w', type: 'waitFor', event: 'gate.opened', timeout: 'P1D', onTimeout: [] }
  await given.publish({ key: 'gate', trigger: { event: 'gate.waited' }, steps: [step, inboxStep('in', 'Come in')] })
  await given.track({ name: 'gate.waited', userId: 'guest-59' })
  const userIds = Array.from({ length: 60 }, (_, n) => `guest-${n}`)
  expect((await given.track({ name: 'gate.opened', userIds })).status).toBe(202)
  await eventually(async () => expect(await titlesOf('guest-59')).toEqual(['Come in']))
})
