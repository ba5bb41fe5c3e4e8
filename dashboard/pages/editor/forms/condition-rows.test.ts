// Tests conditions as rows: what they read and print, and what another property, operator or type changes.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  clauseOf,
  emptyRow,
  printRows,
  type Row,
  readRows,
  testsOf,
  withKind,
  withProperty,
  withTest,
} from './condition-rows.ts'
import type { KnownPath } from './form-context.ts'

const KNOWN: KnownPath[] = [
  { path: 'event.properties.total', types: ['number'], examples: [74] },
  { path: 'event.properties.currency', types: ['string', 'null'], examples: ['EUR'] },
  { path: 'event.properties.isGift', types: ['boolean'], examples: [] },
  { path: 'event.properties.tags', types: ['array'], examples: [] },
  { path: 'event.properties.id', types: ['string', 'number'], examples: [] },
]

const row = (more: Partial<Row> = {}): Row => ({ ...emptyRow(), property: 'event.properties.total', ...more })

describe('rows of a condition', () => {
  test('say comparisons of all kinds, and print them as they were', () => {
    for (const source of [
      'event.properties.total > 100 && event.properties.currency == "EUR"',
      'user.email == null || user.attributes["is new"] == true',
      'event.properties.total in [1, 2.5]',
      '!(event.properties.currency in ["EUR", "USD"])',
      'event.properties.currency.startsWith("E") && has(event.properties.gift)',
      '"vip" in user.attributes.tags && !has(user.attributes.left)',
      'event.properties.note == ""',
    ]) {
      const rows = readRows(source)
      expect(rows && printRows(rows)).toBe(source)
    }
  })

  test('are none for no condition, and undefined where a field would change a value', () => {
    expect(readRows('')).toEqual({ join: 'all', rows: [] })
    for (const source of [
      'event.properties.total > 1 && (user.id == "a" || user.id == "b")',
      'event.properties.text == "two\\nlines"',
      'event.properties.x in ["a", 1]',
      'event.properties.x in [" a"]',
      'event.properties.x in []',
      'event.properties.x.contains("")',
      'size(event.properties.items) > 2',
    ])
      expect(readRows(source), source).toBeUndefined()
  })

  test('that are not complete are no part of the condition', () => {
    const rows = [
      row({ test: '>', kind: 'number', text: '5' }),
      row({ kind: 'number', text: 'many' }),
      row({ property: 'event.', text: 'a' }),
      row(),
    ]
    expect(printRows({ join: 'any', rows })).toBe('event.properties.total > 5')
    expect(clauseOf(row({ test: 'in', kind: 'number', text: '1\nx' }))).toBeUndefined()
    expect(clauseOf(row({ test: 'in', kind: 'number', text: '1\n\n2 ' }))).toMatchObject({ values: [1, 2] })
    expect(clauseOf(row({ kind: 'yes or no', text: undefined }))).toBeUndefined()
  })

  test('offer the operators of the types that a property had', () => {
    expect(testsOf(row(), KNOWN)).toContain('>')
    expect(testsOf(row(), KNOWN)).not.toContain('contains')
    expect(testsOf(row({ property: 'event.properties.currency' }), KNOWN)).not.toContain('>')
    expect(testsOf(row({ property: 'event.properties.isGift' }), KNOWN)).toEqual(['==', '!=', 'has', 'has not'])
    expect(testsOf(row({ property: 'event.properties.unknown' }), KNOWN)).toContain('includes')
    expect(testsOf(row({ property: 'user["odd key"]' }), KNOWN)).not.toContain('has')
  })

  test('follow another property in operator and type', () => {
    const text = row({ property: 'event.properties.currency', test: 'contains', text: '12' })
    expect(withProperty(text, 'event.properties.total', KNOWN)).toMatchObject({
      test: '==',
      kind: 'number',
      text: '12',
    })
    expect(withProperty(text, 'event.properties.tags', KNOWN)).toMatchObject({ test: 'includes' })
    expect(withProperty(text, 'event.properties.isGift', KNOWN)).toMatchObject({ kind: 'yes or no', text: 'true' })
    expect(withProperty(text, 'event.properties.id', KNOWN)).toMatchObject({ test: 'contains', kind: 'text' })
    expect(withTest(row(), '>')).toMatchObject({ test: '>', kind: 'number', text: undefined })
    expect(withTest(row({ text: 'b' }), '>')).toMatchObject({ kind: 'text', text: 'b' })
    expect(withKind(row({ text: 'b' }), 'number')).toMatchObject({ text: undefined })
  })

  test('print what they read, whatever is in them', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 6 })
    const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)).map((one) => JSON.stringify(one))
    const clause = fc.tuple(
      fc.constantFrom('user.id', 'event.properties["a b"]'),
      fc.constantFrom('==', '!=', '>'),
      value,
    )
    fc.assert(
      fc.property(
        fc.array(clause, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(' && ', ' || '),
        (clauses, join) => {
          const source = clauses.map((one) => one.join(' ')).join(join)
          const rows = readRows(source)
          if (rows !== undefined) expect(printRows(rows)).toBe(source)
        },
      ),
    )
  })
})
