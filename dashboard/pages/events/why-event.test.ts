// Tests the sentence about an event: what it started, and why not more.

import { expect, test } from 'vitest'
import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'
import { whyOfEvent } from './why-event.ts'

type Considered = TrackedEventAnswer['considered'][number]
const campaign = (campaignKey: string, outcome: Considered['outcome']): Considered => ({
  ...{ campaignId: `cmp_${campaignKey}`, campaignKey, campaignName: null, outcome, reason: null },
})
const run = {} as TrackedEventAnswer['runs'][number]

type Told = Parameters<typeof whyOfEvent>[0]

test.each<[Omit<Told, 'topic'> & Partial<Told>, string]>([
  [
    { outcome: 'no-user', considered: [], runs: [], messageIds: [] },
    'It started nothing: it names no user, so nobody can get a message.',
  ],
  [
    { outcome: 'no-user', topic: 'news', considered: [], runs: [], messageIds: [] },
    'It started nothing: its topic had no subscriber.',
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
  [
    { outcome: 'fanned-out', considered: [], runs: Array(20).fill(run), messageIds: Array(20).fill('msg_1') },
    'It started at least 20 runs, and at least 20 messages came of it.',
  ],
  [
    { outcome: 'fanned-out', considered: [], runs: [], messageIds: [] },
    'It goes to many recipients; no run of theirs is there.',
  ],
  [
    {
      outcome: 'matched',
      considered: [campaign('orders', 'run'), campaign('orders', 'condition-false')],
      ...{ runs: [run], messageIds: ['msg_1'] },
    },
    'It started 1 run, and 1 message came of it. orders has a condition that was false for some recipients.',
  ],
  [{ outcome: 'matched', considered: [campaign('orders', 'run')], runs: [], messageIds: [] }, 'Its runs are removed.'],
  [
    {
      outcome: 'unmatched',
      considered: Array.from({ length: 1200 }, (_, at) => campaign(`c${at}`, 'paused')),
      ...{ runs: [], messageIds: [] },
    },
    'It started nothing. c0 is paused, c1 is paused and c2 is paused. The event has 1,197 more such reasons.',
  ],
])('%#: %s', (event, text) => {
  expect(whyOfEvent({ topic: null, ...event })).toBe(text)
})
