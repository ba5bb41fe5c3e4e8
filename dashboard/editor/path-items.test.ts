// Tests which items of the picture stand out for a dry run.

import { expect, test } from 'vitest'
import { pathItems } from './path-items.ts'

const DRAFT = {
  steps: [
    { id: 'tell', type: 'inbox' },
    {
      id: 'which',
      type: 'branch',
      branches: [
        { key: 'big', steps: [] },
        { key: 'bigger', steps: [] },
      ],
    },
    { id: 'paid', type: 'waitFor', then: [], onTimeout: [] },
  ],
}
const tried = (stepId: string, type: string, outcome: string, reason: string | null = null) => ({
  ...{ stepId, type, outcome, reason },
})

test('the trigger, the steps, the ways that were taken and the end stand out', () => {
  const steps = [
    tried('tell', 'inbox', 'done'),
    tried('which', 'branch', 'taken', 'bigger: by weight'),
    tried('paid', 'waitFor', 'not-taken', 'order.paid did not come in time'),
  ]
  expect([...pathItems(DRAFT, steps)]).toEqual([
    '/trigger',
    'tell',
    'which',
    'which/bigger',
    'paid',
    'paid/not-taken',
    '/end',
  ])
})

test('a run that exits does not come to the end, and without a run nothing stands out', () => {
  expect(pathItems(DRAFT, [tried('which', 'branch', 'not-taken'), tried('out', 'exit', 'exited')])).toEqual(
    new Set(['/trigger', 'which', 'which/', 'out']),
  )
  expect(pathItems(DRAFT, [])).toEqual(new Set())
})
