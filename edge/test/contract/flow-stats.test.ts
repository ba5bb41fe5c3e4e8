// Tests the numbers of a campaign's steps over HTTP: a run that ended before a step did not reach it, and who may ask for what.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FlowStatsAnswer } from '../../../contract/resources/flow-stats.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
})
afterAll(() => given.stop())

const flow = (id: string, query = '') =>
  given.call<FlowStatsAnswer>('GET', `/v1/campaigns/${id}/stats/flow${query}`, {
    key: given.demo.environments.dev.sdkSecretKey,
  })

const NO_FUNNEL = { delivery: 0, read: 0, opened: 0, clicked: 0 }
const untouched = (stepId: string, type: string, more: object = {}) => ({
  ...{ stepId, type, reached: 0, waiting: 0, outcomes: {}, reasons: {}, ways: {}, funnel: null },
  ...more,
})
const numbers = ({ body: { steps } }: { body: FlowStatsAnswer }) =>
  Object.fromEntries(steps.map(({ stepId, ...step }) => [stepId, step]))

test('a branch with the name of what every object has is counted', async () => {
  const branches = [
    { key: 'one', when: 'event.properties.n == 1', steps: [] },
    { key: 'toString', else: true, steps: [] },
  ]
  const steps = [
    { id: 'size', type: 'branch', branches },
    { id: 'tell', type: 'inbox', title: 'Told' },
  ]
  const id = await given.publish({ ...inboxCampaign('names', 'names.begun'), steps })
  await given.track({ name: 'names.begun', userId: 'nan', properties: { n: 1 } })
  expect(numbers(await flow(id)).size?.ways).toEqual({ one: 1, toString: 0 })
})

test('each step has its numbers, in the written order, and those that nobody reached have zeros', async () => {
  const id = await given.publish({
    ...inboxCampaign('flow', 'flow.begun'),
    steps: [
      {
        id: 'size',
        type: 'branch',
        branches: [
          { key: 'big', when: 'event.properties.total > 10', steps: [{ id: 'big', type: 'inbox', title: 'Big' }] },
          { key: 'rest', else: true, steps: [{ id: 'wait', type: 'delay', for: 'P1D' }] },
        ],
      },
      { id: 'calm', type: 'throttle', limit: 1, window: 'P1D' },
      { id: 'tell', type: 'inbox', title: 'Told' },
    ],
  })
  const none = (await flow(id)).body
  expect(none).toMatchObject({ campaignId: id, version: 1, window: '7d', runs: { started: 0, waiting: 0 } })
  expect(Date.now() - Date.parse(none.since)).toBeLessThan(7 * 24 * 3_600_000 + 2 * 3_600_000)
  expect(none.steps).toEqual([
    untouched('size', 'branch', { ways: { big: 0, rest: 0 } }),
    untouched('big', 'inbox', { funnel: NO_FUNNEL }),
    untouched('wait', 'delay'),
    untouched('calm', 'throttle'),
    untouched('tell', 'inbox', { funnel: NO_FUNNEL }),
  ])

  for (const total of [11, 12, 1]) await given.track({ name: 'flow.begun', userId: 'flo', properties: { total } })
  await given.call('POST', `/v1/campaigns/${id}/test`, {
    key: given.demo.environments.dev.sdkSecretKey,
    body: { userId: 'flo', event: { properties: { total: 11 } } },
  })
  const session = await given.signIn('flo')
  const [newest] = (await given.page(session)).data.filter(({ title }) => title === 'Told').reverse()
  await given.register(session, [{ messageId: newest?.id ?? '', eventType: 'opened' }])
  const answer = await flow(id, '?window=24h')
  expect(answer.body.runs).toEqual({ started: 3, waiting: 1, completed: 2, exited: 0, failed: 0, cancelled: 0 })
  expect(numbers(answer)).toMatchObject({
    size: { reached: 3, waiting: 0, outcomes: { taken: 3 }, reasons: {}, ways: { big: 2, rest: 1 } },
    big: { reached: 2, outcomes: { done: 2 }, reasons: {}, funnel: { delivery: 2 } },
    wait: { reached: 1, waiting: 1, outcomes: {} },
    calm: { reached: 2, outcomes: { done: 1, skipped: 1 }, reasons: { throttled: 1 } },
    tell: {
      reached: 1,
      outcomes: { done: 1, skipped: 1 },
      reasons: { throttled: 1 },
      funnel: { delivery: 1, read: 1, opened: 1, clicked: 0 },
    },
  })
})

test('a version has its own numbers; unknown versions and campaigns, and drafts, are not found', async () => {
  const key = given.demo.environments.dev.sdkSecretKey
  const id = await given.publish(inboxCampaign('flow-versions', 'flow.versions'))
  await given.track({ name: 'flow.versions', userId: 'flo' })
  const body = { ...inboxCampaign('flow-versions', 'flow.versions'), steps: [{ id: 'new', type: 'exit' }] }
  await given.call('PUT', `/v1/campaigns/${id}`, { key, body })
  await given.call('POST', `/v1/campaigns/${id}/publish`, { key })
  await given.track({ name: 'flow.versions', userId: 'flo' })
  const answer = await flow(id)
  expect(answer.body).toMatchObject({ version: 2, runs: { started: 1, exited: 1 } })
  expect(numbers(answer)).toMatchObject({ new: { reached: 1, outcomes: { exited: 1 } } })
  expect((await flow(id, '?version=1')).body).toMatchObject({
    version: 1,
    runs: { started: 1, completed: 1 },
    steps: [{ stepId: 'tell', reached: 1, funnel: { delivery: 1 } }],
  })
  const draft = await given.call<{ id: string }>('POST', '/v1/campaigns', {
    key,
    body: inboxCampaign('flow-draft', 'x'),
  })
  for (const [of, query] of [
    [id, '?version=3'],
    ['cmp_none', ''],
    [draft.body.id, ''],
  ] as const) {
    expect(await flow(of, query)).toMatchObject({ status: 404, body: { code: 'campaign/not-found' } })
  }
  for (const query of ['?window=all', '?window=', '?version=0', '?version=x', '?version=1234567890'])
    expect(await flow(id, query)).toMatchObject({ status: 400, body: { code: 'request/invalid-query' } })
})
