// Tests that a confirmation names whose requests end by it.

import { expect, test } from 'vitest'
import { endingWords } from './ending-request.ts'

test.each([
  [[undefined], ''],
  [['bob@b.example'], 'The request of bob@b.example to publish ends: nobody can approve it any more.'],
  [['ada@b.example', undefined], 'Your request to publish ends: nobody can approve it any more.'],
  [
    ['bob@b.example', 'ada@b.example', 'bob@b.example'],
    'The requests of bob@b.example and you to publish end: nobody can approve them any more.',
  ],
])('of %j', (askers, words) => {
  expect(endingWords(askers, 'ada@b.example')).toBe(words)
})
