// Tests the error of an invalid body: each issue with its path, in the same terms as for campaigns.

import { expect, test } from 'vitest'
import { z } from 'zod'
import type { ApiError } from './api-error.ts'
import { check } from './check-schema.ts'

const schema = z.object({
  name: z.string(),
  note: z.string().nullable().optional(),
  list: z.array(z.object({ count: z.number() })),
  attributes: z.record(z.string(), z.unknown()),
  isLive: z.boolean(),
  span: z.string({ error: 'A span such as PT10M.' }),
})

function faultsOf(schema: z.ZodType, value: unknown): unknown {
  try {
    check(schema, value, 'request/invalid-body')
  } catch (error) {
    return (error as ApiError).extra.details
  }
  return []
}

test('missing and mistyped fields are reported with their path; messages of a schema are kept', () => {
  const body = { note: 7, list: [{ count: 1 }, { count: 'two' }], attributes: [], isLive: 'yes', span: 3 }
  expect(faultsOf(schema, body)).toEqual([
    { path: 'name', message: 'This is missing.' },
    { path: 'note', message: 'This must be a string.' },
    { path: 'list[1].count', message: 'This must be a number.' },
    { path: 'attributes', message: 'This must be an object.' },
    { path: 'isLive', message: 'This must be true or false.' },
    { path: 'span', message: 'A span such as PT10M.' },
  ])
})

test.each<[z.ZodType, unknown, string]>([
  [z.enum(['read', 'opened', 'clicked']), 'seen', 'This must be read, opened or clicked.'],
  [z.enum(['read', 'opened', 'clicked']), null, 'This must be read, opened or clicked.'],
  [z.enum(['read', 'opened', 'clicked']), undefined, 'This is missing.'],
  [z.literal(true), false, 'This must be true.'],
  [z.string().min(1), '', 'This must have at least 1 character.'],
  [z.string().max(256), 'x'.repeat(257), 'This must have at most 256 characters.'],
  [z.array(z.string()).min(1), [], 'This must have at least 1 entry.'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'This must have at most 2 entries.'],
  [z.number().int().min(0), -1, 'This must be at least 0.'],
  [z.number().max(10), 11, 'This must be at most 10.'],
  [z.number().int(), 1.5, 'This must be a whole number.'],
  [z.number().int(), 1e20, `This must be at most ${Number.MAX_SAFE_INTEGER}.`],
  [z.string().min(1, 'A name.'), '', 'A name.'],
])('bounds and choices have messages in plain English: %#', (field, value, message) => {
  expect(faultsOf(z.object({ a: z.object({ b: field }) }), { a: { b: value } })).toEqual([{ path: 'a.b', message }])
})

test('each field that an object cannot have is reported with its own path, and a fault in a text with its position', () => {
  const inner = z.strictObject({ name: z.string() }, { error: () => 'There is no such field.' })
  const list = z.array(inner).superRefine((_, context) => {
    context.addIssue({ code: 'custom', path: [0, 'name'], message: 'No dot.', params: { position: 1 } })
  })
  const schema = z.object({ list })
  expect(faultsOf(schema, { list: [{ name: 'a', b: 1, c: 2 }] })).toEqual([
    { path: 'list[0].b', message: 'There is no such field.' },
    { path: 'list[0].c', message: 'There is no such field.' },
    { path: 'list[0].name', message: 'No dot.', position: 1 },
  ])
})

test('of the forms that a value may have, the one of its type says what is wrong; a key of a record says its own rule', () => {
  const form = z.object({ other: z.string() })
  const schema = z.object({ a: z.union([z.string().max(3), form]) })
  expect(faultsOf(schema, { a: 'long' })).toEqual([{ path: 'a', message: 'This must have at most 3 characters.' }])
  expect(faultsOf(schema, { a: {} })).toEqual([{ path: 'a.other', message: 'This is missing.' }])
  expect(faultsOf(schema, { a: 7 })).toEqual([{ path: 'a', message: 'This must be a string or an object.' }])
  expect(faultsOf(schema, {})).toEqual([{ path: 'a', message: 'This is missing.' }])
  const ours = z.object({ a: z.union([z.string(), form], 'A text, or its forms.') })
  expect(faultsOf(ours, { a: {} })).toEqual([{ path: 'a', message: 'A text, or its forms.' }])
  const record = z.record(z.string().regex(/^[a-z]+$/, 'Letters alone.'), z.number())
  expect(faultsOf(record, { A: 1 })).toEqual([{ path: 'A', message: 'Letters alone.' }])
})
