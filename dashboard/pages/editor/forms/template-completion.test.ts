// Tests the completion of variables: where one is being typed, which paths match, and what is written.

import { describe, expect, test } from 'vitest'
import type { KnownPath } from './form-context.ts'
import { exampleOf, findTyped, matchPaths, writeVariable } from './template-completion.ts'

const known = (path: string, ...examples: unknown[]): KnownPath => ({ path, types: ['string'], examples })

describe('the variable before the cursor', () => {
  test.each([
    ['Hello {{', 8, { from: 6, typed: '' }],
    ['Hello {{ us', 11, { from: 6, typed: 'us' }],
    ['{{- event.prop', 14, { from: 0, typed: 'event.prop' }],
    ['{{ a }} and {{ b', 16, { from: 12, typed: 'b' }],
    ['{{ user["odd', 12, { from: 0, typed: 'user["odd' }],
  ])('%s', (text, cursor, expected) => {
    expect(findTyped(text, cursor)).toEqual(expected)
  })

  test.each([
    ['Hello', 5],
    ['{', 1],
    ['{{ user.name }}', 15],
    ['{{ user.name | up', 17],
    ['{% if user', 10],
    ['{{', 1],
  ])('none in %s', (text, cursor) => {
    expect(findTyped(text, cursor)).toBeUndefined()
  })
})

describe('a chosen variable', () => {
  const write = (text: string, cursor: number) => {
    const typed = findTyped(text, cursor)
    return typed && writeVariable(text, typed, cursor, 'user.name')
  }

  test('is closed, and takes the place of what was typed', () => {
    expect(write('Hello {{ us', 11)).toEqual({ text: 'Hello {{ user.name }}', cursor: 21 })
    expect(write('Hello {{!', 8)).toEqual({ text: 'Hello {{ user.name }}!', cursor: 21 })
  })

  test('takes the place of one that is closed already', () => {
    expect(write('{{ us }}, hi', 5)).toEqual({ text: '{{ user.name }}, hi', cursor: 15 })
    expect(write('{{ user.id }} {{ a }}', 7)).toEqual({ text: '{{ user.name }} {{ a }}', cursor: 15 })
  })
})

test('paths match anywhere, those first in which a part begins so; items of lists are none', () => {
  const all = ['event.subtotal', 'event.properties.total', 'event.properties.items[].total', 'user["to do"]'].map(
    (path) => known(path),
  )
  expect(matchPaths(all, 'TO').map(({ path }) => path)).toEqual([
    'event.properties.total',
    'event.subtotal',
    'user["to do"]',
  ])
})

test('an example is short, and JSON where it is no text', () => {
  expect(exampleOf(known('a'))).toBeUndefined()
  expect(exampleOf(known('a', 'x'.repeat(80)))).toHaveLength(40)
  expect(exampleOf(known('a', 74))).toBe('74')
})
