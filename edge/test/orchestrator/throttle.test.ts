// Tests the step `throttle` on a running edge: many concurrent callers for one user.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FunnelAnswer } from '../../../contract/api.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'

let given: GivenEdge
let key = ''
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(() => given.stop())

interface Delivery {
  messageId: string
  userId: string
  status: string
  statusReason: string | null
  runId: string
  stepId: string
}

async function deliveriesOf(campaignId: string, status: string): Promise<Delivery[]> {
  const path = `/v1/deliveries?campaignId=${campaignId}&status=${status}&limit=100`
  return (await given.call<{ data: Delivery[] }>('GET', path, { key })).body.data
}

test('five of sixty concurrent events pass, and the others have the reason in their records', async () => {
  const steps = [
    { id: 'calm', type: 'throttle', limit: 5, window: 'PT1H' },
    { id: 'tell', type: 'inbox', title: 'Noise {{ event.properties.n }}' },
  ]
  const campaignId = await given.publish({ key: 'noise', trigger: { event: 'noise.made' }, steps })
  const tracked = await Promise.all(
    Array.from({ length: 60 }, (_, n) => given.track({ name: 'noise.made', userId: 'noisy', properties: { n } })),
  )
  expect(tracked.map((answer) => answer.status)).toEqual(Array(60).fill(202))
  const session = await given.signIn('noisy')
  expect(session.inbox).toMatchObject({ unread: 5, seq: 5 })
  expect((await given.page(session)).data).toHaveLength(5)

  const skipped = await deliveriesOf(campaignId, 'skipped')
  expect(skipped).toHaveLength(55)
  expect(new Set(skipped.map((one) => `${one.stepId} ${one.statusReason}`))).toEqual(new Set(['tell throttled']))
  expect(await deliveriesOf(campaignId, 'delivered')).toHaveLength(5)
  const { body: run } = await given.call('GET', `/v1/runs/${skipped[0]?.runId}`, { key })
  expect(run).toMatchObject({
    state: 'completed',
    stateReason: 'throttled',
    steps: [
      { stepId: 'calm', outcome: 'skipped', reason: 'throttled' },
      { stepId: 'tell', outcome: 'skipped', reason: 'throttled' },
    ],
  })
  const stats = await given.call<FunnelAnswer>('GET', `/v1/campaigns/${campaignId}/stats`, { key })
  expect(stats.body.steps[0]).toMatchObject({ step: 'delivery', count: 5 })
})

test('a fan-out is throttled per user', async () => {
  const steps = [
    { id: 'calm', type: 'throttle', limit: 1, window: 'PT1H' },
    { id: 'tell', type: 'inbox', title: 'News' },
  ]
  const campaignId = await given.publish({ key: 'news', trigger: { event: 'news.out' }, steps })
  const userIds = Array.from({ length: 60 }, (_, n) => `reader-${n}`)
  await given.track({ name: 'news.out', userIds })
  await given.track({ name: 'news.out', userIds })
  await expect.poll(async () => (await deliveriesOf(campaignId, 'skipped')).length).toBe(60)
  const delivered = await deliveriesOf(campaignId, 'delivered')
  expect(delivered.map((one) => one.userId).sort()).toEqual([...userIds].sort())
})

test('an invalid definition is refused at its fields', async () => {
  const steps = [{ id: 'calm', type: 'throttle', limit: -1, window: 'soon' }]
  const body = { key: 'invalid', trigger: { event: 'e' }, steps }
  const answer = await given.call('POST', '/v1/campaigns', { key, body })
  expect(answer.status).toBe(400)
  expect(JSON.stringify(answer.body)).toContain('steps[0].limit')
  expect(JSON.stringify(answer.body)).toContain('steps[0].window')
})
