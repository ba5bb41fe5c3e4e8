// Tests that the steps of a dry run are said in sentences, with the values that they read.

import { expect, test } from 'vitest'
import { pathWords, type TriedStep, valuesRead } from './path-words.ts'

const DRAFT = {
  steps: [
    { id: 'tell', type: 'inbox', title: 'a' },
    { id: 'pause', type: 'delay', for: 'PT10M' },
    { id: 'paid', type: 'waitFor', event: 'order.paid', timeout: 'P1D' },
    { id: 'few', type: 'throttle', limit: 3, window: 'P1D' },
    { id: 'data', type: 'enrich', enricher: 'crm' },
  ],
}
const step = (stepId: string, type: string, outcome: string, reason: string | null = null): TriedStep => ({
  ...{ stepId, type, outcome, reason },
  inputs: {},
})

test.each([
  [step('tell', 'inbox', 'done'), 'A message comes into the inbox.'],
  [
    step('tell', 'inbox', 'skipped', 'the user does not want news by inbox'),
    'No message in the inbox: the user does not want news by inbox.',
  ],
  [step('mail', 'email', 'skipped', 'the user has no e-mail address'), 'No mail: the user has no e-mail address.'],
  [step('mail', 'email', 'failed', 'render-error: x.'), 'It fails: render-error: x.'],
  [step('pause', 'delay', 'done', 'x'), 'The run waits 10 minutes.'],
  [step('paid', 'waitFor', 'not-taken', 'x'), 'It waits at most 1 day for order.paid. Here it does not come.'],
  [step('few', 'throttle', 'done'), 'It lets 3 pass in 1 day. Here the run passes.'],
  [step('data', 'enrich', 'skipped', 'x'), 'The enricher crm is not called here: its data is empty.'],
  [step('size', 'branch', 'taken', 'big: the condition holds'), 'It takes the way “big”: its condition holds.'],
  [
    step('size', 'branch', 'taken', 'rest: else; big: no such key'),
    'It takes the way “rest”: no condition holds. Conditions in error: big: no such key.',
  ],
  [step('size', 'branch', 'not-taken', 'no branch applies'), 'No way is taken: no branch applies.'],
  [step('end', 'exit', 'exited', 'enough'), 'The run ends here: enough.'],
])('%j', (tried, text) => {
  expect(pathWords([tried], DRAFT)).toMatchObject([{ stepId: tried.stepId, text }])
})

test('values that a condition read, and what was not there', () => {
  expect(valuesRead({ read: { 'event.properties.total': 74 }, missing: ['user.attributes.plan'] })).toEqual([
    { name: 'event.properties.total', value: '74' },
    { name: 'user.attributes.plan', value: undefined },
  ])
  expect(valuesRead({})).toEqual([])
})
