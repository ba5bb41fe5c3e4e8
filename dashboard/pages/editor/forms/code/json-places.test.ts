// Tests places in JSON: of values by their paths, and of faults of the syntax.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pathsWithin } from '../form-context.ts'
import { findSyntaxFault, placeOf } from './json-places.ts'

const TEXT = JSON.stringify({ key: 'a', steps: [{ id: 'x', 'odd.key': [1, 'two'] }, { id: 'y' }] }, null, 2)
const at = (...path: (string | number)[]) => {
  const place = placeOf(TEXT, path)
  return place && TEXT.slice(place.from, place.to)
}

describe('the place of a value', () => {
  test('is its text, of an object its first line', () => {
    expect(at('key')).toBe('"a"')
    expect(at('steps', 0, 'odd.key', 1)).toBe('"two"')
    expect(at('steps', 1, 'id')).toBe('"y"')
    expect(at('steps', 1)).toBe('{')
    expect(at()).toBe('{')
  })

  test('is that of the value around a missing one', () => {
    expect(at('steps', 1, 'title')).toBe('{')
    expect(at('name')).toBe('{')
  })

  test('of any value reads as that value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 }), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as object
        const text = JSON.stringify(json)
        for (const path of pathsWithin(json, [])) {
          const place = placeOf(text, path)
          const found = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], json)
          expect(place && text.slice(place.from, place.to)).toBe(JSON.stringify(found))
        }
      }),
    )
  })
})

describe('a fault of the syntax', () => {
  test.each([
    ['{\n  "a": 1,\n  "b": \n}', 4],
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{ "a": tru }', 1],
    ['', 1],
    ['{ "a": "x\ty" }', 1],
    ['{}\n}', 2],
  ])('has its line: %j', (text, line) => {
    expect(findSyntaxFault(text)).toMatchObject({ line, message: expect.stringContaining(`Line ${line}: `) })
  })

  test('is also a key that stands twice: one of the two values would be lost', () => {
    expect(findSyntaxFault('{\n "a": 1,\n "\\u0061": 2 }')).toMatchObject({
      line: 3,
      message: 'Line 3: the object has this key twice.',
    })
  })

  test('is none in JSON, and one in all that is no JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), (json, place, inserted) => {
        expect(findSyntaxFault(json)).toBeUndefined()
        const cut = place % (json.length + 1)
        const text = json.slice(0, cut) + inserted + json.slice(cut + 1)
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        if (!isJson) expect(findSyntaxFault(text)).toBeDefined()
      }),
    )
  })
})
