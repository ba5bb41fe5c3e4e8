// The step `enrich`: asked behind the commit, with a stable id; its answer or its failure decides how the run goes on (contract sections 6 and 8).

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EnricherResult } from '../../domain/enricher.ts'
import { type GivenFlow, givenFlow } from '../../test/support/given-flow.ts'

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(() => flow.close())

const details = (fields: Record<string, unknown> = {}) => ({
  key: 'shipped',
  trigger: { event: 'order.shipped' },
  steps: [
    {
      id: 'details',
      type: 'enrich',
      enricher: 'order-details',
      params: { orderId: '{{ event.properties.id }}', deep: [{ n: 1 }] },
      ...fields,
    },
    { id: 'tell', type: 'inbox', title: 'Your {{ enriched.details.item }} is on its way' },
  ],
})
const answer = { attempts: 1, durationMs: 5, cached: false }
const failure: EnricherResult = {
  ok: false,
  code: 'timeout',
  message: 'No answer in time.',
  attempts: 3,
  durationMs: 9,
}

async function ship() {
  const { eventId } = await flow.track({ name: 'order.shipped', userId: 'ada', properties: { id: '42' } })
  const runId = (await flow.event(eventId)).runs[0]?.runId ?? ''
  return () => flow.readEvents.getRun(flow.environment.id, runId)
}

test('nothing is asked before the event is stored; then the answer is there for templates', async () => {
  flow.enrichers.answer = async () => ({ ok: true, data: { item: 'lamp' }, ...answer })
  await flow.publish(details())
  const run = await ship()
  expect(flow.enrichers.calls).toEqual([])
  expect((await run()).state).toBe('waiting')
  await flow.pass(0)
  expect(flow.enrichers.calls).toMatchObject([
    {
      name: 'order-details',
      params: { orderId: '42', deep: [{ n: 1 }] },
      user: { id: 'ada' },
      event: { name: 'order.shipped', properties: { id: '42' } },
      correlationId: 'c-1',
    },
  ])
  expect(await flow.titles('ada')).toEqual(['Your lamp is on its way'])
  expect(await run()).toMatchObject({ state: 'completed', steps: [{ stepId: 'details', outcome: 'done' }, {}] })
})

test('a failure stops the run, with its code in the trace and a record of what was not sent', async () => {
  flow.enrichers.answer = async () => failure
  await flow.publish(details())
  const run = await ship()
  await flow.pass(0)
  expect(await run()).toMatchObject({
    state: 'failed',
    stateReason: 'enricher-error',
    steps: [
      { outcome: 'failed', reason: 'timeout: No answer in time.' },
      { stepId: 'tell', outcome: 'skipped' },
    ],
  })
  expect(await flow.statuses('ada')).toEqual([['failed', 'enricher-error']])
  expect(await flow.titles('ada')).toEqual([])
})

test('a step that goes on does so without the answer', async () => {
  flow.enrichers.answer = async () => failure
  await flow.publish(details({ onError: 'continue' }))
  const run = await ship()
  await flow.pass(0)
  expect(await flow.titles('ada')).toEqual(['Your is on its way'])
  expect((await run()).state).toBe('completed')
})

test('a call that is tried again has the same id, and a busy endpoint is no attempt', async () => {
  const busy = { ...failure, code: 'busy' as const, retryAfterMs: 200 }
  const answers: (() => EnricherResult)[] = [
    () => busy,
    () => {
      throw new Error('this process is stopping')
    },
    () => ({ ok: true, data: { item: 'lamp' }, ...answer }),
  ]
  flow.enrichers.answer = async () => (answers.shift() as () => EnricherResult)()
  await flow.publish(details())
  await ship()
  await flow.pass(0)
  expect(await flow.pass(199)).toBe(0)
  const [wait] = await flow.stores.waits.claim(flow.clock.at + 1, 0, 1)
  expect(wait?.attempts).toBe(1)
  await flow.pass(1)
  await flow.pass(2000)
  const ids = flow.enrichers.calls.map((call) => call.callId)
  expect(ids).toHaveLength(3)
  expect(new Set(ids).size).toBe(1)
  expect(await flow.titles('ada')).toEqual(['Your lamp is on its way'])
})
