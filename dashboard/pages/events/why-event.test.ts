// Tests the sentence about an event: what it started, and why not more.

import { expect, test } from 'vitest'
import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'
import { whyOfEvent } from './why-event.ts'

type Considered = TrackedEventAnswer['considered'][number]
const campaign = (campaignKey: string, outcome: Considered['outcome']): Considered => ({
  ...{ campaignId: 'cmp_1', campaignKey, outcome, reason: null },
})
const run = {} as TrackedEventAnswer['runs'][number]

test.each<[Pick<TrackedEventAnswer, 'outcome' | 'considered' | 'runs' | 'messageIds'>, string]>([
  [
    { outcome: 'no-user', considered: [], runs: [], messageIds: [] },
    'It started nothing: it names no user, so nobody can get a message.',
  ],
  [
    { outcome: 'unmatched', considered: [], runs: [], messageIds: [] },
    'It started nothing: no campaign begins with an event of this name.',
  ],
  [
    { outcome: 'unmatched', considered: [campaign('orders', 'condition-false')], runs: [], messageIds: [] },
    'It started nothing. orders has a condition that was false.',
  ],
  [
    {
      outcome: 'matched',
      considered: [campaign('orders', 'run'), campaign('a', 'paused'), campaign('b', 'condition-error')],
      ...{ runs: [run], messageIds: ['msg_1', 'msg_2'] },
    },
    'It started 1 run, and 2 messages came of it. a is paused and b has a condition that failed.',
  ],
  [
    { outcome: 'matched', considered: [campaign('orders', 'run')], runs: [run, run], messageIds: [] },
    'It started 2 runs, and no message came of it.',
  ],
])('%#: %s', (event, text) => {
  expect(whyOfEvent(event)).toBe(text)
})
