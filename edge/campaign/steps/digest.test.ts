// Tests the step `digest` with everything else that happens to runs, on a real store: waits, pauses, cancellations,
// retention, erasure.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GivenFlow, givenFlow } from '../../test/support/given-flow.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let given: GivenFlow
beforeEach(async () => {
  given = await givenFlow()
})
afterEach(() => given.close())

const gather = { id: 'gather', type: 'digest', window: 'PT1H' }
const pause = { id: 'pause', type: 'delay', for: 'PT1H' }
const tell = {
  id: 'tell',
  type: 'inbox',
  title: '{{ events.size }} {{ events | map: "properties" | map: "n" | join: "," }}',
}
const campaign = (...steps: object[]) => ({ key: 'noise', trigger: { event: 'noise.made' }, steps })

const send = (n: number, userId = 'u1') => given.track({ name: 'noise.made', userId, properties: { n } })
const stateOf = async (eventId: string) => {
  const run = (await given.event(eventId)).runs[0]
  return [run?.state, run?.stateReason]
}

test('a run that reaches a digest after a delay opens a window, and later ones join it', async () => {
  await given.publish(campaign(pause, gather, tell))
  await send(1)
  await given.pass(HOUR_MS / 2)
  const second = await send(2)
  await given.pass(HOUR_MS / 2)
  await given.pass(HOUR_MS / 2)
  expect(await stateOf(second.eventId)).toEqual(['completed', 'digested'])
  expect(await given.titles('u1')).toEqual([])
  await given.pass(HOUR_MS / 2)
  expect(await given.titles('u1')).toEqual(['2 1,2'])
})

test('a throttle after a wait ends the continued run, with its next wait', async () => {
  await given.publish(
    campaign(pause, { id: 'calm', type: 'throttle', limit: 1, window: 'P1D' }, { ...pause, id: 'more' }, tell),
  )
  const first = await send(1)
  const second = await send(2)
  await given.pass(HOUR_MS)
  expect(await stateOf(first.eventId)).toEqual(['waiting', null])
  expect(await stateOf(second.eventId)).toEqual(['completed', 'throttled'])
  await given.pass(HOUR_MS)
  expect(await given.titles('u1')).toEqual(['1 1'])
  expect(await given.statuses('u1')).toEqual([
    ['delivered', null],
    ['skipped', 'throttled'],
  ])
})

test('a step after a digest may wait again, and still has all events', async () => {
  await given.publish(campaign(gather, pause, tell))
  for (const n of [1, 2, 3]) await send(n)
  await given.pass(HOUR_MS)
  expect(await given.titles('u1')).toEqual([])
  await given.pass(HOUR_MS)
  expect(await given.titles('u1')).toEqual(['3 1,2,3'])
})

test('after a pause that is longer than the window, a new one begins, and both send their message', async () => {
  const id = await given.publish(campaign(gather, tell))
  await send(1)
  await send(2)
  await given.change.pause(given.environment.id, id)
  await given.pass(2 * HOUR_MS)
  expect(await given.titles('u1')).toEqual([])
  await given.change.resume(given.environment.id, id)
  await send(3)
  await given.settle()
  expect(await given.titles('u1')).toEqual(['2 1,2'])
  await given.pass(HOUR_MS)
  expect(await given.titles('u1')).toEqual(['1 3', '2 1,2'])
})

test('the window of a cancelled run ends: the next event begins another', async () => {
  await given.publish(campaign(gather, tell))
  const first = await send(1)
  const second = await send(2)
  await given.cancelRuns(given.environment.id, { campaignKey: 'noise', userId: 'u1' })
  expect((await stateOf(first.eventId))[0]).toBe('cancelled')
  expect(await stateOf(second.eventId)).toEqual(['completed', 'digested'])
  await send(3)
  await given.pass(HOUR_MS)
  expect(await given.titles('u1')).toEqual(['1 3'])
})

test('a new version has its own window, and each version sends its own message', async () => {
  const id = await given.publish(campaign(gather, tell))
  await send(1)
  await given.change.putDraft(given.environment.id, id, campaign(gather, { ...tell, title: 'new {{ events.size }}' }))
  await given.change.publish(given.environment.id, id)
  await send(2)
  await send(3)
  await given.pass(HOUR_MS)
  expect((await given.titles('u1')).sort()).toEqual(['1 1', 'new 2'])
})

test('retention keeps the gathered events of a waiting run, and removes them with the run', async () => {
  await given.publish(campaign({ ...gather, window: 'P200D' }, tell))
  const first = await send(1)
  await send(2)
  await given.pass(150 * DAY_MS)
  const purge = async () => {
    while ((await given.stores.retention.purgeStep(given.environment.id, given.clock.at - 90 * DAY_MS)).rows > 0) {
      // Repeats until nothing is left.
    }
  }
  await purge()
  await given.pass(50 * DAY_MS)
  expect(await given.titles('u1')).toEqual(['2 1,2'])
  const runId = (await given.event(first.eventId)).runs[0]
  expect(runId?.state).toBe('completed')
  await given.pass(100 * DAY_MS)
  await purge()
  await expect(given.event(first.eventId)).rejects.toThrow()
})

test('an erased user has no window: the same id begins a new one', async () => {
  await given.publish(campaign(gather, tell))
  await send(1)
  await send(2)
  await given.stores.users.erase(given.environment.id, 'u1', given.clock.at)
  await send(3)
  await given.pass(HOUR_MS)
  expect(await given.titles('u1')).toEqual(['1 3'])
})

test('a test and a dry run gather nothing', async () => {
  const id = await given.publish(campaign(gather, tell))
  await given.tryOut.test(given.environment, null, id, { userId: 'u1', event: { properties: { n: 7 } } }, 'c')
  expect(await given.titles('u1')).toEqual(['1 7'])
  const dry = await given.tryOut.dryRun(given.environment, id, {})
  expect(dry.steps.map((step) => [step.stepId, step.outcome])).toEqual([
    ['gather', 'done'],
    ['tell', 'done'],
  ])
})
