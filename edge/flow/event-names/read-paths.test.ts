// Tests that the paths of an event are read with their types, and that no event makes it long.

import { describe, expect, test } from 'vitest'
import { PATHS_KEPT, PROPERTY_TYPES } from '../../domain/event-names.ts'
import { readPaths } from './read-paths.ts'

const typesOf = (properties: object, ...userIds: string[]) =>
  Object.fromEntries(
    [...readPaths(properties, new Set(userIds)).paths].map(([path, mask]) => [
      path,
      PROPERTY_TYPES.filter((_, bit) => (mask & (1 << bit)) !== 0).join(),
    ]),
  )

test('each path has the types of its values; items of a list are one path', () => {
  expect(typesOf({ total: 7, paid: true, coupon: null, items: [{ sku: 'a' }, { sku: 1 }, 'x'] })).toEqual({
    total: 'number',
    paid: 'boolean',
    coupon: 'null',
    items: 'array',
    'items[]': 'string,object',
    'items[].sku': 'string,number',
  })
})

test('keys that are values are one path, and so are the ids of the users', () => {
  const properties = { of: { 'ada@example.com': 1, 'bob@example.com': 'x' }, likes: { u_42: true, u_43: true } }
  expect(typesOf(properties, 'u_42', 'u_43')).toEqual({
    of: 'object',
    'of.*': 'string,number',
    likes: 'object',
    'likes.*': 'boolean',
  })
})

test('keys that are secrets are one path', () => {
  const keys = ['nc_sdk_eu_abcdef', 'sk_live_abcdef', 'eyJhbGciOiJIUzI', 'whsec_abcdef']
  expect(typesOf(Object.fromEntries(keys.map((key) => [key, 1])))).toEqual({ '*': 'number' })
  expect(typesOf({ sk_version: 1, eyJ: 1 })).toEqual({ sk_version: 'number', eyJ: 'number' })
})

describe('hostile properties', () => {
  let deep: object = {}
  for (let level = 0; level < 30; level++) deep = { deep }
  const wide = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, at) => [
      `k${String.fromCharCode(97 + (at % 26))}${'x'.repeat(at % 60)}${at % 7}`,
      { at },
    ]),
  )
  const proto: object = JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":2},"toString":3}')
  const lists = Array.from({ length: 8 }).reduce<unknown>((inner) => Array.from({ length: 9 }, () => inner), 1)

  test.each([
    ['deep', deep, true],
    ['10,000 keys', wide, true],
    [
      'a key of 64 characters, seven levels deep',
      Object.fromEntries([['k'.repeat(64), { ['k'.repeat(64)]: { ['k'.repeat(64)]: { ['k'.repeat(64)]: 1 } } }]]),
      true,
    ],
    ['lists in lists', { lists }, true],
  ])('%s', (_what, properties, isCut) => {
    const read = readPaths(properties, undefined)
    expect(read.isCut).toBe(isCut)
    expect(read.paths.size).toBeGreaterThan(0)
    expect(read.paths.size).toBeLessThanOrEqual(PATHS_KEPT)
    for (const path of read.paths.keys()) expect(path.length).toBeLessThanOrEqual(200)
  })

  test('names of object prototypes are paths like others', () => {
    expect(Object.keys(typesOf(proto)).sort()).toEqual(
      ['__proto__', '__proto__.x', 'constructor', 'constructor.prototype', 'toString'].sort(),
    )
    expect(({} as { x?: number }).x).toBeUndefined()
  })
})
