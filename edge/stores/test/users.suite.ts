// Tests of both engines: user profiles and topics.

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
      expect([...found.users.keys()]).toEqual(['u1'])
      expect([found.bytes.size, found.left.size]).toEqual([0, 0])
    })

    test('large profiles are read so many at a time, come on shorter pages, and are merged in one batch', async () => {
      const { users } = given.stores
      const environmentId = given.environmentId()
      const ids = ['a', 'b', 'c', 'd', 'e', 'f']
      const attributes = { text: 'x'.repeat(250_000), plan: 'pro' }
      for (const userId of ids) await users.upsert(environmentId, userId, { attributes }, given.now())
      await users.upsert(environmentId, 'short', { attributes: { plan: 'pro' } }, given.now())

      const found = await users.findMany(environmentId, [...ids, 'short'])
      expect([...found.users.keys()].toSorted()).toEqual(['a', 'b', 'c', 'd', 'short'])
      expect([...found.left]).toEqual(['e', 'f'])
      expect([...found.bytes.keys()].toSorted()).toEqual(ids)
      expect(found.users.get('a')?.attributes).toEqual(attributes)
      expect(found.users.get('short')?.attributes).toEqual({ plan: 'pro' })
      const bare = await users.findManyBare(environmentId, ids)
      expect([...bare.values()].map((user) => user.attributes)).toEqual(ids.map(() => ({})))

      const first = await users.listNewest(environmentId, null, 10)
      expect(first.users.map(({ userId }) => userId)).toEqual(['short', 'f', 'e', 'd', 'c'])
      expect([first.hasMore, first.users[1]?.attributes]).toEqual([true, attributes])
      const rest = await users.listNewest(environmentId, first.users.at(-1)?.userNo ?? 0, 10)
      expect([rest.users.map(({ userId }) => userId), rest.hasMore]).toEqual([['b', 'a'], false])

      const all = [...ids, 'short']
      await Promise.all(
        all.map((userId) => {
          const change = { name: userId, attributes: { plan: null } }
          return write(given, trackPlan(given, { environmentId, userIds: [userId], profile: { userId, change } }))
        }),
      )
      for (const userId of all) {
        const { text } = attributes
        expect(await users.find(environmentId, userId)).toMatchObject({
          name: userId,
          attributes: userId === 'short' ? {} : { text },
        })
      }
    })

    test('concurrent changes never make a profile larger than its limit, and refused plans leave nothing', async () => {
      const environmentId = given.environmentId()
      const text = 'é'.repeat(30_000)
      const planOf = (key: string, value: unknown = text) =>
        trackPlan(given, {
          environmentId,
          userIds: ['u1'],
          idempotency: { key, bodyHash: key },
          profile: { userId: 'u1', change: { attributes: { [key]: value } } },
        })
      const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
      const plans = keys.map((key) => planOf(key))
      const outcomes = await Promise.all(plans.map((plan) => given.stores.commit.track(plan)))
      expect(outcomes.map(({ result }) => result)).toEqual([
        ...Array.from({ length: 4 }, () => 'written'),
        ...Array.from({ length: 3 }, () => 'profile-too-large'),
      ])
      const found = async () => Object.keys((await given.stores.users.find(environmentId, 'u1'))?.attributes ?? {})
      expect(await found()).toEqual(['a', 'b', 'c', 'd'])
      // A refused plan leaves no event and no message, and its key is free.
      expect((await given.stores.events.list(environmentId, {}, null, 100)).events).toHaveLength(4)
      const user = await given.stores.users.find(environmentId, 'u1')
      expect((await given.stores.inboxes.head({ environmentId, userNo: user?.userNo ?? 0 })).seq).toBe(4)
      expect(await given.stores.commit.track(planOf('e', 'short'))).toMatchObject({ result: 'written' })

      const { users } = given.stores
      const puts = await Promise.allSettled(
        ['x', 'y'].map((key) => users.upsert(environmentId, 'u1', { attributes: { [key]: 'x'.repeat(15_000) } }, 1)),
      )
      expect(puts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const large = { attributes: { more: text } }
      await expect(users.upsert(environmentId, 'u1', large, 1)).rejects.toMatchObject({
        code: 'request/payload-too-large',
      })
      const whole = { attributes: { all: text.repeat(5) } }
      await expect(users.upsert(environmentId, 'new', whole, 1)).rejects.toMatchObject({
        code: 'request/payload-too-large',
      })
      expect(await users.find(environmentId, 'new')).toBeUndefined()
    })

    test('topics list users in the order of joining, and create unknown users', async () => {
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
