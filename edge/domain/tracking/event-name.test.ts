// Tests the grammar of event names: each reason with its position, their order, and a comparison with a reference
// expression.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findEventNameFault, parseEventName } from './event-name.ts'

const REFERENCE = /^[A-Za-z][A-Za-z0-9]*(?:[ ._:/-][A-Za-z0-9]+)*$/

describe('event name', () => {
  test.each([
    'a',
    'Order Completed',
    'order.shipped',
    'invoice:paid',
    'a/b-c_d.e:f g',
    'v2.0',
    'a1',
    'nc',
    'ncx.a',
    'NC.a',
    'nc-a',
    'a'.repeat(128),
  ])('%s passes', (name) => {
    expect(findEventNameFault(name)).toBeUndefined()
  })

  test.each([
    [undefined, 'missing', undefined],
    [null, 'not-a-string', undefined],
    [42, 'not-a-string', undefined],
    [['a'], 'not-a-string', undefined],
    ['', 'empty', undefined],
    ['a'.repeat(129), 'too-long', undefined],
    ['!'.repeat(129), 'too-long', undefined],
    ['1order', 'invalid-start', 0],
    [' order', 'invalid-start', 0],
    ['.', 'invalid-start', 0],
    ['éa', 'invalid-start', 0],
    ['😀a', 'invalid-start', 0],
    ['1order.', 'invalid-start', 0],
    ['order.', 'invalid-end', 5],
    ['order ', 'invalid-end', 5],
    ['order\n', 'invalid-end', 5],
    ['orderé', 'invalid-end', 5],
    ['a😀', 'invalid-end', 1],
    ['a!b.', 'invalid-end', 3],
    ['order!shipped', 'invalid-character', 5],
    ['a..b!c', 'invalid-character', 4],
    ['order\tshipped', 'invalid-character', 5],
    ['order＿shipped', 'invalid-character', 5],
    ['order..shipped', 'repeated-separator', 6],
    ['order. shipped', 'repeated-separator', 6],
    ['a--b..c', 'repeated-separator', 2],
    ['nc..a', 'repeated-separator', 3],
    ['nc.message', 'reserved-prefix', 0],
  ])('%j is %s at %s', (name, reason, position) => {
    expect(findEventNameFault(name)).toEqual(position === undefined ? { reason } : { reason, position })
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
