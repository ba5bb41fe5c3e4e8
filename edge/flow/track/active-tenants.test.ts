// Tests which environments count as active: those with an event in the last second.

import { expect, test } from 'vitest'
import { createActiveTenants } from './active-tenants.ts'

test('an environment has others for a second after their last event, and never counts itself', () => {
  const clock = { at: 10_000, now: () => clock.at }
  const here = createActiveTenants(clock)
  expect(here.hasOthers(1)).toBe(false)
  here.record(1)
  here.record(1)
  expect([here.hasOthers(1), here.hasOthers(2)]).toEqual([false, true])
  here.record(2)
  expect([here.hasOthers(1), here.hasOthers(2)]).toEqual([true, true])
  for (clock.at = 10_500; clock.at < 10_999; clock.at += 100) here.record(1)
  clock.at = 10_999
  expect([here.hasOthers(1), here.hasOthers(2)]).toEqual([true, true])
  clock.at = 11_000
  expect([here.hasOthers(1), here.hasOthers(2)]).toEqual([false, true])
  here.record(3)
  here.record(2)
  expect([here.hasOthers(1), here.hasOthers(2), here.hasOthers(3)]).toEqual([true, true, true])
})
