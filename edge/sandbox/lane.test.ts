// Tests that a task ends at most its own process, is tried again without what ended it, and delays its neighbours fairly.

import { afterEach, expect, test } from 'vitest'
import { startProcess, threadUrl } from '../lib/thread.ts'
import { createLane, type Lane } from './lane.ts'
import type { SentAnswer, SentTask } from './tasks.ts'
import type { LaneTask } from './test/lane-process.ts'

const PROGRAM = threadUrl(import.meta.url, 'test/lane-process')
let lane: Lane
let ends: string[]
afterEach(() => lane.close())

function open(): Lane {
  ends = []
  lane = createLane({
    start: () => startProcess(PROGRAM, ['--max-old-space-size=32']),
    priority: 0,
    endsIdle: false,
    onEnd: (reason) => ends.push(reason),
  })
  return lane
}

const HOLDS = { does: 'holds' as const, refused: [], isTraced: false }
let number = 0
function run(input: LaneTask, tenantId = 1): Promise<SentAnswer | string> {
  const task: SentTask = { ...HOLDS, input: { condition: JSON.stringify(input), scopes: [] }, now: ++number }
  return new Promise((settle) => lane.add({ tenantId, task, ends: 0, isAlone: false, settle, giveUp: settle }))
}
const answered = expect.objectContaining({ is: 'done', output: expect.any(Number) })
const refused = expect.objectContaining({ is: 'done', output: 'refused' })

test('answers come in the order of the tasks of a tenant', async () => {
  open()
  const answers = await Promise.all(Array.from({ length: 200 }, () => run({ first: 'answer' })))
  const outputs = answers.map((answer) => (typeof answer === 'string' ? 0 : answer.is === 'done' && answer.output))
  expect(outputs).toEqual([...outputs].sort((one, other) => Number(one) - Number(other)))
  expect(ends).toEqual([])
})

test('a task that fails is answered with its error', async () => {
  open()
  expect(await run({ first: 'fail' })).toMatchObject({ is: 'failed', error: { message: 'the task failed' } })
})

test.each([
  ['ends the process', 'abort', /SIGABRT/],
  ['takes all of the heap', 'fill-heap', /ended by itself/],
  ['takes too much time', 'spin', /took too long/],
  ['takes memory beside the heap', 'fill-memory', /took too much memory/],
] as const)('a task that %s is refused what did it, and its neighbours are answered', async (_, first, reason) => {
  open()
  const before = Array.from({ length: 5 }, () => run({ first: 'answer' }))
  const culprit = run({ first })
  const after = Array.from({ length: 5 }, (_, at) => run({ first: 'answer' }, at % 2))
  expect(await Promise.all(before)).toEqual(before.map(() => answered))
  expect(await culprit).toEqual(refused)
  expect(await Promise.all(after)).toEqual(after.map(() => answered))
  // Once among its neighbours, and once alone.
  expect(ends).toEqual([expect.stringMatching(reason), expect.stringMatching(reason)])
})

test('what others kill is no verdict about its task', async () => {
  open()
  const killed = new Promise<[string, boolean]>((resolve) => {
    const task: SentTask = { ...HOLDS, input: { condition: JSON.stringify({ first: 'kill' }), scopes: [] }, now: 0 }
    const giveUp = (reason: string, isOurs: boolean) => resolve([reason, isOurs])
    lane.add({ tenantId: 1, task, ends: 0, isAlone: false, settle: () => {}, giveUp })
  })
  const neighbour = run({ first: 'answer' })
  expect(await killed).toEqual(['ended by itself (SIGKILL)', false])
  expect(await neighbour).toEqual(answered)
})

test('a quick tenant does not wait for all tasks of a slow one', async () => {
  open()
  await run({ first: 'answer' })
  const order: string[] = []
  const slow = Array.from({ length: 20 }, () => run({ first: 'spin', spinMs: 20 }, 1).then(() => order.push('slow')))
  await slow[0]
  const quick = Array.from({ length: 5 }, () => run({ first: 'answer' }, 2).then(() => order.push('quick')))
  await Promise.all([...slow, ...quick])
  expect(order.lastIndexOf('quick')).toBeLessThan(15)
})
