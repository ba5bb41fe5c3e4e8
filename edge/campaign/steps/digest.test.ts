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

test('a run that comes to a digest from a delay opens a window, and later ones join it', async () => {
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

test('a throttle behind a wait ends the run that was carried on, and its next wait with it', async () => {
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

test('what is behind a digest may wait again, and still knows all events', async () => {
  await given.publish(campaign(gather, pause, tell))
  for (const n of [1, 2, 3]) await send(n)
  await given.pass(HOUR_MS)
  expect(await given.titles('u1')).toEqual([])
  await given.pass(HOUR_MS)
  expect(await given.titles('u1')).toEqual(['3 1,2,3'])
})

test('a pause outlasts the window; what comes after it begins another, and both are told', async () => {
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

test('a cancelled run takes its window along: the next event begins another', async () => {
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

test('a new version gathers apart, and each is told in its own words', async () => {
  const id = await given.publish(campaign(gather, tell))
  await send(1)
  await given.change.putDraft(given.environment.id, id, campaign(gather, { ...tell, title: 'new {{ events.size }}' }))
  await given.change.publish(given.environment.id, id)
  await send(2)
  await send(3)
  await given.pass(HOUR_MS)
  expect((await given.titles('u1')).sort()).toEqual(['1 1', 'new 2'])
})

test('retention leaves what a waiting run has gathered, and takes it with the run', async () => {
  await given.publish(campaign({ ...gather, window: 'P200D' }, tell))
  const first = await send(1)
  await send(2)
  await given.pass(150 * DAY_MS)
  const purge = async () => {
    while ((await given.stores.retention.purgeStep(given.environment.id, given.clock.at - 90 * DAY_MS)).rows > 0) {
      // step by step
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

test('an erased user leaves no window: the same id gathers anew', async () => {
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
