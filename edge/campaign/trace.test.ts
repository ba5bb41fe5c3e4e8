// Tests that a run's trace contains the inputs of each step's decision: limited, without secrets.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseId } from '../lib/id.ts'
import { type GivenFlow, givenFlow } from '../test/support/given-flow.ts'

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(() => flow.close())

const MINUTE_MS = 60_000

async function begin(properties: Record<string, unknown> = {}, userId = 'ada') {
  const { eventId } = await flow.track({ name: 'began', userId, properties })
  const runId = (await flow.event(eventId)).runs[0]?.runId ?? ''
  return async () => {
    const run = await flow.readEvents.getRun(flow.environment.id, runId)
    return { ...run, inputs: Object.fromEntries(run.steps.map(({ stepId, inputs }) => [stepId, inputs])) }
  }
}

test('a branch, a delay, a wait, a digest, a throttle and a send have the inputs of their decision', async () => {
  const way = (key: string, rest: object) => ({ key, ...rest, steps: [] })
  await flow.publish({
    key: 'all',
    trigger: { event: 'began' },
    steps: [
      { id: 'gather', type: 'digest', window: 'PT1M', key: '{{ event.properties.shop }}', max: 10 },
      { id: 'seldom', type: 'throttle', limit: 2, window: 'PT1H' },
      {
        id: 'size',
        type: 'branch',
        branches: [
          way('big', { when: "event.properties.order.total > 100 && user.attributes['plan'] == 'pro'" }),
          way('known', { when: "event.properties.password == 'x' || event.properties.shop in ['b', 'c']" }),
          way('rest', { else: true }),
        ],
      },
      { id: 'split', type: 'branch', branches: [way('a', { weight: 1 }), way('b', { weight: 1 })] },
      { id: 'pause', type: 'delay', for: 'PT1M' },
      {
        id: 'paid',
        type: 'waitFor',
        event: 'paid',
        where: 'awaited.properties.n == event.properties.n',
        timeout: 'PT1H',
        then: [{ id: 'tell', type: 'inbox', title: 'Paid' }],
        onTimeout: [],
      },
      { id: 'mail', type: 'email', subject: 'Paid', markdown: 'Paid', unless: { read: 'tell' } },
    ],
  })
  const order = { total: 50, lines: Array.from({ length: 500 }, (_, n) => ({ n })) }
  const run = await begin({ n: 7, shop: 'a', order, password: 'hunter2' })
  const joined = await begin({ n: 8, shop: 'a' })
  expect((await joined()).inputs.gather).toEqual({
    joined: { runId: (await run()).runId, version: 1 },
    key: 'a',
    windowMs: MINUTE_MS,
    max: 10,
  })
  await flow.pass(MINUTE_MS)
  await flow.pass(MINUTE_MS)
  for (const n of [1, 7]) {
    await flow.track({ name: 'paid', userId: 'ada', properties: { n } })
    await flow.pass(0)
  }
  const { inputs, state } = await run()
  expect(state).toBe('completed')
  const from = '2026-05-01T12:02:00.000Z'
  expect(inputs).toEqual({
    gather: {
      key: 'a',
      windowMs: MINUTE_MS,
      max: 10,
      from: '2026-05-01T12:00:00.000Z',
      until: '2026-05-01T12:01:00.000Z',
      events: 2,
    },
    seldom: { count: 0, limit: 2, windowMs: 3_600_000 },
    size: {
      read: {
        'event.properties.order.total': 50,
        'event.properties.password': '[redacted]',
        'event.properties.shop': 'a',
      },
      missing: ['user.attributes.plan'],
    },
    split: { read: {}, point: expect.any(Number) },
    pause: { from: '2026-05-01T12:01:00.000Z', until: from },
    paid: {
      event: 'paid',
      where: 'awaited.properties.n == event.properties.n',
      from,
      until: '2026-05-01T13:02:00.000Z',
      arrivals: 2,
      arrived: [
        {
          eventId: expect.any(String),
          holds: false,
          reason: 'the condition is false',
          read: { 'awaited.properties.n': 1, 'event.properties.n': 7 },
        },
        { eventId: expect.any(String), holds: true, read: { 'awaited.properties.n': 7, 'event.properties.n': 7 } },
      ],
    },
    tell: { verdict: 'send' },
    mail: { verdict: 'skip', reason: 'no-address', unlessRead: 'tell', isRead: false },
  })
})

test('a throttle has the number of earlier runs, whether the run passes or not', async () => {
  await flow.publish({
    key: 'often',
    trigger: { event: 'began' },
    steps: [
      { id: 'seldom', type: 'throttle', limit: 2, window: 'PT1H' },
      { id: 'tell', type: 'inbox', title: 'Hello' },
    ],
  })
  const counts: unknown[] = []
  for (let n = 0; n < 4; n++) counts.push((await (await begin())()).inputs.seldom?.count)
  expect(counts).toEqual([0, 1, 2, 2])
})

test("an event has the values that its trigger's condition read, for either result", async () => {
  const where = "event.properties.total > 100 && user.attributes['plan'] == 'pro'"
  await flow.publish({ key: 'large', trigger: { event: 'began', where }, steps: [{ id: 'end', type: 'exit' }] })
  await flow.publish({ key: 'any', trigger: { event: 'began' }, steps: [{ id: 'end', type: 'exit' }] })
  const consideredOf = async (properties: Record<string, unknown>) => {
    const { eventId } = await flow.track({ name: 'began', userId: 'ada', properties })
    const { considered } = await flow.event(eventId)
    return considered.map(({ campaignKey, outcome, inputs }) => ({ campaignKey, outcome, inputs }))
  }
  const any = { campaignKey: 'any', outcome: 'run', inputs: undefined }
  const missing = ['user.attributes.plan']
  expect(await consideredOf({ total: 50 })).toEqual([
    { campaignKey: 'large', outcome: 'condition-false', inputs: { read: { 'event.properties.total': 50 }, missing } },
    any,
  ])
  await flow.stores.users.upsert(flow.environment.id, 'ada', { attributes: { plan: 'pro' } }, flow.clock.at)
  const read = { 'event.properties.total': 101, 'user.attributes.plan': 'pro' }
  expect(await consideredOf({ total: 101 })).toEqual([{ campaignKey: 'large', outcome: 'run', inputs: { read } }, any])
})

test('long values and many steps are cut, secrets are removed, and the trace stays small', async () => {
  const when = (n: number) =>
    `event.properties.long == '${n}' || event.properties.list == [${n}] || event.properties.key == ''`
  const steps = Array.from({ length: 100 }, (_, n) => ({
    id: `s${n}`,
    type: 'branch',
    branches: [{ key: 'k', when: when(n), steps: [] }],
  }))
  await flow.publish({ key: 'many', trigger: { event: 'began' }, steps })
  const key = `nc_sdk_eu_${'x'.repeat(32)}`
  const run = await begin({ long: `${'y'.repeat(190)} ${key} ${'z'.repeat(9000)}`, list: Array(9000).fill('z'), key })
  const { inputs, steps: told } = await run()
  expect(told).toHaveLength(100)
  expect(inputs.s0).toMatchObject({ read: { 'event.properties.key': 'nc_sdk_[scrubbed]' } })
  expect(inputs.s99).toEqual({ cut: true })
  const text = JSON.stringify(Object.values(inputs))
  expect(text.length).toBeLessThan(20_000)
  expect(text).not.toContain('xxxx')
})

test('a run that only sends stores no inputs', async () => {
  await flow.publish({
    key: 'plain',
    trigger: { event: 'began' },
    steps: [{ id: 'tell', type: 'inbox', title: 'Hello' }],
  })
  const run = await begin()
  expect((await run()).inputs).toEqual({ tell: { verdict: 'send' } })
  const stored = await flow.stores.events.findRun(flow.environment.id, parseRun((await run()).runId))
  expect(Object.keys(stored?.steps[0] ?? {})).toEqual(['stepId', 'type', 'outcome', 'reason', 'at', 'durationMs'])
})

const parseRun = (runId: string) => parseId('run', runId) ?? 0
