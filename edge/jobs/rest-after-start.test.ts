// Tests that work with a crash is put back until the process has run for a while, and other work is not.

import { expect, test } from 'vitest'
import { restAfterStart } from './rest-after-start.ts'

test('what has a crash is put back until then, and claimed afterwards; other work is claimed at once', async () => {
  const [crashed, other] = [
    { id: 1, crashes: 1 },
    { id: 2, crashes: 0 },
  ]
  const putBack: unknown[] = []
  const claim = restAfterStart(
    async (_now: number, _leaseMs: number) => [crashed, other],
    5000,
    async (claims, dueAt) => void putBack.push([claims, dueAt]),
  )
  expect(await claim(4999, 1)).toEqual([other])
  expect(putBack).toEqual([[[crashed], 5000]])
  expect(await claim(5000, 1)).toEqual([crashed, other])
  expect(putBack).toHaveLength(1)
})
