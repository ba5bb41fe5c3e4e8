// Tests that a path of the API is said in words, with the step that it is in.

import { expect, test } from 'vitest'
import { placeOfPath } from './place-words.ts'

const DRAFT = {
  key: 'c',
  trigger: { event: 'e' },
  steps: [
    { id: 'tell', type: 'inbox', title: 'a', actions: [{ label: 'x' }], locales: { fr: { title: 'b' } } },
    { id: 'size', type: 'branch', branches: [{ key: 'big', when: 'x', steps: [{ id: 'deep', type: 'inbox' }] }] },
    { type: 'delay' },
  ],
}

test.each([
  ['steps[0].title', 'Title of “tell”', 'tell'],
  ['steps[0].locales.fr.title', 'Title of “tell” in fr', 'tell'],
  ['steps[0].locales.fr', 'Texts in fr of “tell”', 'tell'],
  ['steps[0].actions[0].label', 'Label of button 1 of “tell”', 'tell'],
  ['steps[0].actions[0]', 'Button 1 of “tell”', 'tell'],
  ['steps[1].branches[0].when', 'Condition of branch “big” of “size”', 'size'],
  ['steps[1].branches[0].steps[0].title', 'Title of “deep”', 'deep'],
  ['steps[1]', 'Step “size”', 'size'],
  ['steps[2].for', 'Wait of “steps[2]”', undefined],
  ['trigger.where', 'Condition of the start', undefined],
  ['layout', '“layout”', undefined],
  ['', 'The campaign', undefined],
])('%s', (path, words, stepId) => {
  const place = placeOfPath(DRAFT, path)
  expect([place.words, place.stepId]).toEqual([words, stepId])
})
