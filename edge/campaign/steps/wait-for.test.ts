// Tests the step `waitFor`: an event of the same user resumes the run in its own commit, else the timeout does.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { FAN_OUT } from '../../flow/track/fan-out.ts'
import { type GivenFlow, givenFlow } from '../../test/support/given-flow.ts'

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(() => flow.close())

const HOUR_MS = 3_600_000
const tell = (id: string, title: string) => ({ id, type: 'inbox', title })
const cart = (fields: Record<string, unknown> = {}) => ({
  key: 'cart',
  trigger: { event: 'cart.filled' },
  steps: [
    {
      id: 'order',
      type: 'waitFor',
      event: 'order.placed',
      timeout: 'PT1H',
      then: [tell('thanks', 'Thank you')],
      onTimeout: [tell('nudge', 'Your cart waits')],
      ...fields,
    },
    tell('after', 'After'),
  ],
})
const sameCart = { where: 'awaited.properties.cart == event.properties.cart' }

async function fill(userId = 'ada', properties: Record<string, unknown> = {}) {
  const { eventId } = await flow.track({ name: 'cart.filled', userId, properties })
  const runId = (await flow.event(eventId)).runs[0]?.runId ?? ''
  return () => flow.readEvents.getRun(flow.environment.id, runId)
}
const place = (userId = 'ada', properties: Record<string, unknown> = {}) =>
  flow.track({ name: 'order.placed', userId, properties })

test('the event resumes the run at once, with the steps of `then`', async () => {
  await flow.publish(cart())
  const run = await fill()
  expect(await run()).toMatchObject({
    state: 'waiting',
    steps: [{ stepId: 'order', outcome: 'waiting', reason: 'for order.placed until 2026-05-01T13:00:00.000Z' }],
  })
  const { eventId } = await place()
  await flow.pass(0)
  expect(await flow.titles('ada')).toEqual(['After', 'Thank you'])
  expect((await run()).steps[0]).toMatchObject({ outcome: 'taken', reason: `order.placed came: ${eventId}` })
  expect(await flow.pass(2 * HOUR_MS)).toBe(0)
})

test('without the event the timeout ends the wait, with the steps of `onTimeout`', async () => {
  await flow.publish(cart())
  const run = await fill()
  await place('bob')
  expect(await flow.pass(HOUR_MS - 1)).toBe(0)
  await flow.pass(1)
  expect(await flow.titles('ada')).toEqual(['After', 'Your cart waits'])
  expect((await run()).steps[0]).toMatchObject({ outcome: 'not-taken', reason: 'order.placed did not come in time' })
  await place()
  expect(await flow.pass(0)).toBe(0)
})

test('a condition over both events is true for one event and false for another', async () => {
  await flow.publish(cart(sameCart))
  const run = await fill('ada', { cart: 7 })
  await place('ada', { cart: 8 })
  await place('ada', {})
  await flow.pass(0)
  expect((await run()).state).toBe('waiting')
  await place('ada', { cart: 7 })
  await flow.pass(0)
  expect(await flow.titles('ada')).toEqual(['After', 'Thank you'])
})

test('an event for which the condition is false does not change the timeout', async () => {
  await flow.publish(cart(sameCart))
  await fill('ada', { cart: 7 })
  await place('ada', { cart: 8 })
  await flow.pass(HOUR_MS - 1)
  expect(await flow.titles('ada')).toEqual([])
  await flow.pass(1)
  expect(await flow.titles('ada')).toEqual(['After', 'Your cart waits'])
})

test('each event that came shows why it did not end the wait, and the step shows why the last did not', async () => {
  await flow.publish(cart({ where: 'awaited.properties.x.y > 3' }))
  const run = await fill()
  const sent = []
  for (const properties of [{ z: 1 }, { x: { y: 's' } }, { x: { y: 1 } }, { x: 7 }]) {
    sent.push((await place('ada', properties)).eventId)
    await flow.pass(0)
  }
  await flow.pass(HOUR_MS)
  const { reason, inputs } = (await run()).steps[0] ?? {}
  expect(inputs).toMatchObject({
    arrivals: 4,
    arrived: [
      {
        eventId: sent[1],
        holds: false,
        reason: 'no such overload: dyn<string> > int. Write double(awaited.properties.x.y) > 3.',
      },
      { eventId: sent[2], holds: false, reason: 'the condition is false' },
      { eventId: sent[3], holds: false, reason: 'No such key: y' },
    ],
  })
  expect(reason).toBe(`order.placed did not come in time; ${sent[3]}: No such key: y`)
})

test('a later branch can read the awaited event', async () => {
  const branch = {
    id: 'size',
    type: 'branch',
    branches: [{ key: 'big', when: 'awaited.properties.total > 100', steps: [tell('big', 'Big')] }],
  }
  const wait = {
    id: 'order',
    type: 'waitFor',
    event: 'order.placed',
    timeout: 'PT1H',
    then: [{ id: 'd', type: 'delay', for: 'PT1M' }],
  }
  await flow.publish({ key: 'cart', trigger: { event: 'cart.filled' }, steps: [wait, branch] })
  await fill()
  await place('ada', { total: 150 })
  await flow.pass(0)
  await flow.pass(60_000)
  expect(await flow.titles('ada')).toEqual(['Big'])
})

test('in one batch the order of the events counts', async () => {
  await flow.publish(cart())
  await flow.trackBatch([
    { name: 'order.placed', userId: 'ada' },
    { name: 'cart.filled', userId: 'ada' },
    { name: 'cart.filled', userId: 'bob' },
    { name: 'order.placed', userId: 'bob' },
  ])
  await flow.pass(0)
  expect(await flow.titles('ada')).toEqual([])
  expect(await flow.titles('bob')).toEqual(['After', 'Thank you'])
})

test('an event that arrives while the timeout is processed is not lost', async () => {
  await flow.publish(cart())
  await fill()
  flow.clock.at += HOUR_MS
  const claimed = await flow.stores.waits.claim(flow.clock.at, 60_000, 10)
  expect(claimed).toHaveLength(1)
  await place()
  // A plan that decided by time alone has an old fence, and writes nothing.
  await flow.resume(claimed.map((wait) => ({ ...wait, awaits: null })))
  expect(await flow.titles('ada')).toEqual([])
  await flow.pass(0)
  expect(await flow.titles('ada')).toEqual(['After', 'Thank you'])
})

test('an event for many users resumes each of their runs', async () => {
  await flow.publish(cart())
  const userIds = Array.from({ length: 60 }, (_, n) => `u${n}`)
  await fill('u3')
  await fill('u59')
  await flow.track({ name: 'order.placed', userIds })
  for (const job of await flow.stores.jobs.claim(flow.clock.at, 60_000, 10, [FAN_OUT])) await flow.fanOut(job)
  await flow.pass(0)
  expect(await flow.titles('u3')).toEqual(['After', 'Thank you'])
  expect(await flow.titles('u59')).toEqual(['After', 'Thank you'])
})

test('a wait that is due by the clock of the claims is due, also when the clock of the node is behind', async () => {
  await flow.publish(cart())
  const run = await fill()
  // The database's clock is an hour ahead of this node's.
  const claimed = await flow.stores.waits.claim(flow.clock.at + HOUR_MS, 60_000, 10)
  await flow.resume(claimed)
  expect(await flow.titles('ada')).toEqual(['After', 'Your cart waits'])
  expect((await run()).state).toBe('completed')
})
