// Tests the step `email` after a wait: no mail when the user has read the message meanwhile, and the preferences of
// that time apply.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GivenFlow, givenFlow } from '../../test/support/given-flow.ts'

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(() => flow.close())

const TEN_MINUTES_MS = 600_000
const ADDRESS = { email: 'ada@example.org' }

async function begin(userId: string, steps: unknown[] = STEPS) {
  await flow.publish({ key: `later-${userId}`, category: 'news', trigger: { event: `began.${userId}` }, steps })
  const { eventId } = await flow.track({ name: `began.${userId}`, userId, user: ADDRESS })
  const user = await flow.stores.users.find(flow.environment.id, userId)
  const userNo = user?.userNo ?? 0
  const page = {
    environmentId: flow.environment.id,
    userNo,
    filter: 'all',
    category: null,
    before: null,
    limit: 10,
    now: flow.clock.at,
  } as const
  const [message] = (await flow.stores.inboxes.page(page)).messages
  const steps1 = async () => {
    const { runs } = await flow.event(eventId)
    return (await flow.readEvents.getRun(flow.environment.id, runs[0]?.runId ?? '')).steps
  }
  return { userNo, messageId: message?.id ?? 0, mail: async () => (await steps1()).at(-1) }
}

const STEPS = [
  { id: 'tell', type: 'inbox', title: 'Read me' },
  { id: 'pause', type: 'delay', for: 'PT10M' },
  { id: 'mail', type: 'email', subject: 'You missed it', markdown: 'x', unless: { read: 'tell' } },
]
const SENT = { stepId: 'mail', outcome: 'done', reason: null }

test('a message that was not read: the mail is sent', async () => {
  const { mail } = await begin('ada')
  expect(await flow.pass(TEN_MINUTES_MS)).toBe(1)
  expect(await mail()).toMatchObject(SENT)
})

test('a message that was read in time: no mail, with the reason in the trace', async () => {
  const { userNo, messageId, mail } = await begin('bea')
  const item = {
    messageId,
    eventType: 'read',
    occurredAt: flow.clock.at,
    automated: false,
    source: 'widget',
    link: null,
  } as const
  await flow.stores.commit.deliver({
    kind: 'deliver',
    environmentId: flow.environment.id,
    userNo,
    now: flow.clock.at,
    items: [item],
  })
  await flow.pass(TEN_MINUTES_MS)
  expect(await mail()).toMatchObject({ stepId: 'mail', outcome: 'skipped', reason: 'tell was read in the inbox' })
})

test('a message that was marked as read, or seen elsewhere: no mail either', async () => {
  const { userNo, messageId, mail } = await begin('cyn')
  await flow.stores.commit.change({
    kind: 'change',
    environmentId: flow.environment.id,
    userNo,
    now: flow.clock.at,
    items: [{ messageId, actions: [{ action: 'mark-opened' }] }],
    readAllUpTo: null,
  })
  await flow.pass(TEN_MINUTES_MS)
  expect(await mail()).toMatchObject({ outcome: 'skipped', reason: 'tell was read in the inbox' })
})

test('without a wait between the steps no message can have been read', async () => {
  const { mail } = await begin(
    'dot',
    STEPS.filter(({ id }) => id !== 'pause'),
  )
  expect(await mail()).toMatchObject(SENT)
})

test('preferences that are set while a run waits apply when it continues', async () => {
  const { userNo, mail } = await begin('eve')
  const off = { choices: { news: { email: false } } }
  const { first } = (await flow.stores.sendRules.changePreferences(flow.environment.id, userNo, off, 1)) ?? {}
  expect(first).toBe(true)
  flow.bus.publish('send-rules-changed', { environmentId: flow.environment.id })
  await flow.pass(TEN_MINUTES_MS)
  expect(await mail()).toMatchObject({ outcome: 'skipped', reason: 'the user does not want news by email' })
})

test('a mail that waits for the end of quiet hours is sent then', async () => {
  const steps = [
    { id: 'morning', type: 'delay', untilQuietHoursEnd: true },
    { id: 'mail', type: 'email', subject: 'Good morning', markdown: 'x' },
  ]
  const quiet = { start: '11:00', end: '13:00', timeZone: 'UTC' }
  const early = await flow.stores.users.upsert(flow.environment.id, 'fay', {}, 1)
  await flow.stores.sendRules.changePreferences(
    flow.environment.id,
    early.userNo,
    { choices: {}, quietHours: quiet },
    1,
  )
  const { mail } = await begin('fay', steps)
  expect(await flow.pass(3_600_000 - 1)).toBe(0)
  expect(await flow.pass(1)).toBe(1)
  expect(await mail()).toMatchObject(SENT)
})

test('a dry run reports which messages would not be sent, and why, also after waits', async () => {
  await begin('gus')
  const user = await flow.stores.users.find(flow.environment.id, 'gus')
  await flow.stores.sendRules.changePreferences(
    flow.environment.id,
    user?.userNo ?? 0,
    { choices: { news: { inbox: false } } },
    1,
  )
  flow.bus.publish('send-rules-changed', { environmentId: flow.environment.id })
  const { id } = await flow.change.create(flow.environment.id, {
    key: 'dry',
    category: 'news',
    trigger: { event: 'e' },
    steps: STEPS,
  })
  const tried = await flow.tryOut.dryRun(flow.environment, id, { user: { id: 'gus', email: null } })
  expect(tried.steps.map(({ stepId, outcome, reason }) => [stepId, outcome, reason])).toEqual([
    ['tell', 'skipped', 'the user does not want news by inbox'],
    ['pause', 'done', expect.any(String)],
    ['mail', 'skipped', 'the user has no e-mail address'],
  ])
})
