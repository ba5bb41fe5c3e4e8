// Tests cancellations of a user's waiting runs, and the e-mail step's check of the inbox after a wait.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GivenFlow, givenFlow } from '../../test/support/given-flow.ts'

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(() => flow.close())

const HOUR_MS = 3_600_000
const tell = (id: string, title: string) => ({ id, type: 'inbox', title })
const reminder = {
  key: 'reminder',
  trigger: { event: 'cart.filled' },
  steps: [{ id: 'pause', type: 'delay', for: 'PT1H' }, tell('nudge', 'Cart {{ event.properties.cart }}')],
}

async function fill(userId: string, cart: number) {
  const { eventId } = await flow.track({ name: 'cart.filled', userId, properties: { cart } })
  return (await flow.event(eventId)).runs[0]?.runId ?? ''
}
const cancel = (input: Record<string, string>) =>
  flow.cancelRuns(flow.environment.id, { campaignKey: 'reminder', userId: 'ada', ...input })

test('only the runs of that user for which the condition holds end, and they never continue', async () => {
  await flow.publish(reminder)
  const runs = [await fill('ada', 1), await fill('ada', 2), await fill('bob', 1)]
  expect(await cancel({ where: 'event.properties.cart == 1' })).toEqual({
    cancelled: 1,
    runIds: [runs[0]],
    failed: 0,
    example: null,
  })
  const run = await flow.readEvents.getRun(flow.environment.id, runs[0] ?? '')
  expect(run).toMatchObject({
    state: 'cancelled',
    stateReason: 'requested',
    steps: [
      { stepId: 'pause', outcome: 'skipped', reason: 'cancelled: requested' },
      { stepId: 'nudge', outcome: 'skipped', reason: 'requested' },
    ],
  })
  expect(await flow.statuses('ada')).toEqual([['cancelled', 'requested']])
  await flow.pass(HOUR_MS)
  expect(await flow.titles('ada')).toEqual(['Cart 2'])
  expect(await flow.titles('bob')).toEqual(['Cart 1'])
  expect(await cancel({})).toEqual({ cancelled: 0, runIds: [], failed: 0, example: null })
})

test('a condition that ends in an error for some runs cancels the others, and says how many and why', async () => {
  await flow.publish(reminder)
  const runs = [await fill('ada', 1), await fill('ada', 2), await fill('ada', 3)]
  const where = 'event.properties.cart == 3 || event.properties.total > 10'
  const { failed, example, ...done } = await cancel({ where })
  expect(done).toEqual({ cancelled: 1, runIds: [runs[2]] })
  expect([failed, example]).toEqual([2, { runId: runs[0], reason: 'No such key: total' }])
})

test('runs of large versions, which are read a few at a time, all end', async () => {
  const mail = { id: 'm', type: 'email', subject: 'Hello', html: 'x'.repeat(500_000) }
  const mails = Array.from({ length: 7 }, (_, at) => ({ ...mail, id: `m${at}` }))
  const versionOf = (hours: number) => ({
    ...reminder,
    steps: [{ id: 'pause', type: 'delay', for: `PT${hours}H` }, ...mails],
  })
  const id = await flow.publish(versionOf(1))
  await fill('ada', 1)
  for (const hours of [2, 3, 4, 5]) {
    await flow.change.putDraft(flow.environment.id, id, versionOf(hours))
    await flow.change.publish(flow.environment.id, id)
    await fill('ada', hours)
  }
  expect((await cancel({})).cancelled).toBe(5)
})

test('a run that was claimed before it was cancelled writes nothing', async () => {
  await flow.publish(reminder)
  await fill('ada', 1)
  flow.clock.at += HOUR_MS
  const claimed = await flow.stores.waits.claim(flow.clock.at, 60_000, 10)
  expect((await cancel({})).cancelled).toBe(1)
  await flow.resume(claimed)
  expect(await flow.titles('ada')).toEqual([])
})

test('an unknown campaign and a bad condition are reported', async () => {
  await flow.publish(reminder)
  await expect(cancel({ campaignKey: 'other' })).rejects.toMatchObject({ code: 'campaign/not-found' })
  for (const where of ['event.', "awaited.name == 'paid'"]) {
    await expect(cancel({ where })).rejects.toMatchObject({ code: 'request/invalid-body' })
  }
})

test.each([
  [true, ['skipped', 'condition']],
  [false, ['queued', null]],
] as const)('an e-mail unless the message was read in the inbox (read: %s)', async (isRead, expected) => {
  const mail = { id: 'mail', type: 'email', subject: 'Hi', markdown: 'There', unless: { read: 'tell' } }
  const steps = [tell('tell', 'Hello'), { id: 'pause', type: 'delay', for: 'PT10M' }, mail]
  await flow.publish({ key: 'unread', trigger: { event: 'told' }, steps })
  const { eventId } = await flow.track({ name: 'told', userId: 'ada', user: { email: 'ada@example.com' } })
  const messageId = (await flow.event(eventId)).messageIds[0] ?? ''
  if (isRead) await flow.read('ada', messageId)
  await flow.pass(600_000)
  expect((await flow.statuses('ada'))[0]).toEqual(expected)
})
