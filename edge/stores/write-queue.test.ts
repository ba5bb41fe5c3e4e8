// Tests the write queue: when batches are sent, how environments take turns, and what is refused.

import { describe, expect, test } from 'vitest'
import type { InboxPlan } from '../domain/plan.ts'
import type { Batch, BatchResult } from './sql/commit/run-batch.ts'
import { createWriteQueue, type QueueLimits } from './write-queue.ts'

const OUTCOME = { found: [], changed: 0, pushes: [] }

function givenQueue(limits: Partial<QueueLimits> = {}) {
  const sent: Batch[] = []
  const queue = createWriteQueue({ clock: { now: () => 5 }, send: (batch) => sent.push(batch), limits })
  return { sent, queue, settle: (index: number) => queue.settle(resultOf(sent[index])) }
}

function plan(environmentId: number, userNo = 1): InboxPlan {
  return { kind: 'change', environmentId, userNo, now: 0, items: [], readAllUpTo: null }
}

function resultOf(batch: Batch | undefined): BatchResult {
  const settled = (pieces: unknown[] = []) => pieces.map(() => ({ value: OUTCOME }))
  return { plans: settled(batch?.plans), writes: settled(batch?.writes) }
}

const nextLoopTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

describe('write queue', () => {
  test('plans and writes of one event-loop turn are one batch', async () => {
    const { sent, queue, settle } = givenQueue()
    const answers = [queue.commit(plan(1)), queue.commit(plan(1)), queue.write({ name: 'retireSecret', args: [1, 2] })]
    expect(sent).toHaveLength(0)
    await nextLoopTurn()
    expect(sent).toMatchObject([
      { plans: [{ environmentId: 1 }, { environmentId: 1 }], writes: [{ name: 'retireSecret' }], now: 5 },
    ])
    settle(0)
    expect(await Promise.all(answers)).toEqual([OUTCOME, OUTCOME, OUTCOME])
  })

  test('plans collect while the writer is busy, and a full batch is sent at once', async () => {
    const { sent, queue, settle } = givenQueue({ batchPlans: 3, gatherMs: 60_000 })
    void queue.commit(plan(1))
    await nextLoopTurn()
    for (let index = 0; index < 2; index++) void queue.commit(plan(1))
    await nextLoopTurn()
    expect(sent).toHaveLength(1)
    void queue.commit(plan(1))
    expect(sent.map((batch) => batch.plans.length)).toEqual([1, 3])
    for (let index = 0; index < 4; index++) void queue.commit(plan(1))
    expect(sent).toHaveLength(2) // two are sent: the third waits for the writer, even when it is full
    settle(0)
    expect(sent.map((batch) => batch.plans.length)).toEqual([1, 3, 3])
  })

  test('a few plans are sent to a busy writer after `gatherMs`', async () => {
    const { sent, queue } = givenQueue({ gatherMs: 1 })
    void queue.commit(plan(1))
    await nextLoopTurn()
    void queue.commit(plan(1))
    await expect.poll(() => sent.length).toBe(2)
  })

  test('with one batch at a time, the next one contains all plans until then, and is sent before results are delivered', async () => {
    const { sent, queue, settle } = givenQueue({ batchesUnderWay: 1, gatherMs: 0, batchPlans: 3 })
    const log: string[] = []
    const first = queue.commit(plan(1)).then(() => log.push(`result after ${sent.length} batches`))
    await nextLoopTurn()
    for (let index = 0; index < 4; index++) void queue.commit(plan(1))
    await nextLoopTurn()
    expect(sent).toHaveLength(1)
    settle(0)
    expect(sent.map((batch) => batch.plans.length)).toEqual([1, 3])
    await first
    expect(log).toEqual(['result after 2 batches'])
    settle(1)
    expect(sent.map((batch) => batch.plans.length)).toEqual([1, 3, 1])
  })

  test('environments take turns, and each keeps its order', async () => {
    const { sent, queue, settle } = givenQueue({ batchPlans: 4 })
    for (let userNo = 0; userNo < 6; userNo++) void queue.commit(plan(1, userNo))
    void queue.commit(plan(2, 0))
    void queue.commit(plan(2, 1))
    await nextLoopTurn()
    settle(0)
    await nextLoopTurn()
    const order = sent.map((batch) =>
      batch.plans.map((one) => one.kind === 'change' && [one.environmentId, one.userNo]),
    )
    expect(order).toEqual([
      [
        [1, 0],
        [2, 0],
        [1, 1],
        [2, 1],
      ],
      [
        [1, 2],
        [1, 3],
        [1, 4],
        [1, 5],
      ],
    ])
  })

  test('a plan with many messages uses as many turns and as much of a batch', async () => {
    const { sent, queue, settle } = givenQueue({ batchPlans: 8 })
    const large = (userNo: number): InboxPlan => ({
      ...plan(1, userNo),
      items: Array.from({ length: 5 }, () => ({ messageId: 1, actions: [] })),
    })
    for (let userNo = 0; userNo < 3; userNo++) void queue.commit(large(userNo))
    for (let userNo = 0; userNo < 4; userNo++) void queue.commit(plan(2, userNo))
    await nextLoopTurn()
    settle(0)
    settle(1)
    expect(sent.map(({ plans }) => plans.map((one) => one.environmentId))).toEqual([
      [1, 2, 2, 2],
      [1, 2, 1],
    ])
  })

  test('a batch is limited by its bytes', async () => {
    const { sent, queue } = givenQueue({ batchBytes: 500 })
    for (let index = 0; index < 4; index++) void queue.commit(plan(1)) // 200 bytes each
    await expect.poll(() => sent.map((batch) => batch.plans.length)).toEqual([3, 1])
  })

  test('a full queue refuses at once, and accepts again when it has space', async () => {
    const { queue, settle } = givenQueue({ keptPlans: 2 })
    const first = queue.commit(plan(1))
    void queue.commit(plan(1))
    await expect(queue.commit(plan(1))).rejects.toMatchObject({
      code: 'service/unavailable',
      extra: { retryAfterSeconds: 1 },
    })
    expect(queue.backlog()).toMatchObject({ plans: 2 })
    await nextLoopTurn()
    settle(0)
    await first
    expect(queue.backlog()).toEqual({ plans: 0, oldestMs: 0 })
    void queue.commit(plan(1))
  })

  test('after the end of the writer, all waiting and later work fails', async () => {
    const { queue } = givenQueue()
    const underWay = queue.commit(plan(1))
    await nextLoopTurn()
    const waiting = [queue.commit(plan(1)), queue.write({ name: 'retireSecret', args: [] })]
    const settled = Promise.allSettled([underWay, ...waiting])
    queue.fail(new Error('gone'))
    expect((await settled).map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected'])
    await expect(queue.commit(plan(1))).rejects.toMatchObject({ code: 'service/unavailable' })
    expect(() => queue.check()).toThrow()
    await queue.drained()
  })

  test('work that cannot be sent fails, and blocks no other work', async () => {
    const sent: Batch[] = []
    const send = (batch: Batch) => void sent.push(structuredClone(batch))
    const queue = createWriteQueue({ clock: { now: () => 5 }, send })
    await expect(queue.write({ name: 'retireSecret', args: [() => 1] })).rejects.toThrow(/could not be cloned/)
    const next = queue.commit(plan(1))
    await nextLoopTurn()
    queue.settle(resultOf(sent[0]))
    expect(await next).toEqual(OUTCOME)
  })

  test('the queue is drained when the last result has arrived', async () => {
    const { queue, settle } = givenQueue()
    void queue.commit(plan(1))
    let drained = false
    const done = queue.drained().then(() => {
      drained = true
    })
    await nextLoopTurn()
    expect(drained).toBe(false)
    settle(0)
    await done
  })
})
