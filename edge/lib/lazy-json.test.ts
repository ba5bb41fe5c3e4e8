// Tests properties that are parsed when they are read.

import { expect, test } from 'vitest'
import { withJsonText, withLazyJson } from './lazy-json.ts'

const lazy = () => withLazyJson<{ name: string }, 'value', { n: number }>({ name: 'x' }, 'value', '{"n":1}')

test('the value is parsed once, when it is read', () => {
  const broken = withLazyJson({}, 'value', '{')
  expect(() => broken.value).toThrow(SyntaxError)
  const object = lazy()
  expect(object.value).toBe(object.value)
})

test('copies of all kinds have the value', () => {
  const plain = { name: 'x', value: { n: 1 } }
  expect({ ...lazy() }).toEqual(plain)
  expect(JSON.parse(JSON.stringify(lazy()))).toEqual(plain)
  expect(structuredClone(lazy())).toEqual(plain)
})

test('a copy with the text has that of the property, whether it was read or not', () => {
  const broken = withLazyJson({ name: 'x' }, 'value', '{')
  expect(withJsonText(broken, 'value')).toEqual({ name: 'x', value: '{' })
  const object = lazy()
  object.value.n = 2
  expect(withJsonText(object, 'value')).toEqual({ name: 'x', value: '{"n":2}' })
  expect(withJsonText({ value: [] }, 'value')).toEqual({ value: '[]' })
})
