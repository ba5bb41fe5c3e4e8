// Tests of both engines: digest windows. The commit decides which run opens a window and which join it; a closed one
// stays closed.

import { describe, expect, test } from 'vitest'
import type { DigestGate, TrackPlan } from '../../domain/plan.ts'
import { campaignOf, planWith } from './gates.suite.ts'
import { type Given, givenStore, HOUR, type OpenStores, write } from './given.ts'
import { continuation, waitOf } from './given-waits.ts'

const LEASE_MS = 60_000

export function windowsSuite(open: OpenStores): void {
  describe('windows of digests', () => {
    const given = givenStore(open)

    /** Writes events of one user in one batch; returns their runs. */
    async function digestAll(environmentId: number, options: Partial<DigestGate>[]): Promise<number[]> {
      const plans = options.map((option) => digestPlan(given, environmentId, option))
      await Promise.all(plans.map((plan) => write(given, plan)))
      return plans.map(runOf)
    }
    const countEvents = async (environmentId: number, runIds: number[]) => {
      const events = await given.stores.digests.listEvents(runIds.map((runId) => ({ environmentId, runId })))
      return runIds.map((id) => events.get(id)?.length)
    }
    const claim = async () => (await given.stores.waits.claim(given.now(), LEASE_MS, 500)).map((one) => one.runId)

    test('the first run opens a window and waits, later ones join in their order, and one after its end opens the next', async () => {
      const environmentId = given.environmentId()
      const campaignId = await campaignOf(given, environmentId)
      const [first = 0, second = 0] = await digestAll(environmentId, [{ campaignId }, { campaignId }])
      const [third = 0] = await digestAll(environmentId, [{ campaignId }])
      expect(await statesOf(given, environmentId, [first, second, third])).toEqual([null, 'digested', 'digested'])
      const events = (await given.stores.digests.listEvents([{ environmentId, runId: first }])).get(first) ?? []
      const order = await Promise.all(
        [first, second, third].map(async (id) => (await given.stores.events.findRun(environmentId, id))?.eventId),
      )
      expect(events.map((event) => event.eventId)).toEqual(order)
      const bytes = events.reduce((sum, { properties }) => sum + Buffer.byteLength(properties), 0)
      expect(await given.stores.digests.weigh([first, second].map((runId) => ({ environmentId, runId })))).toEqual(
        new Map([[first, bytes]]),
      )
      expect(await claim()).toEqual([])
      given.advance(HOUR)
      const [next = 0] = await digestAll(environmentId, [{ campaignId }])
      expect(await statesOf(given, environmentId, [next])).toEqual([null])
      expect(await countEvents(environmentId, [first, next])).toEqual([3, 1])
      expect(await claim()).toEqual([first])
    })

    test('users, environments, campaigns, versions, steps and keys have separate windows', async () => {
      const [here, there] = [given.environmentId(), given.environmentId()]
      const campaignId = await campaignOf(given, here)
      const other = await campaignOf(given, here)
      const runs = await digestAll(here, [
        { campaignId },
        { campaignId, userId: 'u2' },
        { campaignId, version: 2 },
        { campaignId, stepId: 'second' },
        { campaignId, key: 'b' },
        { campaignId: other },
      ])
      const foreign = await digestAll(there, [{ campaignId: await campaignOf(given, there) }])
      expect(await countEvents(here, runs)).toEqual(Array(6).fill(1))
      expect(await countEvents(there, foreign)).toEqual([1])
    })

    test('a full window makes its run due at once, and more events of a batch open others', async () => {
      const environmentId = given.environmentId()
      const campaignId = await campaignOf(given, environmentId)
      const option = { campaignId, max: 3 }
      const runs = await digestAll(environmentId, Array(8).fill(option))
      expect(await countEvents(environmentId, runs)).toEqual([3, 0, 0, 3, 0, 0, 2, 0])
      expect(await claim()).toEqual([runs[0], runs[3]])
      const [ninth = 0, tenth = 0] = await digestAll(environmentId, [option, option])
      expect(await countEvents(environmentId, [runs[6] ?? 0, ninth, tenth])).toEqual([3, 0, 1])
      expect(await claim()).toEqual([runs[6]])
    })

    test('a closed window accepts no event, also before its time and while its run waits; a second close changes nothing', async () => {
      const environmentId = given.environmentId()
      const campaignId = await campaignOf(given, environmentId)
      const [first = 0] = await digestAll(environmentId, [{ campaignId }, { campaignId }])
      await given.stores.digests.close([{ environmentId, runId: first }])
      const [second = 0] = await digestAll(environmentId, [{ campaignId }, { campaignId }, { campaignId }])
      await given.stores.digests.close([{ environmentId, runId: first }])
      const [third = 0] = await digestAll(environmentId, [{ campaignId }])
      expect(await countEvents(environmentId, [first, second, third])).toEqual([2, 4, 0])
    })

    test('a close in the same batch as events precedes them', async () => {
      const environmentId = given.environmentId()
      const campaignId = await campaignOf(given, environmentId)
      const [first = 0] = await digestAll(environmentId, [{ campaignId }])
      const plans = [{ campaignId }, { campaignId }].map((option) => digestPlan(given, environmentId, option))
      await Promise.all([
        ...plans.map((plan) => write(given, plan)),
        given.stores.digests.close([{ environmentId, runId: first }]),
      ])
      const counts = await countEvents(environmentId, [first, ...plans.map(runOf)])
      // Each event is in one window, and the closed window does not grow.
      expect(counts.reduce((sum: number, count) => sum + (count ?? 0), 0)).toBe(3)
      const late = digestPlan(given, environmentId, { campaignId })
      await write(given, late)
      expect((await countEvents(environmentId, [first]))[0]).toBe(counts[0])
    })

    test('a refused plan adds nothing to a window, and a cancelled run closes its window', async () => {
      const environmentId = given.environmentId()
      const campaignId = await campaignOf(given, environmentId)
      const lost = {
        ...digestPlan(given, environmentId, { campaignId }),
        completes: { environmentId, id: 1, fence: 1 },
      }
      expect(await given.stores.commit.track(lost)).toEqual({ result: 'lease-lost' })
      const [first = 0] = await digestAll(environmentId, [{ campaignId }, { campaignId }])
      expect(await countEvents(environmentId, [runOf(lost), first])).toEqual([0, 2])
      given.advance(HOUR - 1)
      await given.stores.waits.makeDue(campaignId, 'all', 0, 500, given.now())
      const due = await given.stores.waits.claim(given.now(), LEASE_MS, 500)
      const claimed = due.find((one) => one.runId === first)
      const cancelled = continuation(given, environmentId, claimed, null)
      const { continues } = cancelled
      if (continues === null) throw new Error('The plan continues no run.')
      await write(given, { ...cancelled, continues: { ...continues, state: 'cancelled' } })
      const [next = 0] = await digestAll(environmentId, [{ campaignId }])
      expect(await countEvents(environmentId, [first, next])).toEqual([2, 1])
    })

    test('an erased user leaves neither a window nor its events, and a new run opens a new window', async () => {
      const environmentId = given.environmentId()
      const campaignId = await campaignOf(given, environmentId)
      const [first = 0] = await digestAll(environmentId, [{ campaignId }, { campaignId }])
      await given.stores.users.erase(environmentId, 'u1', given.now())
      expect(await countEvents(environmentId, [first])).toEqual([0])
      const [again = 0] = await digestAll(environmentId, [{ campaignId }])
      expect(await countEvents(environmentId, [first, again])).toEqual([0, 1])
      given.advance(HOUR)
      expect(await claim()).toContain(again)
    })
  })
}

/** Returns the plan of an event whose run reaches a digest: it waits when it opens the window. */
export function digestPlan(given: Given, environmentId: number, option: Partial<DigestGate>): TrackPlan {
  const { campaignId = 0, userId = 'u1', stepId = 'gather', version = 1 } = option
  const names = { kind: 'digest' as const, campaignId, userId, stepId, version, key: '', max: 1000 }
  const closesAt = given.now() + HOUR
  const plan = planWith(given, environmentId, [{ ...names, eventBytes: 10, closesAt, ...option }])
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
