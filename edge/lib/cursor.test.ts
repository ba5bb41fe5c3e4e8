// Tests cursors: the round trip, and the refusal of everything else.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { encodeCursor, parseCursor } from './cursor.ts'

const EVENTS = { list: 'evt', of: 7 }

describe('cursor', () => {
  test('round-trips every position', () => {
    fc.assert(
      fc.property(
        fc.nat(Number.MAX_SAFE_INTEGER),
        (place) => parseCursor(EVENTS, encodeCursor(EVENTS, place)) === place,
      ),
    )
  })

  test('needs no escaping in a URL', () => {
    expect(encodeCursor(EVENTS, 123456789)).toMatch(/^[A-Za-z0-9_-]+$/)
  })

  test('is null when there is none', () => {
    expect(parseCursor(EVENTS, undefined)).toBeNull()
  })

  test.each([
    ['nothing', ''],
    ['a letter', 'x'],
    ['no base64', '%%%'],
    ['another kind of list', encodeCursor({ list: 'run', of: 7 }, 5)],
    ["another tenant's list", encodeCursor({ list: 'evt', of: 8 }, 5)],
    ['padding', `${encodeCursor(EVENTS, 5)}=`],
    ['too much', 'a'.repeat(5000)],
    ['a negative position', Buffer.from('evt:-5').toString('base64url')],
    ['an exponent', Buffer.from('evt:1e3').toString('base64url')],
    ['a position without a mark', Buffer.from('evt:5').toString('base64url')],
    ['a position with a wrong mark', Buffer.from('evt:5:AAAAAAAAAAAA').toString('base64url')],
  ])('of %s is refused with request/invalid-query', (_, cursor) => {
    expect(() => parseCursor(EVENTS, cursor)).toThrow(ApiError)
    try {
      parseCursor(EVENTS, cursor)
    } catch (error) {
      expect(error).toMatchObject({ code: 'request/invalid-query', extra: { details: [{ path: 'cursor' }] } })
    }
  })
})
