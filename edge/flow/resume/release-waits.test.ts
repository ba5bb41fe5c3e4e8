// Tests that an archived campaign's runs end chunk by chunk, so that timers run in between.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GivenFlow, givenFlow } from '../../test/support/given-flow.ts'

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(() => flow.close())

const campaignOf = (key: string, delay: string) => ({
  key,
  trigger: { event: key },
  steps: [
    { id: 'pause', type: 'delay', for: delay },
    { id: 'tell', type: 'inbox', title: key },
  ],
})

test('a timer that is due while thousands of runs of an archived campaign end does not wait for all of them', async () => {
  const id = await flow.publish(campaignOf('many', 'P1D'))
  await flow.publish(campaignOf('timer', 'PT0.06S'))
  const users = Array.from({ length: 50 }, (_, at) => `u${at}`)
  await flow.trackBatch(Array.from({ length: 6 }, () => ({ name: 'many', userIds: users })))
  await flow.track({ name: 'timer', userId: 'ada' })
  await flow.change.archive(flow.environment.id, id)
  await flow.settle()
  const passed: number[] = []
  for (const ms of [49, 1, 10, 40]) passed.push(await flow.pass(ms))
  // 100 at once; 100 more; the timer; the last 100.
  expect(passed).toEqual([0, 100, 1, 100])
  expect(await flow.titles('ada')).toEqual(['timer'])
  expect(await flow.statuses('u0')).toEqual(Array.from({ length: 6 }, () => ['cancelled', 'archived']))
})

test('a wait that is due before its chunk keeps its time', async () => {
  const id = await flow.publish(campaignOf('many', 'PT0.02S'))
  const users = Array.from({ length: 50 }, (_, at) => `u${at}`)
  await flow.trackBatch(Array.from({ length: 3 }, () => ({ name: 'many', userIds: users })))
  await flow.change.archive(flow.environment.id, id)
  await flow.settle()
  expect([await flow.pass(19), await flow.pass(1)]).toEqual([0, 50])
})
