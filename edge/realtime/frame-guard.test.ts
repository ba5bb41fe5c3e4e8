// How many frames a client may send.

import { expect, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { createFrameGuard } from './socket-server.ts'

const MOST = LIMITS.socketFramesPerSecond

test('the handshake is free, then twenty in a second pass and the next does not', () => {
  const isWithinLimit = createFrameGuard()
  expect(isWithinLimit(0)).toBe(true)
  for (let n = 0; n < MOST; n++) expect(isWithinLimit(500 + n)).toBe(true)
  expect(isWithinLimit(1499)).toBe(false)
})

test('the second slides: what is a second old no longer counts', () => {
  const isWithinLimit = createFrameGuard()
  isWithinLimit(0)
  for (let n = 0; n < 200; n++) expect(isWithinLimit(n * 50)).toBe(true)
  expect(isWithinLimit(199 * 50 + 49)).toBe(false)
})
