// Tests of both engines: counts of event names and paths add up, are bounded, listed, and end.

import { describe, expect, test } from 'vitest'
import { type CountedName, type CountedPath, NAMES_KEPT, PATHS_KEPT } from '../../domain/event-names.ts'
import { givenStore, HOUR, type OpenStores, trackPlan, write } from './given.ts'
import { purgeAll } from './retention.suite.ts'

export function eventNamesSuite(open: OpenStores): void {
  describe('event names', () => {
    const given = givenStore(open)
    const names = () => given.stores.eventNames
    const none = { string: 0, number: 0, boolean: 0, null: 0, object: 0, array: 0 }
    const pathOf = (path: string, changes: Partial<CountedPath> = {}): CountedPath => ({
      path,
      types: { ...none, string: 1 },
      present: 1,
      lastAt: given.now(),
      ...changes,
    })
    const nameOf = (environmentId: number, changes: Partial<CountedName> = {}): CountedName => ({
      environmentId,
      name: 'order.paid',
      events: 1,
      sampled: 1,
      isCut: false,
      firstAt: given.now(),
      lastAt: given.now(),
      paths: [],
      ...changes,
    })
    const list = (environmentId: number, q?: string) => names().listPage(environmentId, q, null, 2000)
    const find = async (environmentId: number) => (await names().findMany(environmentId, ['order.paid', 'nobody']))[0]
    const pathsOf = async (environmentId: number, name = 'order.paid') =>
      (await names().listPaths(environmentId, [name])).get(name) ?? []

    test('counts of several nodes add up, with the first and the last time', async () => {
      const environmentId = given.environmentId()
      const [at, later] = [given.now(), given.now() + 5000]
      const total = pathOf('total', { types: { ...none, number: 2, null: 1 }, present: 3, lastAt: later })
      await names().add([nameOf(environmentId, { events: 9, sampled: 3, lastAt: later, paths: [total] })])
      await names().add([
        nameOf(environmentId, { events: 2, sampled: 2, isCut: true, paths: [pathOf('total'), pathOf('a["b c"]')] }),
        nameOf(given.environmentId()),
      ])
      expect(await list(environmentId)).toMatchObject([
        { name: 'order.paid', events: 11, sampled: 5, isCut: true, firstAt: at, lastAt: later },
      ])
      expect(await pathsOf(environmentId)).toEqual([
        { path: 'a["b c"]', types: { ...none, string: 1 }, present: 1, lastAt: at },
        { path: 'total', types: { ...none, number: 2, null: 1, string: 1 }, present: 4, lastAt: later },
      ])
      expect(await find(environmentId)).toMatchObject({ events: 11 })
      expect(await find(given.environmentId())).toBeUndefined()
      expect(await pathsOf(given.environmentId())).toEqual([])
    })

    test('names are listed newest first, by pages, and by a part of them', async () => {
      const environmentId = given.environmentId()
      const of = (name: string, lastAt = given.now()) => nameOf(environmentId, { name, lastAt })
      await names().add([of('Order Paid', given.now() + 1), of('order_sent'), of('welcome')])
      const read: string[] = []
      for (let before: number | null = null; ; ) {
        const [one] = await names().listPage(environmentId, undefined, before, 1)
        if (one === undefined) break
        read.push(one.name)
        before = one.place
      }
      expect([read[0], [...read].sort()]).toEqual(['Order Paid', ['Order Paid', 'order_sent', 'welcome']])
      expect((await list(environmentId, 'ORDER')).map(({ name }) => name)).toEqual(['Order Paid', 'order_sent'])
      expect((await list(environmentId, 'r_s')).map(({ name }) => name)).toEqual(['order_sent'])
    })

    test('the least recent names go, with their paths, when an environment has too many; another one loses none', async () => {
      const [environmentId, other] = [given.environmentId(), given.environmentId()]
      const many = (of: number, count: number, lastAt: number) =>
        Array.from({ length: count }, (_, at) =>
          nameOf(of, { name: `e${lastAt}.${at}`, firstAt: lastAt, lastAt, paths: [pathOf('x')] }),
        )
      await names().add([...many(environmentId, 50, 1), ...many(other, 5, 1)])
      await names().add(many(environmentId, NAMES_KEPT - 20, 2))
      const left = await list(environmentId)
      expect(left).toHaveLength(NAMES_KEPT)
      expect(left.filter(({ lastAt }) => lastAt === 1)).toHaveLength(20)
      expect(await list(other)).toHaveLength(5)
      const all = [...Array(50).keys()].map((at) => `e1.${at}`)
      const kept = new Set(left.map(({ name }) => name))
      const paths = await names().listPaths(environmentId, all)
      for (const name of all) expect([name, paths.get(name)?.length]).toEqual([name, kept.has(name) ? 1 : 0])
    })

    test('the least recent paths of a name go, and the name tells that some did', async () => {
      const environmentId = given.environmentId()
      const many = (count: number, lastAt: number) =>
        Array.from({ length: count }, (_, at) => pathOf(`p${lastAt}_${at}`, { lastAt }))
      const second = nameOf(environmentId, { name: 'other', paths: [pathOf('x', { lastAt: 1 })] })
      await names().add([nameOf(environmentId, { paths: many(150, 1) }), second])
      expect(await find(environmentId)).toMatchObject({ isCut: false })
      await names().add([nameOf(environmentId, { paths: many(100, 2) })])
      const left = await pathsOf(environmentId)
      expect(left).toHaveLength(PATHS_KEPT)
      expect(left.filter(({ lastAt }) => lastAt === 2)).toHaveLength(100)
      expect(await find(environmentId)).toMatchObject({ isCut: true })
      expect(await pathsOf(environmentId, 'other')).toHaveLength(1)
    })

    test('names and paths that did not come again end by the retention of the organisation', async () => {
      const environmentId = given.environmentId()
      const old = given.now() - 31 * 24 * HOUR
      const paths = [pathOf('kept'), pathOf('old', { lastAt: old })]
      await names().add([
        nameOf(environmentId, { name: 'old', firstAt: old, lastAt: old }),
        nameOf(environmentId, { firstAt: old, paths }),
      ])
      await purgeAll(given, environmentId, given.now() - HOUR)
      expect((await list(environmentId)).map(({ name }) => name)).toEqual(['order.paid'])
      expect((await pathsOf(environmentId)).map(({ path }) => path)).toEqual(['kept'])
    })

    test('the newest events of a name are read, but for large ones', async () => {
      const environmentId = given.environmentId()
      const track = async (properties: object) => {
        const plan = trackPlan(given, { environmentId, userIds: ['ada'] })
        if (plan.event === null) throw new Error('The plan has no event.')
        await write(given, {
          ...plan,
          event: { ...plan.event, name: 'order.paid', properties: JSON.stringify(properties) },
        })
      }
      for (const n of [1, 2, 3]) await track({ n })
      await track({ text: 'x'.repeat(500) })
      const read = (events: number) => names().listRecent(environmentId, 'order.paid', { events, chars: 400 })
      expect(await read(10)).toEqual([{ n: 3 }, { n: 2 }, { n: 1 }])
      expect(await read(2)).toEqual([{ n: 3 }])
      expect(await names().listRecent(given.environmentId(), 'order.paid', { events: 9, chars: 400 })).toEqual([])
    })
  })
}
