// Tests of both engines: digest windows. The commit decides which run opens a window and which join it; a closed one
// stays closed.

import { describe, expect, test } from 'vitest'
import type { DigestGate, TrackPlan } from '../../domain/plan.ts'
import { campaignOf, planWith } from './gates.suite.ts'
import { type Given, givenStore, HOUR, type OpenStores, write } from './given.ts'
import { continuation, waitOf } from './waits.suite.ts'

const LEASE_MS = 60_000

export function windowsSuite(open: OpenStores): void {
  describe('windows of digests', () => {
    const given = givenStore(open)

    /** Events of one user come, all in one batch; answers their runs. */
    async function come(environmentId: number, wishes: Partial<DigestGate>[]): Promise<number[]> {
      const plans = wishes.map((wish) => digesting(given, environmentId, wish))
      await Promise.all(plans.map((plan) => write(given, plan)))
      return plans.map(runOf)
    }
    const gathered = async (runIds: number[]) => {
      const events = await given.stores.digests.listEvents(runIds)
      return runIds.map((id) => events.get(id)?.length)
    }
    const claim = async () => (await given.stores.waits.claim(given.now(), LEASE_MS, 500)).map((one) => one.runId)

    test('the first opens a window and waits, later ones join in their order, and one behind its end opens the next', async () => {
      const environmentId = given.environmentId()
      const campaignId = await campaignOf(given, environmentId)
      const [first = 0, second = 0] = await come(environmentId, [{ campaignId }, { campaignId }])
      const [third = 0] = await come(environmentId, [{ campaignId }])
      expect(await statesOf(given, environmentId, [first, second, third])).toEqual([null, 'digested', 'digested'])
      const events = (await given.stores.digests.listEvents([first])).get(first) ?? []
      const order = await Promise.all(
        [first, second, third].map(async (id) => (await given.stores.events.findRun(environmentId, id))?.eventId),
      )
      expect(events.map((event) => event.eventId)).toEqual(order)
      expect(await claim()).toEqual([])
      given.advance(HOUR)
      const [next = 0] = await come(environmentId, [{ campaignId }])
      expect(await statesOf(given, environmentId, [next])).toEqual([null])
      expect(await gathered([first, next])).toEqual([3, 1])
      expect(await claim()).toEqual([first])
    })

    test('users, environments, campaigns, versions, steps and keys have windows of their own', async () => {
      const [here, there] = [given.environmentId(), given.environmentId()]
      const campaignId = await campaignOf(given, here)
      const other = await campaignOf(given, here)
      const runs = await come(here, [
        { campaignId },
        { campaignId, userId: 'u2' },
        { campaignId, version: 2 },
        { campaignId, stepId: 'second' },
        { campaignId, key: 'b' },
        { campaignId: other },
      ])
      const foreign = await come(there, [{ campaignId: await campaignOf(given, there) }])
      expect(await gathered([...runs, ...foreign])).toEqual(Array(7).fill(1))
    })

    test('a window that is full makes its run due at once, and what a batch brings beyond it fills others', async () => {
      const environmentId = given.environmentId()
      const campaignId = await campaignOf(given, environmentId)
      const wish = { campaignId, max: 3 }
      const runs = await come(environmentId, Array(8).fill(wish))
      expect(await gathered(runs)).toEqual([3, 0, 0, 3, 0, 0, 2, 0])
      expect(await claim()).toEqual([runs[0], runs[3]])
      const [ninth = 0, tenth = 0] = await come(environmentId, [wish, wish])
      expect(await gathered([runs[6] ?? 0, ninth, tenth])).toEqual([3, 0, 1])
      expect(await claim()).toEqual([runs[6]])
    })

    test('a closed window is joined by nobody, before its time and though its run waits on; closing it again changes nothing', async () => {
      const environmentId = given.environmentId()
      const campaignId = await campaignOf(given, environmentId)
      const [first = 0] = await come(environmentId, [{ campaignId }, { campaignId }])
      await given.stores.digests.close([first])
      const [second = 0] = await come(environmentId, [{ campaignId }, { campaignId }, { campaignId }])
      await given.stores.digests.close([first])
      const [third = 0] = await come(environmentId, [{ campaignId }])
      expect(await gathered([first, second, third])).toEqual([2, 4, 0])
    })

    test('whoever closes while others come: in one batch the closing is before them', async () => {
      const environmentId = given.environmentId()
      const campaignId = await campaignOf(given, environmentId)
      const [first = 0] = await come(environmentId, [{ campaignId }])
      const plans = [{ campaignId }, { campaignId }].map((wish) => digesting(given, environmentId, wish))
      await Promise.all([...plans.map((plan) => write(given, plan)), given.stores.digests.close([first])])
      const counts = await gathered([first, ...plans.map(runOf)])
      // Each event is in one window, and the closed one has what it had when it was read.
      expect(counts.reduce((sum: number, count) => sum + (count ?? 0), 0)).toBe(3)
      const late = digesting(given, environmentId, { campaignId })
      await write(given, late)
      expect((await gathered([first]))[0]).toBe(counts[0])
    })

    test('a plan that is refused leaves nothing in a window, and a run that is stopped closes its own', async () => {
      const environmentId = given.environmentId()
      const campaignId = await campaignOf(given, environmentId)
      const lost = { ...digesting(given, environmentId, { campaignId }), completes: { id: 1, fence: 1 } }
      expect(await given.stores.commit.track(lost)).toEqual({ result: 'lease-lost' })
      const [first = 0] = await come(environmentId, [{ campaignId }, { campaignId }])
      expect(await gathered([runOf(lost), first])).toEqual([0, 2])
      given.advance(HOUR - 1)
      await given.stores.waits.makeDue(campaignId, 'all', 0, 500, given.now())
      const due = await given.stores.waits.claim(given.now(), LEASE_MS, 500)
      const claimed = due.find((one) => one.runId === first)
      const cancelled = continuation(given, environmentId, claimed, null)
      const { continues } = cancelled
      if (continues === null) throw new Error('It carries nothing on.')
      await write(given, { ...cancelled, continues: { ...continues, state: 'cancelled' } })
      const [next = 0] = await come(environmentId, [{ campaignId }])
      expect(await gathered([first, next])).toEqual([2, 1])
    })

    test('an erased user leaves neither window nor events gathered, and comes back to a new one', async () => {
      const environmentId = given.environmentId()
      const campaignId = await campaignOf(given, environmentId)
      const [first = 0] = await come(environmentId, [{ campaignId }, { campaignId }])
      await given.stores.users.erase(environmentId, 'u1', given.now())
      expect(await gathered([first])).toEqual([0])
      const [again = 0] = await come(environmentId, [{ campaignId }])
      expect(await gathered([first, again])).toEqual([0, 1])
      given.advance(HOUR)
      expect(await claim()).toContain(again)
    })
  })
}

/** An event whose run comes to a digest: past it, it waits. */
export function digesting(given: Given, environmentId: number, wish: Partial<DigestGate>): TrackPlan {
  const { campaignId = 0, userId = 'u1', stepId = 'gather', version = 1 } = wish
  const names = { kind: 'digest' as const, campaignId, userId, stepId, version, key: '', max: 1000 }
  const closesAt = given.now() + HOUR
  const plan = planWith(given, environmentId, [{ ...names, eventBytes: 10, closesAt, ...wish }])
  const runs = plan.runs.map((run) => ({ ...run, userId, version, state: 'waiting' as const, endedAt: null }))
  const wait = waitOf(given, { runId: runOf(plan), campaignId, userId, stepId, dueAt: closesAt })
  const event = plan.event && { ...plan.event, userId }
  const gates = plan.gates?.map((gate) => {
    return { ...gate, otherwise: { run: { ...gate.otherwise.run, userId, version }, messages: [] } }
  })
  return { ...plan, event, runs, messages: [], waits: [wait], ...(gates === undefined ? {} : { gates }) }
}

export function runOf(plan: TrackPlan): number {
  return plan.runs[0]?.id ?? 0
}

async function statesOf(given: Given, environmentId: number, runIds: number[]) {
  const runs = await Promise.all(runIds.map((id) => given.stores.events.findRun(environmentId, id)))
  return runs.map((run) => run?.stateReason)
}
