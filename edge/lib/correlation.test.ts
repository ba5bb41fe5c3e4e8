// Tests correlation ids: which ids of callers are kept, and the form of new ones.

import { expect, test } from 'vitest'
import { correlationIdOf } from './correlation.ts'

test('a valid id of the caller is kept', () => {
  for (const id of ['a', 'A.b_c-9', 'x'.repeat(128)]) expect(correlationIdOf(id)).toBe(id)
})

test('an invalid id is replaced', () => {
  for (const id of [undefined, '', 'a b', 'é', 'x'.repeat(129), 'a\n']) expect(correlationIdOf(id)).not.toBe(id)
})

test('new ids are distinct UUIDs of version 7, and begin with their time', () => {
  const before = Date.now()
  const ids = Array.from({ length: 1000 }, () => correlationIdOf(undefined))
  const after = Date.now()
  expect(new Set(ids).size).toBe(1000)
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const at = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
    expect(at).toBeGreaterThanOrEqual(before)
    expect(at).toBeLessThanOrEqual(after)
  }
})
