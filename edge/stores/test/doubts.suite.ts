// Tests of both engines: doubts are counted, listed, bounded, dismissed, erased with their users, and end.

import { describe, expect, test } from 'vitest'
import { type CountedDoubt, DOUBTS_KEPT } from '../../domain/doubt.ts'
import { givenStore, HOUR, type OpenStores, trackPlan, write } from './given.ts'
import { purgeAll } from './retention.suite.ts'

export function doubtsSuite(open: OpenStores): void {
  describe('doubts', () => {
    const given = givenStore(open)
    const doubts = () => given.stores.doubts
    const doubtOf = (environmentId: number, changes: Partial<CountedDoubt> = {}): CountedDoubt => ({
      environmentId,
      kind: 'unheard-event',
      subject: { type: 'event', id: 'order.shiped' },
      message: 'No campaign listens to this event.',
      example: 'api',
      userId: null,
      count: 1,
      firstAt: given.now(),
      lastAt: given.now(),
      ...changes,
    })
    const list = (environmentId: number, filter = {}) => doubts().listPage(environmentId, filter, null, 2000)

    test('counts add up, with the first and the last time and the newest example', async () => {
      const environmentId = given.environmentId()
      const [at, later] = [given.now(), given.now() + 5000]
      await doubts().add([doubtOf(environmentId, { count: 3 }), doubtOf(given.environmentId())])
      await doubts().add([doubtOf(environmentId, { count: 4, firstAt: later, lastAt: later, example: 'source' })])
      // Another node writes later what it has counted earlier.
      await doubts().add([doubtOf(environmentId, { count: 1, example: null })])
      const [doubt, ...others] = await list(environmentId)
      expect(others).toEqual([])
      expect(doubt).toMatchObject({ count: 8, firstAt: at, lastAt: later, example: 'source', kind: 'unheard-event' })
      expect(doubt?.id).toMatch(/^dbt_[0-9a-f]{32}$/)
    })

    test('they are listed newest first, by pages, and by kind and subject', async () => {
      const environmentId = given.environmentId()
      const of = (id: string, changes = {}) => doubtOf(environmentId, { subject: { type: 'event', id }, ...changes })
      const zone = { kind: 'unknown-time-zone', subject: { type: 'source', id: 'b' } } as const
      const later = given.now() + 1
      await doubts().add([of('c', { lastAt: later }), of('a'), of('b'), doubtOf(environmentId, zone)])
      const names: string[] = []
      for (let before: number | null = null; ; ) {
        const [doubt] = await doubts().listPage(environmentId, {}, before, 1)
        if (doubt === undefined) break
        names.push(doubt.subject.id)
        before = doubt.place
      }
      expect([names[0], [...names].sort()]).toEqual(['c', ['a', 'b', 'b', 'c']])
      expect(await list(environmentId, { kind: 'unknown-time-zone' })).toMatchObject([zone])
      expect(await list(environmentId, { subjectType: 'event', subjectId: 'b' })).toHaveLength(1)
      expect(await list(given.environmentId())).toEqual([])
    })

    test('the oldest go when an environment has too many; another one loses none', async () => {
      const [environmentId, other] = [given.environmentId(), given.environmentId()]
      const many = (of: number, count: number, lastAt: number) =>
        Array.from({ length: count }, (_, at) =>
          doubtOf(of, { subject: { type: 'event', id: `e${lastAt}.${at}` }, firstAt: lastAt, lastAt }),
        )
      await doubts().add([...many(environmentId, 50, 1), ...many(other, 5, 1)])
      await doubts().add(many(environmentId, DOUBTS_KEPT - 20, 2))
      expect(await doubts().count(environmentId)).toBe(DOUBTS_KEPT)
      expect((await list(environmentId)).filter(({ lastAt }) => lastAt === 1)).toHaveLength(20)
      expect(await doubts().count(other)).toBe(5)
      expect(await doubts().count(null)).toBeGreaterThanOrEqual(DOUBTS_KEPT + 5)
    })

    test('a doubt is dismissed in its own environment alone, and comes back when it arises again', async () => {
      const environmentId = given.environmentId()
      await doubts().add([doubtOf(environmentId, { count: 9 })])
      const [doubt] = await list(environmentId)
      expect(await doubts().dismiss(given.environmentId(), doubt?.id ?? '')).toBe(false)
      expect(await doubts().dismiss(environmentId, doubt?.id ?? '')).toBe(true)
      expect(await doubts().dismiss(environmentId, doubt?.id ?? '')).toBe(false)
      await doubts().add([doubtOf(environmentId)])
      expect(await list(environmentId)).toMatchObject([{ count: 1 }])
    })

    test('an erasure removes what is about the user, and the example of their data; a late count brings neither back', async () => {
      const environmentId = given.environmentId()
      await write(given, trackPlan(given, { environmentId, userIds: ['ada'] }))
      await write(given, trackPlan(given, { environmentId, userIds: ['bob'] }))
      const about = (userId: string) =>
        doubtOf(environmentId, { kind: 'unknown-locale', subject: { type: 'user', id: userId }, userId })
      const exampleOf = (userId: string) => doubtOf(environmentId, { example: `of ${userId}`, userId })
      await doubts().add([about('ada'), about('bob'), exampleOf('ada')])
      expect(await list(environmentId)).toHaveLength(3)
      await given.stores.users.erase(environmentId, 'ada', given.now())
      await doubts().add([about('ada'), exampleOf('ada')])
      const left = await list(environmentId)
      expect(left.map(({ subject, example, count }) => [subject.id, example, count]).sort()).toEqual([
        ['bob', 'api', 1],
        ['order.shiped', null, 2],
      ])
    })

    test('one that did not arise again ends, by its own time or by the retention of the organisation', async () => {
      const environmentId = given.environmentId()
      const old = given.now() - 31 * 24 * HOUR
      const of = (id: string, lastAt: number) =>
        doubtOf(environmentId, { subject: { type: 'event', id }, firstAt: old, lastAt })
      await doubts().add([of('old', old), of('again', given.now())])
      await doubts().purge(given.now() - 30 * 24 * HOUR)
      expect((await list(environmentId)).map(({ subject }) => subject.id)).toEqual(['again'])
      await doubts().add([of('old', old)])
      await purgeAll(given, environmentId, given.now() - HOUR)
      expect((await list(environmentId)).map(({ subject }) => subject.id)).toEqual(['again'])
    })
  })
}
