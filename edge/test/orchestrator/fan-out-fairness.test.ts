// Tests fair scheduling of two environments' fan-outs on either engine: the order of claims, chunk by chunk.

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { NewJob } from '../../domain/job.ts'
import type { Stores } from '../../domain/stores.ts'
import { createWorker } from '../../jobs/worker.ts'
import { createLog } from '../../lib/log.ts'
import { type EngineStores, givenStores } from '../support/engine-stores.ts'
import { planOf } from '../support/track-plan.ts'

// In the past: PostgreSQL claims by its own clock, for which all of this must be due.
const clock = { at: Date.now() - 60_000, now: () => clock.at }
let given: EngineStores
let stores: Stores

beforeAll(async () => {
  given = await givenStores(clock)
  stores = given.stores
})
afterAll(() => given.close())

let lastId = 1000
const next = () => ++lastId
const ids = { event: { next }, run: { next }, message: { next } }
/** Continuation of a job without an event or runs. */
const emptyPlan = (environmentId: number) => ({
  ...planOf(ids, environmentId, clock.at, 'u', 0, {}),
  event: null,
  runs: [],
})
function job(environmentId: number, remaining: number): NewJob {
  const id = next()
  return {
    id,
    environmentId,
    kind: 'chunk',
    payload: JSON.stringify({ remaining }),
    runAt: clock.at,
    createdAt: clock.at,
  }
}

test("a fan-out of one environment waits for one chunk of another environment's fan-outs, not for all of them", async () => {
  const [first, other] = [1, 2]
  const plan = (environmentId: number, jobs: NewJob[]) => stores.commit.track({ ...emptyPlan(environmentId), jobs })
  await plan(
    first,
    Array.from({ length: 5 }, () => job(first, 20)),
  )
  clock.at += 1000
  await plan(other, [job(other, 4)])

  const order: number[] = []
  const worker = createWorker({
    evaluating: [],
    jobs: stores.jobs,
    leases: stores.leases,
    // A chunk completes its job and writes the next one in one transaction, like the fan-out.
    handlers: {
      chunk: async ({ id, fence, environmentId, payload }) => {
        order.push(environmentId)
        const { remaining } = JSON.parse(payload) as { remaining: number }
        const jobs = remaining > 1 ? [job(environmentId, remaining - 1)] : []
        await stores.commit.track({
          ...emptyPlan(environmentId),
          jobs,
          completes: { environmentId, id, fence },
        })
        return undefined
      },
    },
    clock,
    log: createLog('error', () => {}),
    concurrency: 1,
  })
  worker.start()
  await vi.waitFor(() => expect(order).toHaveLength(5 * 20 + 4), { timeout: 60_000, interval: 10 })
  await worker.stop()
  const positions = order.flatMap((environmentId, position) => (environmentId === other ? [position] : []))
  expect(positions).toEqual([1, 3, 5, 7])
})
