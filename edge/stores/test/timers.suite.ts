// Tests of both engines: claims of due waits take environments in turn, and claims of jobs only take known kinds.

import { describe, expect, test } from 'vitest'
import { type Given, givenStore, type OpenStores, trackPlan, write } from './given.ts'

export function timersSuite(open: OpenStores): void {
  describe('timers', () => {
    const given = givenStore(open)

    test('an environment with many and older due waits does not delay another', async () => {
      const [busy, single, third] = [given.environmentId(), given.environmentId(), given.environmentId()]
      const many = await addWaits(given, busy, 40)
      given.advance(1000)
      const [alone] = await addWaits(given, single, 1)
      const few = await addWaits(given, third, 7)
      const first = await claim(given, 10)
      // Equal shares, each with its oldest first; the rest is for the oldest of all.
      expect(first).toEqual([...many.slice(0, 6), alone, ...few.slice(0, 3)])
      const second = await claim(given, 10)
      expect(second).toEqual([...many.slice(6, 12), ...few.slice(3, 7)])
      expect(await claim(given, 100)).toEqual(many.slice(12))
      expect(await claim(given, 100)).toEqual([])
    })

    test('more environments than one claim serves take turns', async () => {
      const environments = Array.from({ length: 20 }, () => given.environmentId())
      const owners = new Map<number, number>()
      for (const environmentId of environments) {
        for (const runId of await addWaits(given, environmentId, 30)) owners.set(runId, environmentId)
      }
      const served = new Set<number | undefined>()
      for (let n = 0; n < 3; n++) for (const runId of await claim(given, 16)) served.add(owners.get(runId))
      expect(served.size).toBe(20)
      while ((await claim(given, 100)).length > 0);
    })

    test('waits that are not due or under a lease are not claimed', async () => {
      const [now, later] = [given.environmentId(), given.environmentId()]
      const coming = await addWaits(given, later, 5, given.now() + 60_000)
      const due = await addWaits(given, now, 5)
      expect(await claim(given, 3)).toEqual(due.slice(0, 3))
      expect(await claim(given, 3)).toEqual(due.slice(3))
      given.advance(60_000)
      // The leases have ended, too: of waits that were claimed before, each claim takes one.
      const again: number[] = []
      for (let some = await claim(given, 1000); some.length > 0; some = await claim(given, 1000)) again.push(...some)
      expect(again).toEqual(expect.arrayContaining([...due, ...coming]))
    })
  })

  describe('kinds of jobs', () => {
    const given = givenStore(open)

    test('a node does not claim jobs of an unknown kind, and their attempts are not counted', async () => {
      const [first, second] = [given.environmentId(), given.environmentId()]
      const newer = await addJobs(given, first, 'newer', 5)
      const known = await addJobs(given, first, 'known', 2)
      const other = await addJobs(given, second, 'known', 1)
      const { jobs } = given.stores
      const ids = async (limit: number, kinds: string[]) =>
        (await jobs.claim(given.now(), 1000, limit, kinds)).map(({ id }) => id)
      expect(await ids(2, ['known'])).toEqual([known[0], other[0]])
      expect(await ids(2, ['known'])).toEqual([known[1]])
      expect(await ids(2, ['known'])).toEqual([])
      expect(await jobs.nextDueInMs(given.now(), ['known'])).toBe(1000)
      expect(await jobs.nextDueInMs(given.now(), ['absent'])).toBeNull()
      expect(await jobs.nextDueInMs(given.now(), [])).toBeNull()
      expect(await jobs.nextDueInMs(given.now())).toBe(0)
      const found = await jobs.claim(given.now(), 1000, 100, ['known', 'newer'])
      expect(found.map(({ id, attempts }) => [id, attempts])).toEqual(newer.map((id) => [id, 1]))
    })
  })
}

/** Writes runs that wait until `dueAt`, in the order of their ids. */
async function addWaits(given: Given, environmentId: number, count: number, dueAt = given.now()): Promise<number[]> {
  const runIds = Array.from({ length: count }, () => given.id())
  const wait = { campaignId: 1, userId: 'u1', number: 1, stepId: 'pause', dueAt, awaits: null }
  const waits = runIds.map((runId) => ({ ...wait, runId, runState: '{"branches":[]}' }))
  await write(given, { ...trackPlan(given, { environmentId, userIds: ['u1'] }), waits })
  return runIds
}

async function claim(given: Given, limit: number): Promise<number[]> {
  return (await given.stores.waits.claim(given.now(), 60_000, limit)).map(({ runId }) => runId)
}

async function addJobs(given: Given, environmentId: number, kind: string, count: number): Promise<number[]> {
  const ids = Array.from({ length: count }, () => given.id())
  const times = { runAt: given.now(), createdAt: given.now() }
  const jobs = ids.map((id) => ({ id, environmentId, kind, payload: '{}', ...times }))
  await write(given, { ...trackPlan(given, { environmentId }), jobs })
  return ids
}
