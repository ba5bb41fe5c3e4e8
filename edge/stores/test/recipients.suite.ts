// Tests of both engines: each recipient finds events with several recipients, and erased users are removed from them.

import { describe, expect, test } from 'vitest'
import type { TrackPlan } from '../../domain/plan.ts'
import { ERASED_USER_ID } from '../../domain/tracked-event.ts'
import { idFloorAt } from '../../lib/id.ts'
import { type Given, givenStore, type OpenStores, trackPlan, write } from './given.ts'

export function recipientsSuite(open: OpenStores): void {
  describe('events with several recipients', () => {
    const given = givenStore(open)

    test('are found by each recipient, in order with the events for one recipient', async () => {
      const environmentId = given.environmentId()
      const plans: TrackPlan[] = []
      for (const userIds of [['a', 'b'], ['a'], ['b', 'c'], ['c', 'a', 'b'], ['b']]) {
        plans.push(await written(given, environmentId, userIds))
        given.advance(1000)
      }
      const ids = plans.map((plan) => plan.event?.id)
      const pick = (...places: number[]) => places.map((place) => ids[place])
      const list = async (filter: object, before: number | null = null, limit = 10) =>
        (await given.stores.events.list(environmentId, filter, before, limit)).events.map((event) => event.id)
      expect(await list({ userId: 'a' })).toEqual(pick(3, 1, 0))
      expect(await list({ userId: 'b' })).toEqual(pick(4, 3, 2, 0))
      expect(await list({ userId: 'b' }, ids[3] ?? 0, 1)).toEqual(pick(2))
      expect(await list({ userId: 'b', to: plans[2]?.event?.receivedAt })).toEqual(pick(2, 0))
      expect(await list({ userId: 'b', from: plans[3]?.event?.receivedAt })).toEqual(pick(4, 3))
      expect(await list({ userId: 'b', name: 'other' })).toEqual([])
      expect(await list({ userId: 'nobody' })).toEqual([])
      expect((await given.stores.events.list(environmentId + 1, { userId: 'b' }, null, 10)).events).toEqual([])
    })

    test('lose erased users but keep their places, and are removed when no recipient is left', async () => {
      const environmentId = given.environmentId()
      const many = await written(given, environmentId, ['a', 'b', 'c'])
      const two = await written(given, environmentId, ['a', 'c'])
      // More events than one step of the erasure processes.
      for (let n = 0; n < 45; n++) await written(given, environmentId, ['a', 'z'])
      given.advance(1000)
      await given.stores.users.erase(environmentId, 'a', given.now())
      given.advance(1000)
      const later = await written(given, environmentId, ['a', 'b'])
      const listsOf = async () =>
        (await given.stores.events.list(environmentId, {}, null, 100)).events.map(({ userIds }) => userIds)
      expect((await listsOf()).filter((list) => list?.includes('a'))).toEqual([['a', 'b']])
      expect(await idsOf(given, environmentId, 'a')).toEqual([later.event?.id])
      const find = async (plan: TrackPlan) =>
        (await given.stores.events.find(environmentId, plan.event?.id ?? 0))?.userIds
      expect(await find(many)).toEqual([ERASED_USER_ID, 'b', 'c'])
      await given.stores.users.erase(environmentId, 'c', given.now())
      expect(await find(many)).toEqual([ERASED_USER_ID, 'b', ERASED_USER_ID])
      expect(await find(two)).toBeUndefined()
      expect(await idsOf(given, environmentId, ERASED_USER_ID)).toEqual([])
    })

    test('lose all users that are erased at once', async () => {
      const environmentId = given.environmentId()
      const { event } = await written(given, environmentId, ['a', 'b', 'c', 'd'])
      const now = given.now() + 1
      await Promise.all(['a', 'b', 'd'].map((userId) => given.stores.users.erase(environmentId, userId, now)))
      const left = await given.stores.events.find(environmentId, event?.id ?? 0)
      expect(left?.userIds).toEqual(['', '', 'c', ''])
    })

    test('are removed by retention with their recipients, in steps', async () => {
      const environmentId = given.environmentId()
      const userIds = Array.from({ length: 400 }, (_, n) => `u${n}`)
      for (let n = 0; n < 3; n++)
        await write(given, { ...trackPlanOf(given, environmentId, userIds), runs: [], messages: [] })
      given.advance(1000)
      const steps: number[] = []
      for (let rows = 1; rows > 0; ) {
        rows = (await given.stores.retention.purgeStep(environmentId, given.now())).rows
        steps.push(rows)
      }
      // An event is removed with its 400 rows: two events exceed a step.
      expect(steps).toEqual([1, 1, 1, 0])
      expect(await idsOf(given, environmentId, 'u7')).toEqual([])
    })
  })
}

async function idsOf(given: Given, environmentId: number, userId: string): Promise<number[]> {
  return (await given.stores.events.list(environmentId, { userId }, null, 100)).events.map(({ id }) => id)
}

function trackPlanOf(given: Given, environmentId: number, userIds: string[]): TrackPlan {
  const plan = trackPlan(given, { environmentId, userIds })
  // An id of about now, as the id source creates it.
  if (plan.event !== null) Object.assign(plan.event, { id: idFloorAt(given.now()) + given.id() })
  return plan
}

/** Writes an event with runs and messages for all users. */
async function written(given: Given, environmentId: number, userIds: string[]): Promise<TrackPlan> {
  const plan = trackPlanOf(given, environmentId, userIds)
  await write(given, plan)
  return plan
}
