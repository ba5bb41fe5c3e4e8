// Tests the step `enrich`: called after the commit, with a stable id; the answer or the failure decides how the run
// continues.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { answer, type Endpoint, startPlainEndpoint } from '../../test/support/endpoint.ts'
import { type GivenEnrichers, type GivenOptions, givenEnrichers } from '../../test/support/given-enrichers.ts'
import { type GivenFlow, givenFlow } from '../../test/support/given-flow.ts'

let flow: GivenFlow
let endpoint: Endpoint
let given: GivenEnrichers
const opened: GivenEnrichers[] = []
beforeEach(async () => {
  endpoint = await startPlainEndpoint()
  endpoint.handle = (_request, response) => answer(response, 200, { ok: true, data: { item: 'lamp' } })
  begin()
  // The shared instances of a restarted process are new.
  flow = await givenFlow({
    enrichers: { call: (call) => given.enrichers.call(call), findCached: (call) => given.enrichers.findCached(call) },
  })
})
afterEach(async () => {
  await flow.close()
  await Promise.all(opened.splice(0).map((one) => one.close()))
  await endpoint.close()
})

function begin(options: GivenOptions = {}, cacheSeconds = 0): void {
  given = givenEnrichers({ allow: ['127.0.0.0/8'], ...options })
  given.put('order-details', endpoint.url, { cacheSeconds })
  opened.push(given)
}

const details = (fields: Record<string, unknown> = {}) => ({
  key: 'shipped',
  trigger: { event: 'order.shipped' },
  steps: [
    {
      id: 'details',
      type: 'enrich',
      enricher: 'order-details',
      params: { orderId: '{{ event.properties.id }}', deep: [{ n: 1 }], apiKey: 'k-123' },
      ...fields,
    },
    { id: 'tell', type: 'inbox', title: 'Your {{ enriched.details.item }} is on its way' },
  ],
})
const fails: Endpoint['handle'] = (_request, response) =>
  answer(response, 500, { ok: false, error: { code: 'handler-error', message: 'The database is away.' } })

async function ship() {
  const { eventId } = await flow.track({ name: 'order.shipped', userId: 'ada', properties: { id: '42' } })
  const runId = (await flow.event(eventId)).runs[0]?.runId ?? ''
  return () => flow.readEvents.getRun(flow.environment.id, runId)
}

test('no call is made before the event is stored; then templates have the answer, and the trace its inputs', async () => {
  await flow.publish(details())
  const run = await ship()
  expect(endpoint.requests).toEqual([])
  expect((await run()).state).toBe('waiting')
  await flow.pass(0)
  expect(endpoint.requests).toMatchObject([
    {
      path: '/enrich?name=order-details',
      body: { name: 'order-details', params: { orderId: '42', deep: [{ n: 1 }] } },
    },
  ])
  const envelope = JSON.parse(endpoint.requests[0]?.body.payload ?? '') as object
  expect(envelope).toMatchObject({ user: { id: 'ada' }, event: { name: 'order.shipped', properties: { id: '42' } } })
  expect(await flow.titles('ada')).toEqual(['Your lamp is on its way'])
  const shown = await run()
  expect(shown).toMatchObject({ state: 'completed', steps: [{ stepId: 'details', outcome: 'done' }, {}] })
  expect(shown.steps[0]?.inputs).toEqual({
    enricher: 'order-details',
    params: { orderId: '42', deep: [{ n: 1 }], apiKey: '[redacted]' },
    answerBytes: 15,
    cached: false,
    attempts: 1,
  })
})

test('a cached answer needs no call, and the trace records that', async () => {
  begin({}, 60)
  await flow.publish(details())
  await ship()
  await flow.pass(0)
  const run = await ship()
  expect(endpoint.requests).toHaveLength(1)
  expect(await run()).toMatchObject({
    state: 'completed',
    steps: [{ inputs: { cached: true, attempts: 0, answerBytes: 15 } }, { inputs: { verdict: 'send' } }],
  })
})

test('a failure stops the run, with its code in the trace and a record of what was not sent', async () => {
  endpoint.handle = fails
  await flow.publish(details())
  const run = await ship()
  await flow.pass(0)
  expect(await run()).toMatchObject({
    state: 'failed',
    stateReason: 'enricher-error',
    steps: [
      {
        outcome: 'failed',
        reason: 'handler-error: The database is away.',
        inputs: { error: 'handler-error', attempts: endpoint.requests.length },
      },
      { stepId: 'tell', outcome: 'skipped' },
    ],
  })
  expect(await flow.statuses('ada')).toEqual([['failed', 'enricher-error']])
  expect(await flow.titles('ada')).toEqual([])
})

test('a step that may continue does so without the answer', async () => {
  endpoint.handle = fails
  await flow.publish(details({ onError: 'continue' }))
  const run = await ship()
  await flow.pass(0)
  expect(await flow.titles('ada')).toEqual(['Your is on its way'])
  expect((await run()).state).toBe('completed')
})

test('a repeated call has the same id, and a busy endpoint is not counted as an attempt', async () => {
  // No free slot, then a process that stops, then one that starts.
  begin({ limits: { perEndpoint: 0, waitingPerEndpoint: 0 } })
  await flow.publish(details())
  await ship()
  await flow.pass(0)
  expect(given.outcomes).toEqual(['busy'])
  expect(await flow.pass(1999)).toBe(0)
  begin()
  const stopping = given
  endpoint.handle = (_request, response) => {
    void stopping.enrichers.stop()
    begin()
    endpoint.handle = (_, again) => answer(again, 200, { ok: true, data: { item: 'lamp' } })
    response.destroy()
  }
  await flow.pass(8001)
  await flow.pass(2000)
  const ids = endpoint.requests.map(({ headers }) => headers['webhook-id'])
  expect(ids.length).toBeGreaterThan(1)
  expect(new Set(ids).size).toBe(1)
  expect(await flow.titles('ada')).toEqual(['Your lamp is on its way'])
})

test('a run counts as in progress until its call has ended, so that its claim is renewed', async () => {
  await flow.publish(details())
  const run = await ship()
  let finish = () => {}
  endpoint.handle = (_request, response) => {
    finish = () => answer(response, 200, { ok: true, data: { item: 'lamp' } })
  }
  const claimed = await flow.stores.waits.claim(flow.clock.at, 60_000, 10)
  await flow.resume(claimed)
  await expect.poll(() => endpoint.requests.length).toBe(1)
  expect([...flow.underWay()]).toEqual(claimed)
  finish()
  await expect.poll(() => [...flow.underWay()]).toEqual([])
  expect((await run()).state).toBe('completed')
})
