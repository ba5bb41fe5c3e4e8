// Tests the worker on a real job store; its pauses are times of the store, and the test moves the clock.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Job } from '../domain/job.ts'
import type { TrackPlan } from '../domain/plan.ts'
import type { Stores } from '../domain/stores.ts'
import { ApiError } from '../lib/api-error.ts'
import { createLog } from '../lib/log.ts'
import { type EngineStores, givenStores } from '../test/support/engine-stores.ts'
import { createWorker, type JobHandler, type Worker, type WorkerOptions } from './worker.ts'

const START = Date.UTC(2026, 5, 1)
const clock = { at: START, now: () => clock.at }
let opened: EngineStores
let stores: Stores
let worker: Worker | undefined
let lines: string[] = []

beforeEach(async () => {
  clock.at = START
  lines = []
  opened = await givenStores(clock)
  stores = opened.stores
})
afterEach(async () => {
  await worker?.stop()
  worker = undefined
  await opened.close()
})

function start(handlers: Record<string, JobHandler>, options: WorkerOptions = {}): Worker {
  const log = createLog('debug', (line) => lines.push(line))
  const { jobs, leases } = stores
  worker = createWorker({ jobs, leases, handlers, evaluating: ['note'], clock, log, ...options })
  worker.start()
  return worker
}

let lastId = 100
/** Writes jobs as a plan does. @returns Their ids. */
async function given(kind: string, count = 1, runAt = clock.at): Promise<number[]> {
  const ids = Array.from({ length: count }, () => ++lastId)
  const plan: TrackPlan = {
    kind: 'track',
    environmentId: 1,
    secretId: null,
    now: clock.at,
    event: null,
    idempotency: null,
    profile: null,
    runs: [],
    messages: [],
    jobs: ids.map((id) => ({ id, environmentId: 1, kind, payload: `{"n":${id}}`, runAt, createdAt: clock.at })),
    waits: [],
    completes: null,
    continues: null,
  }
  await stores.commit.track(plan)
  return ids
}

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 5 })
const untilIdle = () => until(async () => expect(await stores.jobs.nextDueInMs(clock.at)).toBeNull())

test('jobs that are due run in order and are completed', async () => {
  const ids = await given('note', 10)
  const ran: number[] = []
  start(
    {
      note: async (job) => {
        ran.push(job.id)
        return 'complete'
      },
    },
    { concurrency: 2 },
  )
  await untilIdle()
  expect(ran).toEqual(ids)
})

test('a poll makes the worker claim at once', async () => {
  const ran: number[] = []
  const polled = start({
    note: async (job) => {
      ran.push(job.id)
      return 'complete'
    },
  })
  const [id] = await given('note')
  polled.poll()
  await untilIdle()
  expect(ran).toEqual([id])
})

test('no more jobs run at a time than the concurrency allows', async () => {
  await given('note', 12)
  let running = 0
  let most = 0
  start(
    {
      note: async () => {
        most = Math.max(most, ++running)
        for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate)
        running--
        return 'complete'
      },
    },
    { concurrency: 3 },
  )
  await untilIdle()
  expect(most).toBe(3)
})

test('a job that its own plan completes is not touched again', async () => {
  const [id] = await given('note')
  const ran: Job[] = []
  start({
    note: async (job) => {
      ran.push(job)
      const plan = { kind: 'track', environmentId: 1, secretId: null, now: clock.at, event: null } as const
      const nothing = { idempotency: null, profile: null, runs: [], messages: [], jobs: [] }
      await stores.commit.track({
        ...plan,
        ...nothing,
        waits: [],
        completes: { environmentId: 1, id: job.id, fence: job.fence },
        continues: null,
      })
      return undefined
    },
  })
  await untilIdle()
  expect(ran.map((job) => job.id)).toEqual([id])
})

test('a job that fails is retried after growing pauses, and is dead after its last attempt', async () => {
  await given('note')
  const attempts: number[] = []
  const failing = start(
    {
      note: async (job) => {
        attempts.push(job.attempts)
        throw new Error('out of order')
      },
    },
    { maxAttempts: 3 },
  )
  await until(async () => expect(await stores.jobs.nextDueInMs(clock.at)).toBe(1000))
  clock.at = START + 1000
  failing.poll()
  await until(async () => expect(await stores.jobs.nextDueInMs(clock.at)).toBe(2000))
  clock.at = START + 3000
  failing.poll()
  await untilIdle()
  expect(attempts).toEqual([1, 2, 3])
  expect(lines.filter((line) => line.includes('job dead'))).toHaveLength(1)
})

test('a store that is unavailable for longer than all attempts leaves no job dead', async () => {
  await given('note')
  const attempts: number[] = []
  let isUnavailable = true
  const waiting = start(
    {
      note: async (job) => {
        attempts.push(job.attempts)
        if (isUnavailable) throw new ApiError('service/unavailable')
        return 'complete'
      },
    },
    { maxAttempts: 2 },
  )
  for (const last of [false, false, true]) {
    await until(async () => expect(await stores.jobs.nextDueInMs(clock.at)).toBe(1000))
    clock.at += 1000
    isUnavailable = !last
    waiting.poll()
  }
  await untilIdle()
  expect(attempts).toEqual([1, 1, 1, 1])
  expect(lines.filter((line) => line.includes('job dead'))).toEqual([])
})

test('a job of a kind without a handler is not claimed and keeps its attempts, for a node that has the handler', async () => {
  const [newer] = await given('of-a-newer-version')
  const ran: number[] = []
  const known = await given('note', 3)
  start({
    note: async (job) => {
      ran.push(job.id)
      return 'complete'
    },
  })
  await until(() => expect(ran).toEqual(known))
  await until(async () => expect(await stores.jobs.nextDueInMs(clock.at, ['note'])).toBeNull())
  const left = await stores.jobs.claim(clock.at, 1000, 10, ['note', 'of-a-newer-version'])
  expect(left.map(({ id, attempts }) => [id, attempts])).toEqual([[newer, 1]])
  expect(lines.join('')).not.toContain('of-a-newer-version')
})

test('a stop waits for running jobs and begins no more', async () => {
  await given('note', 2)
  const ran: number[] = []
  let finish = () => {}
  const stopping = start(
    {
      note: (job) =>
        new Promise((resolve) => {
          ran.push(job.id)
          finish = () => resolve('complete')
        }),
    },
    { concurrency: 1 },
  )
  await until(() => expect(ran).toHaveLength(1))
  let isStopped = false
  const stopped = stopping.stop().then(() => {
    isStopped = true
  })
  await new Promise(setImmediate)
  expect(isStopped).toBe(false)
  finish()
  await stopped
  expect(ran).toHaveLength(1)
  const left = await stores.jobs.claim(clock.at, 1000, 10, ['note'])
  expect(left).toHaveLength(1)
})

test('a job that takes many times its lease stays with its worker', async () => {
  const leaseMs = 250
  await given('note')
  let finish = () => {}
  const long = start(
    {
      note: () =>
        new Promise((resolve) => {
          finish = () => resolve('complete')
        }),
    },
    { leaseMs },
  )
  const nextInMs = () => stores.jobs.nextDueInMs(clock.at)
  await until(async () => expect(await nextInMs()).toBe(leaseMs))
  for (let renewal = 0; renewal < 3; renewal++) {
    clock.at += 200
    await until(async () => expect(await nextInMs()).toBe(leaseMs))
  }
  expect(await stores.jobs.claim(clock.at, leaseMs, 1, ['note'])).toEqual([])
  finish()
  await long.stop()
  expect(await nextInMs()).toBeNull()
})

test('a job that was interrupted runs alone, if its kind evaluates; other work goes on after it', async () => {
  const ids = await given('note', 3)
  const [first = 0] = ids
  const claimed = await stores.jobs.claim(clock.at, 1000, 1, ['note'])
  expect(claimed.map(({ id }) => id)).toEqual([first])
  clock.at += 1000
  const order: string[] = []
  start({
    note: async ({ id }) => {
      order.push(`begin ${id}`)
      for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate)
      order.push(`end ${id}`)
      return 'complete'
    },
  })
  await untilIdle()
  const [, second, third] = ids
  expect(order).toEqual([
    ...[`begin ${second}`, `begin ${third}`, `end ${second}`, `end ${third}`],
    ...[`begin ${first}`, `end ${first}`],
  ])
})

test.each([
  ['with which the process ended twice', 2, 0, 'the process ended twice while this was handled'],
  ['whose attempts were all interrupted', 0, 10, 'none of 10 attempts came to an end'],
])('a job %s is dead without being run', async (_, crashes, interrupted, error) => {
  const [id = 0] = await given('note')
  for (let n = 0; n < interrupted; n++) {
    await stores.jobs.claim(clock.at, 1000, 1, ['note'])
    clock.at += 1000
  }
  for (let n = 0; n < crashes; n++)
    await stores.givenUps.recordCrashes([{ kind: 'job', environmentId: 1, id }], clock.at)
  let runs = 0
  start({
    note: async () => {
      runs++
      return 'complete'
    },
  })
  await untilIdle()
  expect(runs).toBe(0)
  expect(await stores.givenUps.list(1, 10)).toMatchObject([{ kind: 'job', id, reason: error }])
  expect(lines.filter((line) => line.includes('job dead'))).toHaveLength(1)
})
