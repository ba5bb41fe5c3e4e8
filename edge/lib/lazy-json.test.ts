// Tests properties that are parsed when they are read.

import { expect, test } from 'vitest'
import { passJson, withJsonText, withLazyJson } from './lazy-json.ts'

/** Long enough to be parsed late. */
const SPACE = ' '.repeat(4096)
const lazy = (space = SPACE) =>
  withLazyJson<{ name: string }, 'value', { n: number }>({ name: 'x' }, 'value', `{"n":1}${space}`)

test('the value of a long text is parsed once, when it is read; that of a short one at once', () => {
  expect(() => withLazyJson({}, 'value', '{')).toThrow(SyntaxError)
  const broken = withLazyJson({}, 'value', `{${SPACE}`)
  expect(() => broken.value).toThrow(SyntaxError)
  const object = lazy()
  expect(object.value).toBe(object.value)
})

test('copies of all kinds have the value', () => {
  const plain = { name: 'x', value: { n: 1 } }
  for (const space of ['', SPACE]) {
    expect({ ...lazy(space) }).toEqual(plain)
    expect(JSON.parse(JSON.stringify(lazy(space)))).toEqual(plain)
    expect(structuredClone(lazy(space))).toEqual(plain)
  }
})

test('a copy with the text has that of the property, whether it was read or not', () => {
  const broken = withLazyJson({ name: 'x' }, 'value', `{${SPACE}`)
  expect(withJsonText(broken, 'value')).toEqual({ name: 'x', value: `{${SPACE}` })
  const object = lazy()
  object.value.n = 2
  expect(withJsonText(object, 'value')).toEqual({ name: 'x', value: '{"n":2}' })
  expect(withJsonText({ value: [] }, 'value')).toEqual({ value: '[]' })
})

test('a property that is passed on has the same value, and neither object keeps it', () => {
  for (const object of [lazy(''), lazy()]) {
    const to = passJson<{ name: string }, 'value', { n: number }>({ name: 'y' }, 'value', object)
    expect(JSON.stringify(to)).toBe('{"name":"y","value":{"n":1}}')
  }
  const late = lazy()
  const to = passJson<object, 'value', { n: number }>({}, 'value', late)
  expect(to.value).not.toBe(to.value)
  expect(Object.getOwnPropertyDescriptor(late, 'value')?.get).toBeDefined()
})
