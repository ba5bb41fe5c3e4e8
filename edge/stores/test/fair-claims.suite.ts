// Tests of both engines: claims take environments in turn, however many jobs each has.

import { describe, expect, test } from 'vitest'
import type { Job } from '../../domain/job.ts'
import type { TrackPlan } from '../../domain/plan.ts'
import { type Given, givenStore, type OpenStores, trackPlan, write } from './given.ts'

export function fairClaimsSuite(open: OpenStores): void {
  describe('turns', () => {
    const given = givenStore(open)

    test('an environment with many and older jobs delays no other by more than one job', async () => {
      const [a, b, c] = [given.environmentId(), given.environmentId(), given.environmentId()]
      await addJobs(given, a, 9)
      given.advance(10)
      await addJobs(given, c, 1)
      await addJobs(given, b, 3)
      const order: number[] = []
      for (let n = 0; n < 13; n++) order.push(...(await claimedEnvironments(given, 1)))
      expect(order.map((id) => 'abc'[[a, b, c].indexOf(id)]).join('')).toBe('abcababaaaaaa')
      expect(await claimedEnvironments(given, 1)).toEqual([])
    })

    test('a claim of several jobs gives each environment a turn, and the rest to the oldest job', async () => {
      const [a, b, c] = [given.environmentId(), given.environmentId(), given.environmentId()]
      const jobs = await addJobs(given, a, 6)
      given.advance(10)
      await addJobs(given, b, 1)
      await addJobs(given, c, 2)
      const first = await claim(given, 4)
      expect(first.map((job) => job.environmentId)).toEqual([a, b, c, a])
      expect(first.filter((job) => job.environmentId === a).map(({ id }) => id)).toEqual(jobs.slice(0, 2))
      expect(await claimedEnvironments(given, 4)).toEqual([a, c, a, a])
      expect(await claimedEnvironments(given, 4)).toEqual([a])
    })

    test('jobs for a later time do not count, however many there are', async () => {
      const [a, b] = [given.environmentId(), given.environmentId()]
      await addJobs(given, a, 40, given.now() + 60_000)
      const [due] = await addJobs(given, a, 1)
      await addJobs(given, b, 2)
      expect((await claim(given, 2)).map(({ id }) => id)).toContain(due)
      expect(await claimedEnvironments(given, 2)).toEqual([b])
      given.advance(60_000)
      expect(await claimedEnvironments(given, 100)).toHaveLength(40)
    })
  })
}

async function addJobs(given: Given, environmentId: number, count: number, runAt = given.now()): Promise<number[]> {
  const ids = Array.from({ length: count }, () => given.id())
  const createdAt = given.now()
  const jobs = ids.map((id) => ({ id, environmentId, kind: 'example', payload: '{}', runAt, createdAt }))
  const plan: TrackPlan = { ...trackPlan(given, { environmentId }), jobs }
  await write(given, plan)
  return ids
}

/** Claims and completes jobs; returns them in the order of the claim. */
async function claim(given: Given, limit: number): Promise<Job[]> {
  const jobs = await given.stores.jobs.claim(given.now(), 60_000, limit, ['example'])
  await Promise.all(jobs.map((job) => given.stores.jobs.complete(job)))
  return jobs
}
/** Claims and completes jobs; returns their environments. */
const claimedEnvironments = async (given: Given, limit: number) =>
  (await claim(given, limit)).map((job) => job.environmentId)
