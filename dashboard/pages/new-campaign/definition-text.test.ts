// Tests what is taken as the definition in a text of JSON.

import { expect, test } from 'vitest'
import { definitionOf } from './definition-text.ts'

const definition = { key: 'a', steps: [] }

test('a definition, a campaign and a version have the same one', () => {
  for (const given of [definition, { id: 'cmp_1', draft: definition }, { version: 2, definition }])
    expect(definitionOf(JSON.stringify(given))).toEqual(definition)
})

test.each([
  ['{\n  "key": a\n}', /^This is no JSON: Unexpected token 'a'/],
  ['{\n"key": "a"', /^This is no JSON: see line 2, column 11\.$/],
  ['{ "key"', /^This is no JSON: /],
  [' ', 'There is no text yet.'],
  ['[1]', 'This is no JSON object.'],
])('%j is refused', (text, message) => expect(() => definitionOf(text)).toThrow(message))
