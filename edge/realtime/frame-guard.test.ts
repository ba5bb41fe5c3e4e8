// Tests the limit of frames that a client may send in a second.

import { expect, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { createFrameGuard } from './socket-server.ts'

const LIMIT = LIMITS.socketFramesPerSecond

test('the handshake is not counted; twenty frames a second are within the limit, the next one is not', () => {
  const isWithinLimit = createFrameGuard()
  expect(isWithinLimit(0)).toBe(true)
  for (let n = 0; n < LIMIT; n++) expect(isWithinLimit(500 + n)).toBe(true)
  expect(isWithinLimit(1499)).toBe(false)
})

test('the window slides: frames older than a second do not count', () => {
  const isWithinLimit = createFrameGuard()
  isWithinLimit(0)
  for (let n = 0; n < 200; n++) expect(isWithinLimit(n * 50)).toBe(true)
  expect(isWithinLimit(199 * 50 + 49)).toBe(false)
})
