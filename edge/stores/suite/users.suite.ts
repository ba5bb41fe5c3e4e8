// The store suite: profiles of users and topics (contract section 3).

import { describe, expect, test } from 'vitest'
import { givenStore, type OpenStores, trackPlan, write } from './given.ts'

export function usersSuite(open: OpenStores): void {
  describe('users and topics', () => {
    const given = givenStore(open)

    test('a profile is merged in the order of the plans', async () => {
      const environmentId = given.environmentId()
      const changes = [
        { email: 'a@example.org', attributes: { plan: 'pro', city: 'Bern' } },
        { email: null, name: 'Ann', attributes: { city: null, age: 5 } },
      ]
      await Promise.all(
        changes.map((change) =>
          write(given, trackPlan(given, { environmentId, userIds: ['u1'], profile: { userId: 'u1', change } })),
        ),
      )
      expect(await given.stores.users.find(environmentId, 'u1')).toMatchObject({
        email: null,
        name: 'Ann',
        attributes: { plan: 'pro', age: 5 },
      })
      const found = await given.stores.users.findMany(environmentId, ['u1', 'nobody', 'u1'])
      expect([...found.keys()]).toEqual(['u1'])
    })

    test('topics keep the order of joining, and make unknown users', async () => {
      const environmentId = given.environmentId()
      const { topics } = given.stores
      await topics.change(environmentId, 'news', ['b', 'a', 'c', 'a'], [], given.now())
      await topics.change(environmentId, 'news', ['d', 'b'], ['a', 'nobody'], given.now())
      const first = await topics.listSubscribers(environmentId, 'news', 0, 2)
      expect(first.map((one) => one.userId)).toEqual(['b', 'c'])
      expect(
        (await topics.listSubscribers(environmentId, 'news', first[1]?.place ?? 0, 5)).map((one) => one.userId),
      ).toEqual(['d'])
      const newest = await topics.listNewestSubscribers(environmentId, 'news', null, 2)
      expect(newest.map((one) => one.userId)).toEqual(['d', 'c'])
      expect(
        (await topics.listNewestSubscribers(environmentId, 'news', newest[1]?.place ?? 0, 5)).map((one) => one.userId),
      ).toEqual(['b'])
      expect(await topics.listNewestSubscribers(environmentId, 'unknown', null, 50)).toEqual([])
      expect(await given.stores.users.find(environmentId, 'nobody')).toBeUndefined()
      expect(await given.stores.users.find(environmentId, 'a')).toBeDefined()
    })
  })
}
