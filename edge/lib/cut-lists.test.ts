// Tests that a list or record that is too long is refused as before, and that its items are not read.

import { expect, test } from 'vitest'
import { z } from 'zod'
import { check } from './check-schema.ts'
import { cutLists } from './cut-lists.ts'

let read = 0
const item = z.string().refine(() => {
  read += 1
  return true
})
const schema = z.object({
  list: z.array(item).max(3).optional(),
  nested: z
    .array(z.object({ list: z.array(item).max(3) }))
    .max(2)
    .nullable()
    .default([]),
  record: z
    .record(z.string(), item)
    .refine((names) => Object.keys(names).length <= 3, 'At most 3 names.')
    .meta({ maxProperties: 3 })
    .prefault({}),
  piped: z
    .array(item)
    .max(3)
    .transform((list) => list.length)
    .optional(),
})
const long = Array.from({ length: 1000 }, () => 'a')
const names = Object.fromEntries(long.map((text, index) => [`n${index}`, text]))

const faultsOf = (value: unknown) => {
  read = 0
  try {
    check(schema, value, 'request/invalid-body')
  } catch (error) {
    return (error as { extra: { details: unknown } }).extra.details
  }
}

test.each([
  [{ list: long }, 'list', 'This must have at most 3 entries.'],
  [{ piped: long }, 'piped', 'This must have at most 3 entries.'],
  [{ nested: [{ list: [] }, { list: long }] }, 'nested[1].list', 'This must have at most 3 entries.'],
  [{ record: names }, 'record', 'At most 3 names.'],
])('%#: one item too many is read, and no other', (value, path, message) => {
  expect(JSON.stringify(cutLists(schema, value)).length).toBeLessThan(100)
  expect(faultsOf(value)).toEqual([{ path, message }])
  expect(read).toBeLessThanOrEqual(4)
})

test('what is not too long, or of another type, is the value itself', () => {
  for (const value of [{ list: ['a'], record: { a: 'b' } }, { list: { length: 9 } }, { record: long }, [], 'a', null])
    expect(cutLists(schema, value)).toBe(value)
})

test('a list of a union is cut where a field names the form, also in a list within itself', () => {
  type Form = { type: string; list?: unknown[] }
  const form: z.ZodType<Form> = z.discriminatedUnion('type', [
    z.object({ type: z.literal('a') }),
    z.object({ type: z.literal('b'), list: z.array(z.lazy(() => form)).max(3) }),
  ])
  const inner = { type: 'b', list: long }
  expect(cutLists(z.array(form), [{ type: 'b', list: [inner] }])).toEqual([
    { type: 'b', list: [{ type: 'b', list: long.slice(0, 4) }] },
  ])
  for (const other of [{ type: 'c', list: long }, { list: long }, { type: 'a', list: long }])
    expect(cutLists(form, other)).toBe(other)
})

test('unknown fields are cut where a schema refuses them', () => {
  const fields = { a: 1, ...Object.fromEntries(long.map((_, at) => [`k${at}`, at])), b: 2 }
  const kept = cutLists(z.strictObject({ a: z.number(), b: z.number() }), fields)
  expect(kept).toMatchObject({ a: 1, b: 2, k0: 0, k100: 100 })
  expect(Object.keys(kept as object)).toHaveLength(103)
  expect(cutLists(z.object({ a: z.number() }), fields)).toBe(fields)
})

test('keys of a prototype are not read as fields', () => {
  expect(cutLists(schema, Object.create({ list: long }))).toEqual({})
})
