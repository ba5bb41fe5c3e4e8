// Tests accepted events on a real store: outcomes, recipients, idempotency, batches.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type GivenFlow, givenFlow, messageCampaign, SECRET_ID } from '../../test/support/given-flow.ts'

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(async () => flow.close())

describe('an accepted event', () => {
  test('that matches creates a run and a message, and is answered when both are stored', async () => {
    const campaignId = await flow.publish(messageCampaign('a', 'order.shipped'))
    const answer = await flow.track({ name: 'order.shipped', userId: 'u', properties: { n: 7 } }, 'corr-1')
    expect(answer).toEqual({
      eventId: expect.stringMatching(/^evt_/),
      correlationId: 'corr-1',
      duplicate: false,
      receivedAt: '2026-05-01T12:00:00.000Z',
    })
    const event = await flow.event(answer.eventId)
    expect(event).toMatchObject({
      outcome: 'matched',
      correlationId: 'corr-1',
      properties: { n: 7 },
      userId: 'u',
      source: 'api',
    })
    expect(event.runs).toMatchObject([
      { campaignId, campaignKey: 'a', version: 1, branch: null, userId: 'u', state: 'completed', stateReason: null },
    ])
    expect(event.considered).toMatchObject([{ campaignId, outcome: 'run', reason: null }])
    const run = await flow.readEvents.getRun(flow.environment.id, event.runs[0]?.runId ?? '')
    expect(run.steps).toMatchObject([{ stepId: 'tell', type: 'inbox', outcome: 'done', reason: null }])
    expect(run.messageIds).toEqual(event.messageIds)
    expect(await flow.titles('u')).toEqual(['a 7'])
  })

  test('publishes the new message on the bus, after the commit', async () => {
    await flow.publish(messageCampaign('a', 'e'))
    await flow.track({ name: 'e', userId: 'u' })
    expect(flow.bus.published['inbox-pushed']).toMatchObject([{ userNo: 1, from: 0, seq: 1, reset: false }])
    expect(flow.bus.published['inbox-pushed'][0]?.frame()).toMatchObject({
      unread: 1,
      changes: [{ op: 'add', seq: 1, message: { title: 'a' } }],
    })
  })

  test('runs every campaign on its name', async () => {
    await flow.publish(messageCampaign('a', 'e'))
    await flow.publish(messageCampaign('b', 'e'))
    await flow.publish(messageCampaign('c', 'other'))
    const { eventId } = await flow.track({ name: 'e', userId: 'u' })
    expect((await flow.event(eventId)).runs.map((run) => run.campaignKey)).toEqual(['a', 'b'])
  })

  test('without a campaign on its name is stored as unmatched, with its user', async () => {
    const { eventId } = await flow.track({ name: 'e', userId: 'u', user: { name: 'Ann' } })
    expect(await flow.event(eventId)).toMatchObject({ outcome: 'unmatched', considered: [], runs: [], messageIds: [] })
    expect(await flow.stores.users.find(flow.environment.id, 'u')).toMatchObject({ name: 'Ann' })
  })

  test('on a paused campaign is unmatched, with that reason', async () => {
    const id = await flow.publish(messageCampaign('a', 'e'))
    await flow.change.pause(flow.environment.id, id)
    const { eventId } = await flow.track({ name: 'e', userId: 'u' })
    expect(await flow.event(eventId)).toMatchObject({
      outcome: 'unmatched',
      considered: [{ campaignId: id, campaignKey: 'a', outcome: 'paused', reason: 'the campaign is paused' }],
    })
    await flow.change.resume(flow.environment.id, id)
    const later = await flow.track({ name: 'e', userId: 'u' })
    expect((await flow.event(later.eventId)).outcome).toBe('matched')
  })

  test('on a draft or archived campaign is unmatched', async () => {
    await flow.change.create(flow.environment.id, messageCampaign('draft', 'e'))
    await flow.change.archive(flow.environment.id, await flow.publish(messageCampaign('old', 'e')))
    const { eventId } = await flow.track({ name: 'e', userId: 'u' })
    expect(await flow.event(eventId)).toMatchObject({ outcome: 'unmatched', considered: [] })
  })

  test.each([
    ['event.properties.total > 100', { total: 5 }, 'condition-false', 'the condition is false'],
    ['event.properties.total > 100', {}, 'condition-error', 'No such key: total'],
  ])('whose condition %s is not met by %j is unmatched, and says why', async (where, properties, outcome, reason) => {
    await flow.publish(messageCampaign('a', 'e', { trigger: { event: 'e', where } }))
    const { eventId } = await flow.track({ name: 'e', userId: 'u', properties })
    expect(await flow.event(eventId)).toMatchObject({
      outcome: 'unmatched',
      considered: [{ outcome, reason }],
      runs: [],
    })
  })

  test('a template that fails to render fails its run, never the request, and leaves a record of each message', async () => {
    const steps = [
      { id: 'bad', type: 'inbox', title: '{{ event.properties.big }}{{ event.properties.big }}' },
      { id: 'never', type: 'inbox', title: 'x' },
    ]
    await flow.publish(messageCampaign('a', 'e', { steps }))
    await flow.publish(messageCampaign('b', 'e'))
    const { eventId } = await flow.track({ name: 'e', userId: 'u', properties: { big: 'x'.repeat(40_000) } })
    const event = await flow.event(eventId)
    expect(event.runs).toMatchObject([
      { campaignKey: 'a', state: 'failed', stateReason: 'render-error' },
      { campaignKey: 'b', state: 'completed' },
    ])
    expect(event.considered).toMatchObject([
      { campaignKey: 'a', outcome: 'failed' },
      { campaignKey: 'b', outcome: 'run' },
    ])
    const run = await flow.readEvents.getRun(flow.environment.id, event.runs[0]?.runId ?? '')
    expect(run.steps).toMatchObject([
      { stepId: 'bad', outcome: 'failed', reason: expect.stringMatching(/^render-error: The output/) },
      { stepId: 'never', outcome: 'skipped', reason: 'render-error' },
    ])
    expect(run.messageIds).toHaveLength(2)
    expect(await flow.statuses('u')).toEqual([
      ['delivered', null],
      ['failed', 'render-error'],
      ['failed', 'render-error'],
    ])
    expect(await flow.titles('u')).toEqual(['b'])
  })

  test('sees the profile of the user, including the change that it contains', async () => {
    await flow.publish(
      messageCampaign('a', 'e', {
        trigger: { event: 'e', where: "user.attributes.plan == 'pro'" },
        steps: [
          { id: 't', type: 'inbox', title: 'Hi {{ user.name }}', locales: { fr: { title: 'Salut {{ user.name }}' } } },
        ],
      }),
    )
    await flow.track({ name: 'e', userId: 'u', user: { name: 'Ann', attributes: { plan: 'pro' } } })
    await flow.track({ name: 'e', userId: 'u', user: { locale: 'fr-FR' } })
    await flow.track({ name: 'e', userId: 'u', user: { attributes: { plan: null } } })
    expect(await flow.titles('u')).toEqual(['Salut Ann', 'Hi Ann'])
  })

  test('stores the branch of each message', async () => {
    const leaf = (id: string) => [{ id, type: 'inbox', title: id }]
    const steps = [
      { id: 'first', type: 'inbox', title: 'first' },
      {
        id: 'size',
        type: 'branch',
        branches: [
          {
            key: 'big',
            when: 'event.properties.n > 5',
            steps: [{ id: 'in', type: 'branch', branches: [{ key: 'deep', else: true, steps: leaf('inner') }] }],
          },
          { key: 'small', else: true, steps: [...leaf('small'), { id: 'out', type: 'exit', reason: 'enough' }] },
        ],
      },
      { id: 'last', type: 'inbox', title: 'last' },
    ]
    const id = await flow.publish(messageCampaign('a', 'e', { steps }))
    const big = await flow.event((await flow.track({ name: 'e', userId: 'big', properties: { n: 9 } })).eventId)
    const small = await flow.event((await flow.track({ name: 'e', userId: 'small', properties: { n: 1 } })).eventId)
    expect(big.runs).toMatchObject([{ branch: 'big/deep', state: 'completed' }])
    expect(small.runs).toMatchObject([{ branch: 'small', state: 'exited', stateReason: 'enough' }])
    expect(await flow.titles('big')).toEqual(['last', 'inner', 'first'])
    expect(await flow.titles('small')).toEqual(['small', 'first'])
    const run = await flow.readEvents.getRun(flow.environment.id, big.runs[0]?.runId ?? '')
    expect(run.steps.map((step) => [step.stepId, step.outcome])).toEqual([
      ['first', 'done'],
      ['size', 'taken'],
      ['in', 'taken'],
      ['inner', 'done'],
      ['last', 'done'],
    ])
    const funnel = await flow.readFunnel(flow.environment.id, id, { window: '24h', channel: 'inbox' })
    expect(funnel.steps[0]).toEqual({ step: 'delivery', count: 5, percentOfPrevious: null })
    expect(
      funnel.branches?.map(({ version, branch, steps: [delivery] }) => [version, branch, delivery?.count]),
    ).toEqual([
      [1, null, 2],
      [1, 'big/deep', 2],
      [1, 'small', 1],
    ])
  })
})

describe('recipients', () => {
  test('a list reaches each user once', async () => {
    await flow.publish(messageCampaign('a', 'e'))
    const { eventId } = await flow.track({ name: 'e', userIds: ['u', 'v', 'u'] })
    expect(await flow.event(eventId)).toMatchObject({ outcome: 'matched', userId: null, userIds: ['u', 'v', 'u'] })
    expect([await flow.titles('u'), await flow.titles('v')]).toEqual([['a'], ['a']])
  })

  test('a topic reaches its subscribers; one without subscribers has the outcome no-user', async () => {
    await flow.publish(messageCampaign('a', 'e'))
    await flow.stores.topics.change(flow.environment.id, 'news', ['u', 'v'], [], flow.clock.at)
    const some = await flow.track({ name: 'e', topic: 'news' })
    const none = await flow.track({ name: 'e', topic: 'unknown' })
    expect((await flow.event(some.eventId)).runs).toHaveLength(2)
    expect(await flow.event(none.eventId)).toMatchObject({ outcome: 'no-user', topic: 'unknown', runs: [] })
  })
})

describe('an idempotency key', () => {
  const input = { name: 'e', userId: 'u', properties: { a: 1, b: [{ c: 1, d: 2 }] }, idempotencyKey: 'k' }

  test('makes a repeat a duplicate with the first ids, and nothing more', async () => {
    await flow.publish(messageCampaign('a', 'e'))
    const first = await flow.track(input, 'first')
    const again = await flow.track({ ...input, properties: { b: [{ d: 2, c: 1 }], a: 1 } }, 'second')
    expect(again).toEqual({ ...first, duplicate: true })
    expect(await flow.titles('u')).toHaveLength(1)
    expect(flow.bus.published['inbox-pushed']).toHaveLength(1)
  })

  test('with another body is a conflict', async () => {
    await flow.track(input)
    for (const other of [{ properties: { a: 2 } }, { userId: 'v' }, { name: 'f' }, { occurredAt: 5 }]) {
      await expect(flow.track({ ...input, ...other })).rejects.toMatchObject({ code: 'request/conflict' })
    }
  })

  test('is the same alone and in a batch, also twice in one', async () => {
    const first = await flow.track(input)
    const results = await flow.trackBatch([
      input,
      { ...input, idempotencyKey: 'k2' },
      { ...input, idempotencyKey: 'k2' },
      { ...input, userId: 'v' },
    ])
    expect(results[0]).toEqual({ eventId: first.eventId, duplicate: true })
    expect(results[1]).toMatchObject({ duplicate: false })
    expect(results[2]).toEqual({ ...results[1], duplicate: true })
    expect(results[3]).toMatchObject({ code: 'request/conflict' })
  })

  test('is deleted after its time', async () => {
    await flow.track(input)
    flow.clock.at += 24 * 60 * 60 * 1000
    expect((await flow.track(input)).duplicate).toBe(false)
  })
})

describe('a batch', () => {
  test('is answered in order', async () => {
    await flow.publish(messageCampaign('a', 'e'))
    const inputs = Array.from({ length: 250 }, (_, n) => ({ name: 'e', userId: `u${n % 5}`, properties: { n } }))
    const results = await flow.trackBatch(inputs)
    const ids = results.map((result) => ('eventId' in result ? result.eventId : ''))
    expect(new Set(ids).size).toBe(250)
    expect(ids).toEqual([...ids].sort())
    expect((await flow.titles('u3')).slice(0, 3)).toEqual(['a 248', 'a 243', 'a 238'])
  })

  test('lets later events see the profile changes of earlier ones', async () => {
    await flow.publish(messageCampaign('a', 'e', { steps: [{ id: 't', type: 'inbox', title: 'Hi {{ user.name }}' }] }))
    await flow.trackBatch([
      { name: 'x', userId: 'u', user: { name: 'Ann' } },
      { name: 'e', userId: 'u' },
      { name: 'e', userId: 'u', user: { name: 'Bea' } },
    ])
    expect(await flow.titles('u')).toEqual(['Hi Bea', 'Hi Ann'])
  })
})

describe('a key that is retired before the commit', () => {
  beforeEach(async () => flow.stores.secrets.retire(flow.environment.id, SECRET_ID, flow.clock.at))

  test('fails the request, and nothing is stored', async () => {
    await expect(flow.track({ name: 'e', userId: 'u' })).rejects.toMatchObject({ code: 'auth/invalid-authorization' })
    await expect(flow.trackBatch([{ name: 'e', userId: 'u' }])).rejects.toMatchObject({
      code: 'auth/invalid-authorization',
    })
    expect((await flow.readEvents.list(flow.environment.id, { limit: 10 })).data).toEqual([])
    expect(await flow.stores.users.find(flow.environment.id, 'u')).toBeUndefined()
  })
})

test('a batch on an event with many campaigns has a bounded number of runs that wait for their commit', async () => {
  const CAMPAIGNS = 40
  const EVENTS = 150
  for (let n = 0; n < CAMPAIGNS; n++) await flow.publish(messageCampaign(`c${n}`, 'e'))
  const { commit } = flow.stores
  const track = commit.track.bind(commit)
  let [waiting, most] = [0, 0]
  vi.spyOn(commit, 'track').mockImplementation(async (plan) => {
    waiting += plan.runs.length
    most = Math.max(most, waiting)
    try {
      return await track(plan)
    } finally {
      waiting -= plan.runs.length
    }
  })
  const inputs = Array.from({ length: EVENTS }, (_, at) => ({ name: 'e', userId: `u${at}` }))
  const results = await flow.trackBatch(inputs)
  expect(results.filter((result) => 'eventId' in result)).toHaveLength(EVENTS)
  expect(most).toBeGreaterThan(CAMPAIGNS)
  expect(most).toBeLessThanOrEqual(2000 + CAMPAIGNS)
  expect((await flow.titles(`u${EVENTS - 1}`)).length).toBe(CAMPAIGNS)
})
