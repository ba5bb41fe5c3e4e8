// Tests what a continued run changes of the counts of its steps.

import { expect, test } from 'vitest'
import type { TraceStep } from '../tracked-event.ts'
import { listCountChanges } from './step-counts.ts'

const step = (stepId: string, outcome: TraceStep['outcome'], at: number): TraceStep => ({
  ...{ stepId, type: 'delay', outcome, at, durationMs: 0, reason: '' },
})

test('a run that goes on changes its state, the step that waited, and the steps that it reaches', () => {
  const former = { state: 'waiting', startedAt: 1, trace: [step('a', 'done', 1), step('b', 'waiting', 2)] } as const
  const trace = [step('a', 'done', 1), step('b', 'done', 2), step('c', 'done', 3)]
  const changes = listCountChanges({ ...former, trace: [...former.trace] }, { state: 'completed', startedAt: 1, trace })
  expect(changes).toEqual([
    { at: 1, stepId: '', kind: 'run', name: 'waiting', by: -1 },
    { at: null, stepId: '', kind: 'waiting', name: '', by: -1 },
    { at: 2, stepId: 'b', kind: 'outcome', name: 'waiting', by: -1 },
    { at: null, stepId: 'b', kind: 'waiting', name: '', by: -1 },
    { at: 1, stepId: '', kind: 'run', name: 'completed', by: 1 },
    { at: 3, stepId: 'c', kind: 'outcome', name: 'done', by: 1 },
    { at: 2, stepId: 'b', kind: 'outcome', name: 'done', by: 1 },
  ])
})

test('a run that still waits changes nothing', () => {
  const run = { state: 'waiting' as const, startedAt: 1, trace: [step('a', 'waiting', 1)] }
  expect(listCountChanges(run, { ...run, trace: JSON.stringify(run.trace) })).toEqual([])
})
