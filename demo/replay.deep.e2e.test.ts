// Tests the replay of GitHub's real webhook payloads against a real server.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { readGithubEvents } from './replay/payloads.ts'
import { type ReplayOutcome, replay } from './replay/replay.ts'
import { type GivenDemo, givenDemo } from './test/browser.ts'

let given: GivenDemo

beforeAll(async () => {
  given = await givenDemo()
})

afterAll(() => given?.stop())

function run(): Promise<ReplayOutcome> {
  return replay({ edgeUrl: given.edge.url, demo: given.demo, runId: 'test', perSecond: 2000, log: () => undefined })
}

test('every payload is accepted and traced, and every user’s counts equal the server’s', async () => {
  const outcome = await run()
  expect(outcome.payloads).toBe(readGithubEvents().length)
  expect(outcome.refusals).toEqual([])
  expect(outcome.accepted).toBe(outcome.payloads)
  expect(outcome.failures).toEqual([])
  expect(Object.values(outcome.outcomes).reduce((sum, count) => sum + count, 0)).toBe(outcome.payloads)
  expect(outcome.outcomes.unmatched).toBeGreaterThan(0)
  expect(outcome.notifiedTypes.length).toBeGreaterThanOrEqual(30)
  expect(outcome.unreadable).toEqual([])
  expect(outcome.users.flatMap((user) => user.differences)).toEqual([])
  expect(outcome.users.reduce((sum, user) => sum + user.head.unopened, 0)).toBe(outcome.notifications)

  const again = await run()
  expect(again.duplicates).toBe(again.payloads)
  expect(again.notifications).toBe(outcome.notifications)
  expect(again.users).toEqual(outcome.users)
})
