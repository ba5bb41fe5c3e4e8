// Tests of both engines: jobs, their leases and their completion.

import { describe, expect, test } from 'vitest'
import { givenStore, HOUR, type OpenStores, trackPlan, write } from './given.ts'

const KINDS = ['fan-out', 'k']

export function jobsSuite(open: OpenStores): void {
  describe('jobs', () => {
    const given = givenStore(open)

    test('a job is claimed once under its lease, and a lost lease writes nothing', async () => {
      const environmentId = given.environmentId()
      const { jobs, commit } = given.stores
      const job = {
        id: given.id(),
        environmentId,
        kind: 'fan-out',
        payload: '{}',
        runAt: given.now(),
        createdAt: given.now(),
      }
      await write(given, {
        ...trackPlan(given, { environmentId }),
        jobs: [job, { ...job, id: given.id(), runAt: given.now() + HOUR }],
      })
      expect(await jobs.nextDueInMs(given.now())).toBe(0)
      const [first] = await jobs.claim(given.now(), 1000, 10, KINDS)
      expect(first).toMatchObject({ id: job.id, kind: 'fan-out', attempts: 1 })
      expect(await jobs.claim(given.now(), 1000, 10, KINDS)).toEqual([])
      given.advance(1000)
      const [second] = await jobs.claim(given.now(), 1000, 10, KINDS)
      expect(second).toMatchObject({ id: job.id, attempts: 2 })
      const continuation = (fence: number) => ({
        ...trackPlan(given, { environmentId, userIds: ['late'] }),
        event: null,
        completes: { environmentId, id: job.id, fence },
      })
      expect(await commit.track(continuation(first?.fence ?? 0))).toEqual({ result: 'lease-lost' })
      const both = [continuation(second?.fence ?? 0), continuation(second?.fence ?? 0)]
      const outcomes = await Promise.all(both.map((plan) => commit.track(plan)))
      expect(outcomes.map((outcome) => outcome.result)).toEqual(['written', 'lease-lost'])
      expect(await jobs.nextDueInMs(given.now())).toBe(HOUR - 1000)
    })

    test('a failed job is due again at its retry time, and a dead one never', async () => {
      const { jobs } = given.stores
      given.advance(10 * HOUR)
      for (const job of await jobs.claim(given.now(), 1000, 100, KINDS)) await jobs.complete(job)
      const environmentId = given.environmentId()
      const job = {
        id: given.id(),
        environmentId,
        kind: 'k',
        payload: '{}',
        runAt: given.now(),
        createdAt: given.now(),
      }
      await write(given, { ...trackPlan(given, { environmentId }), jobs: [job] })
      const [claimed] = await jobs.claim(given.now(), 1000, 1, KINDS)
      await jobs.fail(
        { environmentId, id: job.id, fence: claimed?.fence ?? 0 },
        { error: 'broken', now: given.now(), retryAt: given.now() + 50, isCounted: true },
      )
      expect(await jobs.nextDueInMs(given.now())).toBe(50)
      given.advance(50)
      const [again] = await jobs.claim(given.now(), 1000, 1, KINDS)
      await jobs.complete({ environmentId, id: job.id, fence: claimed?.fence ?? 0 })
      await jobs.fail(
        { environmentId, id: job.id, fence: again?.fence ?? 0 },
        { error: 'broken', now: given.now(), retryAt: null, isCounted: true },
      )
      expect(await jobs.nextDueInMs(given.now())).toBeNull()
    })

    test('a renewed claim remains valid, and an expired one is not renewed', async () => {
      const environmentId = given.environmentId()
      const { jobs, leases } = given.stores
      const times = { runAt: given.now(), createdAt: given.now() }
      const job = { id: given.id(), environmentId, kind: 'k', payload: '{}', ...times }
      await write(given, { ...trackPlan(given, { environmentId }), jobs: [job] })
      const [first] = await jobs.claim(given.now(), 1000, 1, KINDS)
      const claim = { environmentId, id: job.id, fence: first?.fence ?? 0 }
      for (let renewal = 0; renewal < 3; renewal++) {
        given.advance(800)
        await leases.renewJobs([claim], given.now(), 1000)
        expect(await jobs.nextDueInMs(given.now())).toBe(1000)
      }
      given.advance(999)
      expect(await jobs.claim(given.now(), 1000, 1, KINDS)).toEqual([])
      given.advance(1)
      const [second] = await jobs.claim(given.now(), 1000, 1, KINDS)
      expect(second).toMatchObject({ id: job.id, attempts: 2 })
      given.advance(500)
      await leases.renewJobs([claim], given.now(), 1000)
      expect(await jobs.nextDueInMs(given.now())).toBe(500)
      // A dead job stays dead.
      await jobs.fail(
        { environmentId, id: job.id, fence: second?.fence ?? 0 },
        { error: 'broken', now: given.now(), retryAt: null, isCounted: true },
      )
      await leases.renewJobs([{ environmentId, id: job.id, fence: (second?.fence ?? 0) + 1 }], given.now(), 1000)
      expect(await jobs.nextDueInMs(given.now())).toBeNull()
    })
  })
}
