// Tests what is left of a flow when steps are folded, and that nothing of it is lost.

import { expect, test } from 'vitest'
import { countSteps, endsIn, foldFlow, readFlow, stepsAround, waysBelow } from './tree.ts'
import { stepWords } from './words.ts'

const FLOW = readFlow({
  trigger: { event: 'order.paid' },
  steps: [
    {
      id: 'which',
      type: 'branch',
      branches: [
        {
          key: 'big',
          when: 'event.properties.total > 100',
          steps: [{ id: 'paid', type: 'waitFor', event: 'x', then: [{ id: 'a', type: 'exit' }], onTimeout: [] }],
        },
        { key: 'rest', else: true, steps: [{ id: 'b', type: 'exit' }] },
      ],
    },
    { id: 'last', type: 'inbox', title: 'Last' },
  ],
})

test('a folded step has no ways, says the same, and knows what is below it', () => {
  const folded = foldFlow(FLOW, new Set(['which']))
  const [which, last] = folded.steps
  expect(which?.ways).toEqual([])
  expect(last?.id).toBe('last')
  expect(which && stepWords(which)).toBe('If total > 100')
  expect(which && countSteps(waysBelow(which))).toBe(3)
  expect(endsIn(folded.steps)).toBe(endsIn(FLOW.steps))
  expect(stepsAround(folded.steps, 'a')).toEqual(['which', 'paid'])
})

test('an inner step folds alone, and without a fold the flow is the same', () => {
  const [which] = foldFlow(FLOW, new Set(['paid'])).steps
  expect(which?.ways.map(({ steps }) => steps.map(({ id, ways }) => [id, ways.length]))).toEqual([
    [['paid', 0]],
    [['b', 0]],
  ])
  expect(foldFlow(FLOW, new Set())).toBe(FLOW)
  expect(stepsAround(FLOW.steps, 'none')).toBeUndefined()
})
