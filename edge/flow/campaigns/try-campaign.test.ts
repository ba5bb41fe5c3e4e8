// Tests that preview, dry run and test of a draft use the code that sends.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type GivenFlow, givenFlow, messageCampaign } from '../../test/support/given-flow.ts'

let flow: GivenFlow
let id: string
const definition = {
  ...messageCampaign('a', 'order.shipped'),
  trigger: { event: 'order.shipped', where: 'event.properties.total > 100' },
  steps: [
    {
      id: 'tell',
      type: 'inbox',
      title: 'Order {{ event.properties.n }} for {{ user.name }}',
      body: '**{{ enriched.details.carrier }}** {{ campaign.key }} {{ env.name }}',
      bodyFormat: 'markdown',
      link: '{{ event.properties.link }}',
      locales: { fr: { title: 'Commande {{ event.properties.n }}' } },
    },
    {
      id: 'size',
      type: 'branch',
      branches: [
        {
          key: 'big',
          when: 'event.properties.total > 500',
          steps: [
            { id: 'deep', type: 'inbox', title: 'Big!' },
            { id: 'out', type: 'exit', reason: 'done' },
          ],
        },
      ],
    },
  ],
}
beforeEach(async () => {
  flow = await givenFlow()
  id = (await flow.change.create(flow.environment.id, definition)).id
})
afterEach(async () => flow.close())

describe('preview', () => {
  test('renders a step as it would be sent', async () => {
    const input = {
      stepId: 'tell',
      event: { properties: { n: 7, link: 'javascript:alert(1)' } },
      user: { name: 'Ann' },
      enriched: { details: { carrier: 'D*H*L' } },
    }
    expect(await flow.tryOut.preview(flow.environment, id, input)).toMatchObject({
      title: 'Order 7 for Ann',
      body: '**D\\*H\\*L** a dev',
      bodyFormat: 'markdown',
      link: null,
    })
    expect(await flow.tryOut.preview(flow.environment, id, { ...input, user: { locale: 'fr-CA' } })).toMatchObject({
      title: 'Commande 7',
    })
  })

  test('reaches steps within branches', async () => {
    expect(await flow.tryOut.preview(flow.environment, id, { stepId: 'deep' })).toMatchObject({ title: 'Big!' })
  })

  test.each(['size', 'out', 'nope'])('of %s is refused: it makes no message', async (stepId) => {
    await expect(flow.tryOut.preview(flow.environment, id, { stepId })).rejects.toMatchObject({
      code: 'request/invalid-body',
      extra: { details: [{ path: 'stepId' }] },
    })
  })

  test('of a step that does not render is refused with the reason', async () => {
    const event = { properties: { n: 'x'.repeat(70_000) } }
    await expect(flow.tryOut.preview(flow.environment, id, { stepId: 'tell', event })).rejects.toMatchObject({
      code: 'request/invalid-body',
      message: 'The draft does not render with this data.',
      extra: { details: [{ path: 'steps[0]', message: expect.stringMatching(/output/) }] },
    })
  })

  test('of a known user has the stored profile, and what is given goes before', async () => {
    await flow.track({ name: 'e', userId: 'ann', user: { name: 'Stored Ann', locale: 'fr' } })
    const event = { properties: { n: 7 } }
    const preview = (user: object) => flow.tryOut.preview(flow.environment, id, { stepId: 'tell', event, user })
    expect(await preview({ id: 'ann' })).toMatchObject({ title: 'Commande 7' })
    expect(await preview({ id: 'ann', locale: 'en' })).toMatchObject({ title: 'Order 7 for Stored Ann' })
    expect(await preview({ id: 'ann', locale: 'en', name: null })).toMatchObject({ title: 'Order 7 for' })
    expect(await preview({ id: 'nobody' })).toMatchObject({ title: 'Order 7 for' })
  })
})

describe('dry-run', () => {
  test('returns the steps that it would take, and writes nothing', async () => {
    const event = { name: 'order.shipped', properties: { total: 600 } }
    expect(await flow.tryOut.dryRun(flow.environment, id, { event, user: { id: 'u' } })).toEqual({
      doubts: expect.arrayContaining([
        {
          kind: 'unknown-variable',
          message: 'Step tell: prints event.properties.n, which has no value.',
          example: null,
        },
      ]),
      matched: true,
      reason: 'done',
      steps: [
        { stepId: 'tell', type: 'inbox', outcome: 'done', reason: null, inputs: { verdict: 'send' } },
        {
          stepId: 'size',
          type: 'branch',
          outcome: 'taken',
          reason: 'big: the condition holds',
          inputs: { read: { 'event.properties.total': 600 } },
        },
        { stepId: 'deep', type: 'inbox', outcome: 'done', reason: null, inputs: { verdict: 'send' } },
        { stepId: 'out', type: 'exit', outcome: 'exited', reason: 'done', inputs: {} },
      ],
    })
    expect((await flow.readEvents.list(flow.environment.id, { limit: 10 })).data).toEqual([])
    expect(await flow.titles('u')).toEqual([])
  })

  test.each([
    [{ properties: { total: 5 } }, 'the condition is false', undefined],
    [{ properties: {} }, 'No such key: total', ['condition-error']],
    [{ name: 'other', properties: { total: 500 } }, 'the trigger is on order.shipped, not on other', undefined],
  ])('of %j says why it does not match', async (event, reason, kinds) => {
    const { doubts, ...answer } = await flow.tryOut.dryRun(flow.environment, id, { event })
    expect(answer).toEqual({ matched: false, reason, steps: [] })
    expect(doubts?.map(({ kind }) => kind)).toEqual(kinds)
  })
})

describe('test', () => {
  test('sends the draft whatever its trigger is, and changes no counter', async () => {
    await flow.stores.users.upsert(flow.environment.id, 'u', { name: 'Ann' }, flow.clock.at)
    const { messageIds } = await flow.tryOut.test(
      flow.environment,
      1,
      id,
      { userId: 'u', event: { properties: { n: 7, total: 5 } } },
      'corr',
    )
    expect(messageIds).toHaveLength(1)
    expect(await flow.titles('u')).toEqual(['Order 7 for Ann'])
    expect(flow.bus.published['inbox-pushed']).toHaveLength(1)
    const { data } = await flow.readEvents.list(flow.environment.id, { limit: 10 })
    expect(data).toMatchObject([
      { source: 'test', name: 'order.shipped', outcome: 'matched', correlationId: 'corr', messageIds },
    ])
    expect(await flow.readEvents.getRun(flow.environment.id, data[0]?.runs[0]?.runId ?? '')).toMatchObject({
      isTest: true,
    })
    const funnel = await flow.readFunnel(flow.environment.id, id, { window: 'all', channel: 'inbox' })
    expect(funnel.steps[0]?.count).toBe(0)
  })

  test('by a key that was retired is refused', async () => {
    await flow.stores.secrets.retire(flow.environment.id, 1, flow.clock.at)
    await expect(flow.tryOut.test(flow.environment, 1, id, { userId: 'u' }, 'c')).rejects.toMatchObject({
      code: 'auth/invalid-authorization',
    })
  })

  test('of an unknown campaign is not found', async () => {
    await expect(flow.tryOut.test(flow.environment, null, 'cmp_x', { userId: 'u' }, 'c')).rejects.toMatchObject({
      code: 'campaign/not-found',
    })
  })
})

test('a test says which message was sent, and why another was not', async () => {
  const steps = [
    { id: 'good', type: 'inbox', title: 'Hello' },
    {
      id: 'bad',
      type: 'inbox',
      title: 'Bad',
      body: '{% for i in (1..event.properties.n) %}{{ event.properties.text }}{% endfor %}',
    },
  ]
  const { id } = await flow.change.create(flow.environment.id, { key: 'two', trigger: { event: 'e' }, steps })
  const event = { properties: { n: 100, text: 'x'.repeat(1000) } }
  const { messageIds, messages } = await flow.tryOut.test(flow.environment, null, id, { userId: 'ann', event }, 'c')
  expect(messages).toEqual([
    { messageId: messageIds[0], stepId: 'good', status: 'delivered', statusReason: null },
    { messageId: messageIds[1], stepId: 'bad', status: 'failed', statusReason: 'render-error' },
  ])
})

test('a test sends at once what comes after a wait, to the address that is given', async () => {
  const steps = [
    { id: 'wait', type: 'delay', for: 'P1D' },
    { id: 'late', type: 'inbox', title: 'Late', expiresAfter: 'PT1H' },
    { id: 'mail', type: 'email', subject: 'Late', markdown: 'x' },
  ]
  const { id } = await flow.change.create(flow.environment.id, { key: 'late', trigger: { event: 'e' }, steps })
  const to = { userId: 'late', email: 'own@example.org' }
  const { messages } = await flow.tryOut.test(flow.environment, null, id, to, 'c')
  expect(messages).toMatchObject([{ status: 'delivered' }, { stepId: 'mail', status: 'queued' }])
  const user = await flow.stores.users.find(flow.environment.id, 'late')
  const of = { environmentId: flow.environment.id, userNo: user?.userNo ?? 0, filter: 'all', category: null } as const
  const page = await flow.stores.inboxes.page({ ...of, before: null, limit: 10, now: flow.clock.at })
  expect(page.messages).toMatchObject([{ createdAt: flow.clock.at, expiresAt: flow.clock.at + 3_600_000 }])
})
