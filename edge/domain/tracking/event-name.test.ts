// Tests the grammar of event names: each reason with its position, their order, and a comparison with a reference
// expression.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findEventNameFault } from '../../../contract/event-name.ts'
import vectors from '../../../contract/vectors/event-names.json' with { type: 'json' }
import { parseEventName } from './event-name.ts'

const REFERENCE = /^[A-Za-z][A-Za-z0-9]*(?:[ ._:/-][A-Za-z0-9]+)*$/

describe('event name', () => {
  test.each(vectors.accepted)('$text times $repeat passes', ({ text, repeat }) => {
    expect(findEventNameFault(text.repeat(repeat))).toBeUndefined()
  })

  test.each(vectors.refused)('$text times $repeat is $reason at $position', ({ text, repeat, reason, position }) => {
    const fault = findEventNameFault(text.repeat(repeat))
    expect(fault).toEqual(position === null ? { reason } : { reason, position })
  })

  test.each(vectors.untyped)('$value is $reason', ({ value, reason }) => {
    expect(findEventNameFault(value)).toEqual({ reason })
  })

  test.each([
    ['a\u0000b', 1],
    ['\u0000', 0],
    ['order\u0000', 5],
    ['a\ud800b', 1],
    ['a\udc00', 1],
    ['\ud800order', 0],
  ])('a NUL or lone surrogate is an invalid character: %j at %d', (name, position) => {
    expect(findEventNameFault(name)).toEqual({ reason: 'invalid-character', position })
  })

  test('characters are counted, not units', () => {
    expect(findEventNameFault(`a${'😀'.repeat(126)}b`)).toEqual({ reason: 'invalid-character', position: 1 })
    expect(findEventNameFault(`a${'😀'.repeat(127)}b`)).toEqual({ reason: 'too-long' })
  })

  test('agrees with the reference expression', () => {
    const char = fc.constantFrom(...'abzAZ019 ._:/-!é\u0000', '😀')
    fc.assert(
      fc.property(fc.string({ unit: char, minLength: 1, maxLength: 128 }), (name) => {
        const good = REFERENCE.test(name) && !name.startsWith('nc.')
        return (findEventNameFault(name) === undefined) === good
      }),
      { numRuns: 2000 },
    )
  })

  test('a long hostile name is refused without reading it whole', () => {
    expect(findEventNameFault(`${'a.'.repeat(5_000_000)}!`)).toEqual({ reason: 'too-long' })
  })

  test('parseEventName throws event/invalid-name with reason and position', () => {
    expect(parseEventName('order.shipped')).toBe('order.shipped')
    expect(() => parseEventName('order..shipped')).toThrow(
      expect.objectContaining({ code: 'event/invalid-name', extra: { reason: 'repeated-separator', position: 6 } }),
    )
  })
})
