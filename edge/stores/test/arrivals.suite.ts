// Tests of both engines: events that waiting runs await are recorded in the events' own commit.

import { describe, expect, test } from 'vitest'
import type { TrackPlan } from '../../domain/plan.ts'
import { type Given, givenStore, HOUR, type OpenStores, trackPlan, write } from './given.ts'
import { begin, claimOf, continuation, waitOf } from './given-waits.ts'

const NAME = 'order.placed'

export function arrivalsSuite(open: OpenStores): void {
  describe('arrivals', () => {
    const given = givenStore(open)
    const claim = (limit = 500) => given.stores.waits.claim(given.now(), 60_000, limit)
    const later = () => ({ dueAt: given.now() + HOUR, awaits: NAME })

    test('an event makes the runs due that wait for its name: of its users, in its environment', async () => {
      const [here, there] = [given.environmentId(), given.environmentId()]
      const resumed = [waitOf(given, later()), waitOf(given, later()), waitOf(given, { ...later(), userId: 'u2' })]
      const others = [
        waitOf(given, { ...later(), userId: 'u3' }),
        waitOf(given, { ...later(), awaits: 'order.paid' }),
        waitOf(given, { ...later(), awaits: null }),
      ]
      await begin(given, here, [...resumed, ...others])
      await begin(given, there, [waitOf(given, later())])
      const counted = await given.stores.arrivals.countWaiting(here, NAME, ['u1', 'u2', 'u4'])
      expect([...counted].sort()).toEqual([
        ['u1', 2],
        ['u2', 1],
      ])
      const plan = arrival(given, here, ['u1', 'u2'])
      await write(given, plan)
      const claimed = await claim()
      expect(claimed.map((one) => one.runId)).toEqual(resumed.map((one) => one.runId))
      const arrivals = await given.stores.arrivals.find(claimed)
      for (const { runId } of resumed) {
        expect(arrivals.get(runId)).toMatchObject([
          { eventId: plan.event?.id, name: NAME, properties: { orderId: '1' } },
        ])
      }
      await Promise.all(claimed.map((one) => write(given, continuation(given, here, one, null))))
      expect(
        (await given.stores.arrivals.find(resumed.map(({ runId }) => ({ environmentId: here, runId })))).size,
      ).toBe(0)
    })

    test('in one batch an event makes runs due that began to wait before it, not after it', async () => {
      const environmentId = given.environmentId()
      const [before, after] = [waitOf(given, later()), waitOf(given, later())]
      const plans = [waiting(given, environmentId, before), arrival(given, environmentId, ['u1'])]
      await Promise.all([...plans, waiting(given, environmentId, after)].map((plan) => write(given, plan)))
      expect((await claim()).map((one) => one.runId)).toEqual([before.runId])
      expect([
        ...(await given.stores.arrivals.find([before, after].map(({ runId }) => ({ environmentId, runId })))).keys(),
      ]).toEqual([before.runId])
    })

    test('a run that ends in the same batch as an event leaves no arrival', async () => {
      const environmentId = given.environmentId()
      const wait = waitOf(given, { ...later(), dueAt: given.now() })
      await begin(given, environmentId, [wait])
      const [early] = await claim()
      const [first, second] = [arrival(given, environmentId, ['u1']), arrival(given, environmentId, ['u1'])]
      const outcomes = await Promise.all(
        [first, continuation(given, environmentId, early, null), second].map((one) => given.stores.commit.track(one)),
      )
      expect(outcomes.map((outcome) => outcome.result)).toEqual(['written', 'written', 'written'])
      expect((await given.stores.arrivals.find([{ environmentId, runId: wait.runId }])).size).toBe(0)
    })

    test('an event before the continuation raises the fence, and the run is due again at once', async () => {
      const environmentId = given.environmentId()
      const wait = waitOf(given, { ...later(), dueAt: given.now() })
      await begin(given, environmentId, [wait])
      const [early] = await claim()
      const events = [arrival(given, environmentId, ['u1']), arrival(given, environmentId, ['u1'])]
      for (const plan of events) await write(given, plan)
      const late = continuation(given, environmentId, early, null)
      expect(await given.stores.commit.track(late)).toEqual({ result: 'not-waiting' })
      await given.stores.waits.release([claimOf(early)], given.now() + HOUR, null)
      const [again] = await claim()
      expect(again).toMatchObject({ runId: wait.runId, dueAt: wait.dueAt })
      const found = await given.stores.arrivals.find([{ environmentId, runId: wait.runId }])
      expect(found.get(wait.runId)?.map((one) => one.eventId)).toEqual(events.map((plan) => plan.event?.id))
      // Neither event ended the wait: the run waits again, and both arrivals are removed.
      await write(given, continuation(given, environmentId, again, { ...wait, dueAt: given.now() + HOUR }))
      expect((await given.stores.arrivals.find([{ environmentId, runId: wait.runId }])).size).toBe(0)
      expect(await claim()).toEqual([])
    })

    test('an attempt that an event refuses does not count, one that fails does', async () => {
      const environmentId = given.environmentId()
      const wait = waitOf(given, { ...later(), dueAt: given.now() })
      await begin(given, environmentId, [wait])
      for (let events = 0; events < 12; events += 1) {
        const [claimed] = await claim()
        expect(claimed).toMatchObject({ runId: wait.runId, attempts: 1 })
        await write(given, arrival(given, environmentId, ['u1']))
        expect((await given.stores.commit.track(continuation(given, environmentId, claimed, null))).result).toBe(
          'not-waiting',
        )
      }
      const [failed] = await claim()
      await given.stores.waits.release([claimOf(failed)], given.now(), 'It failed.')
      expect((await claim())[0]).toMatchObject({ attempts: 2 })
    })

    test('a repeat of an event makes no run due again', async () => {
      const environmentId = given.environmentId()
      const wait = waitOf(given, later())
      await begin(given, environmentId, [wait])
      const idempotency = { key: 'k', bodyHash: 'b', expiresAt: given.now() + HOUR }
      const first = { ...arrival(given, environmentId, ['u1']), idempotency }
      await write(given, first)
      const [claimed] = await claim()
      await write(given, continuation(given, environmentId, claimed, { ...wait, number: 2 }))
      const repeat = { ...arrival(given, environmentId, ['u1']), idempotency }
      expect((await given.stores.commit.track(repeat)).result).toBe('duplicate')
      expect(await claim()).toEqual([])
      expect((await given.stores.arrivals.find([{ environmentId, runId: wait.runId }])).size).toBe(0)
    })

    test('retention keeps an event that a run has yet to read, and removes it when no run waits for it', async () => {
      const environmentId = given.environmentId()
      const wait = waitOf(given, later())
      await begin(given, environmentId, [wait])
      const plan = arrival(given, environmentId, ['u1'])
      await write(given, plan)
      const purge = async () => {
        while ((await given.stores.retention.purgeStep(environmentId, given.now() + 1)).rows > 0);
        return given.stores.events.find(environmentId, plan.event?.id ?? 0)
      }
      expect(await purge()).toBeDefined()
      const [claimed] = await claim()
      expect((await given.stores.arrivals.find([{ environmentId, runId: wait.runId }])).get(wait.runId)).toHaveLength(1)
      await write(given, continuation(given, environmentId, claimed, null))
      expect(await purge()).toBeUndefined()
    })

    test('events of a run are weighed by the bytes of their properties, and read a few at a time', async () => {
      const environmentId = given.environmentId()
      const [wait, idle] = [waitOf(given, later()), waitOf(given, { ...later(), userId: 'u2' })]
      await begin(given, environmentId, [wait, idle])
      const plans = Array.from({ length: 3 }, () => arrival(given, environmentId, ['u1'], '{"name":"Zoë"}'))
      for (const plan of plans) await write(given, plan)
      const { arrivals } = given.stores
      const key = { environmentId, runId: wait.runId }
      expect(await arrivals.weigh([key, { environmentId, runId: idle.runId }])).toEqual(new Map([[wait.runId, 3 * 15]]))
      const [first, second, third] = plans.map((plan) => plan.event?.id ?? 0)
      const after = async (eventId: number) => (await arrivals.findAfter(key, eventId, 2)).map((one) => one.eventId)
      expect([await after(0), await after(second ?? 0), await after(third ?? 0)]).toEqual([
        [first, second],
        [third],
        [],
      ])
      for (const claimed of await claim()) await write(given, continuation(given, environmentId, claimed, null))
      expect(await arrivals.weigh([key])).toEqual(new Map())
    })

    test('an event for 1,000 users makes one run of each due', async () => {
      const environmentId = given.environmentId()
      const userIds = Array.from({ length: 1000 }, (_, n) => `crowd-${n}`)
      const waits = userIds.map((userId) => waitOf(given, { ...later(), userId }))
      await begin(given, environmentId, waits)
      await write(given, arrival(given, environmentId, userIds))
      const claimed = [...(await claim()), ...(await claim()), ...(await claim())]
      expect(claimed.map((one) => one.runId)).toEqual(waits.map((one) => one.runId))
    })
  })
}

/** Returns the plan of an event that may make runs of these users due. */
function arrival(given: Given, environmentId: number, userIds: string[], properties?: string): TrackPlan {
  const plan = trackPlan(given, { environmentId })
  const { event } = plan
  if (event === null) throw new Error('The plan has no event.')
  const named = { ...event, name: NAME, userId: userIds[0] ?? null, ...(properties !== undefined && { properties }) }
  return { ...plan, event: named, awaitedEvent: { eventId: event.id, name: NAME, userIds } }
}

/** Returns the plan of an event whose run begins to wait. */
function waiting(given: Given, environmentId: number, wait: ReturnType<typeof waitOf>): TrackPlan {
  const plan = trackPlan(given, { environmentId, userIds: [wait.userId] })
  return { ...plan, messages: [], runs: plan.runs.map((run) => ({ ...run, id: wait.runId })), waits: [wait] }
}
