// Tests of both engines: bodies of deliveries are found by their items, and erased with each user whom an item names.

import { describe, expect, test } from 'vitest'
import type { BodyItem } from '../../domain/connector/delivery-body.ts'
import { givenStore, type OpenStores, trackPlan, write } from './given.ts'

export function deliveryBodiesSuite(open: OpenStores): void {
  describe('bodies of deliveries', () => {
    const given = givenStore(open)
    const bodies = () => given.stores.deliveryBodies
    const all = { from: 0, to: Number.MAX_SAFE_INTEGER, outcome: null, after: null, limit: 100 }

    /** Keeps a body; an item is its id, its user and its outcome. */
    async function keep(sourceId: number, environmentId: number, body: string, ...items: string[]) {
      const own = items.map((text): BodyItem => {
        const [deliveryId = '', userId = '', outcome = 'accepted'] = text.split(' ')
        return { deliveryId, userId, outcome: outcome as BodyItem['outcome'] }
      })
      await bodies().keep([{ sourceId, environmentId, bodyId: body, at: given.now(), body, headers: {}, items: own }])
    }
    const texts = async (environmentId: number, sourceId: number) =>
      (await bodies().listPage(environmentId, sourceId, all)).map(({ body }) => body)

    test('an erasure removes each body with an item of the user: of one id twice in a body, or in two bodies', async () => {
      const environmentId = given.environmentId()
      const source = given.id()
      await write(given, trackPlan(given, { environmentId, userIds: ['gone'] }))
      await keep(source, environmentId, 'twice', 'd1 gone', 'd1 kept duplicate')
      await keep(source, environmentId, 'first', 'd2 gone dropped')
      await keep(source, environmentId, 'second', 'd2 kept')
      await keep(source, environmentId, 'repeat', 'd3 kept')
      await keep(source, environmentId, 'repeated', 'd3 gone duplicate')
      await given.stores.users.erase(environmentId, 'gone', given.now())
      expect((await texts(environmentId, source)).sort()).toEqual(['repeat', 'second'])
      expect(await bodies().find(environmentId, source, 'd1')).toBeUndefined()
    })

    test('a purge removes bodies from before an instant, also those of a source that is gone', async () => {
      const environmentId = given.environmentId()
      const gone = given.id()
      await keep(gone, environmentId, 'old', 'd1 ada')
      given.advance(1)
      await keep(gone, environmentId, 'new', 'd2 ada')
      await bodies().purge(given.now())
      expect(await texts(environmentId, gone)).toEqual(['new'])
    })

    test('an id has the newest body that was more than a repeat, and that body has each item once', async () => {
      const environmentId = given.environmentId()
      const source = given.id()
      await keep(source, environmentId, 'dropped', 'd1 ada dropped', 'd2 ada dropped')
      given.advance(1)
      await keep(source, environmentId, 'taken', 'd1 ada')
      given.advance(1)
      await keep(source, environmentId, 'again', 'd1 ada duplicate')
      await keep(source, environmentId, 'dropped', 'd1 ada duplicate', 'd2 ada')
      expect(await bodies().find(environmentId, source, 'd1')).toMatchObject({
        body: 'taken',
        items: [{ outcome: 'accepted' }],
      })
      const [first] = await bodies().listPage(environmentId, source, all)
      expect(first).toMatchObject({
        body: 'dropped',
        items: [
          { deliveryId: 'd1', outcome: 'dropped' },
          { deliveryId: 'd2', outcome: 'accepted' },
        ],
      })
      expect(await bodies().countItems(environmentId, source, { ...all, outcome: 'dropped' })).toBe(1)
    })
  })
}
