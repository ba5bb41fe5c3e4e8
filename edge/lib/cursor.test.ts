// Cursors: round trip, and the refusal of everything else.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { encodeCursor, parseCursor } from './cursor.ts'

describe('cursor', () => {
  test('gives every place back', () => {
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (place) => parseCursor('evt', encodeCursor('evt', place)) === place),
    )
  })

  test('is safe in an address', () => {
    expect(encodeCursor('evt', 123456789)).toMatch(/^[A-Za-z0-9_-]+$/)
  })

  test('is null when there is none', () => {
    expect(parseCursor('evt', undefined)).toBeNull()
  })

  test.each([
    '',
    'x',
    '%%%',
    encodeCursor('run', 5),
    `${encodeCursor('evt', 5)}=`,
    'a'.repeat(5000),
    'ZXZ0Oi01',
    'ZXZ0OjFlMw',
  ])('refuses %j with request/invalid-query', (cursor) => {
    expect(() => parseCursor('evt', cursor)).toThrow(ApiError)
    try {
      parseCursor('evt', cursor)
    } catch (error) {
      expect(error).toMatchObject({ code: 'request/invalid-query', extra: { details: [{ path: 'cursor' }] } })
    }
  })
})
