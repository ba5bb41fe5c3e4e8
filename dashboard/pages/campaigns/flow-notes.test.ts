// Tests what the picture of a campaign says of the numbers of its steps.

import { expect, test } from 'vitest'
import type { FlowStatsAnswer, FlowStepStats } from '../../../contract/resources/flow-stats.ts'
import { notesOf, stoppedMark, waysOf } from './flow-notes.ts'

const step = (more: Partial<FlowStepStats>): FlowStepStats => ({
  stepId: 'one',
  type: 'inbox',
  reached: 0,
  waiting: 0,
  outcomes: {},
  reasons: {},
  ways: {},
  funnel: null,
  ...more,
})

const answer = (steps: FlowStepStats[], started = 800): FlowStatsAnswer => ({
  campaignId: 'cmp_1',
  version: 1,
  window: '7d',
  since: '2026-11-01T00:00:00.000Z',
  runs: { started, waiting: 3, completed: 600, exited: 0, failed: 0, cancelled: 0 },
  steps,
})

const funnel = (delivery: number, read: number) => ({ delivery, read, opened: 0, clicked: 0 })

test('a step has its runs, its share of all runs, and what waits, was not sent and was read', () => {
  const sent = step({ reached: 200, waiting: 2, reasons: { suppressed: 5, preference: 4 }, funnel: funnel(200, 99) })
  const notes = notesOf(answer([sent]))
  expect(notes.get('one')).toEqual({
    count: '200',
    share: 0.25,
    marks: [
      { text: '2 waiting now', tone: 'info' },
      { text: '9 not sent', tone: 'warn' },
      { text: '50 % read', tone: 'quiet' },
    ],
  })
  expect(notes.get('/trigger')).toMatchObject({ count: '800', marks: [{ text: '3 waiting now' }] })
  expect(notes.get('/end')).toMatchObject({ count: '600', share: 0.75 })
})

test('without runs there is no share, and a step of older runs has no more than all', () => {
  expect(notesOf(answer([step({})], 0)).get('one')).toEqual({ count: '0', share: null, marks: [] })
  expect(notesOf(answer([step({ reached: 5 })], 4)).get('one')?.share).toBe(1)
})

test('the runs of a branch that took no branch are the rest', () => {
  const branch = step({ type: 'branch', reached: 10, ways: { big: 4, small: 5 } })
  expect(waysOf(branch)).toEqual([
    ['big', 4],
    ['small', 5],
    ['', 1],
  ])
  expect(notesOf(answer([branch], 10)).get('one/big')).toMatchObject({ count: '4', share: 0.4 })
  expect(waysOf(step({ type: 'waitFor', reached: 9, ways: { taken: 2, 'not-taken': 3 } }))).toHaveLength(2)
})

test('what did not go on is named after the step, and a failure stands out', () => {
  expect(stoppedMark(step({ type: 'throttle', reasons: { throttled: 2 } }))).toEqual({
    text: '2 stopped',
    tone: 'warn',
  })
  expect(stoppedMark(step({ type: 'digest', reasons: { digested: 2 } }))).toEqual({ text: '2 gathered', tone: 'quiet' })
  const failed = step({ type: 'enrich', outcomes: { failed: 1 }, reasons: { 'enricher-error': 1 } })
  expect(stoppedMark(failed)?.tone).toBe('bad')
  expect(stoppedMark(step({ reasons: {} }))).toBeUndefined()
})
