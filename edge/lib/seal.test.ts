// Sealed texts open under their key alone, whole and unchanged.

import { expect, test } from 'vitest'
import { createSealer, deriveKey } from './seal.ts'

const first = new Uint8Array(32).fill(1)
const second = new Uint8Array(32).fill(2)
const TEXT = 'nc_auth_eu_ünï ✓'

test('a text comes back, and its sealed form holds nothing of it and is never the same twice', () => {
  const sealer = createSealer([first])
  const sealed = sealer.seal(TEXT)
  expect(sealer.open(sealed)).toBe(TEXT)
  expect(sealed).toMatch(/^s1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/)
  expect(Buffer.from(sealed.split('.')[2] as string, 'base64url').toString('latin1')).not.toContain('nc_auth')
  expect(sealer.seal(TEXT)).not.toBe(sealed)
  expect(sealer.open(sealer.seal(''))).toBe('')
})

test('the first key encrypts, all decrypt, and a retired one no longer does', () => {
  const old = createSealer([first]).seal(TEXT)
  const rotated = createSealer([second, first])
  expect(rotated.open(old)).toBe(TEXT)
  expect(rotated.seal(TEXT).slice(0, 12)).toBe(createSealer([second]).seal(TEXT).slice(0, 12))
  expect(() => createSealer([second]).open(old)).toThrow(/master key [0-9a-f]{8}/)
})

test('no changed byte passes', () => {
  const sealer = createSealer([first])
  const [version, id, body] = sealer.seal('secret').split('.') as [string, string, string]
  const bytes = Buffer.from(body, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] as number) ^ 1
    expect(() => sealer.open(`${version}.${id}.${changed.toString('base64url')}`)).toThrow()
  }
  expect(() => sealer.open(`${version}.${id}.${bytes.subarray(0, -1).toString('base64url')}`)).toThrow()
})

test.each(['', 's1', 's1.00000000.', 's2.00000000.AAAA', 's1.00000000.AAAA', 'secret'])(
  '%j does not open',
  (sealed) => {
    expect(() => createSealer([first]).open(sealed)).toThrow()
  },
)

test('a text under another key with the same id is refused', () => {
  const [, id] = createSealer([first]).seal('a').split('.')
  const [, , body] = createSealer([second]).seal('a').split('.')
  expect(() => createSealer([first]).open(`s1.${id}.${body}`)).toThrow()
})

test('keys of two purposes differ', () => {
  expect(deriveKey(first, 'a')).not.toEqual(deriveKey(first, 'b'))
  expect(deriveKey(first, 'a')).toEqual(deriveKey(first, 'a'))
  expect(deriveKey(first, 'a')).toHaveLength(32)
})

test('no master key, no sealer', () => {
  expect(() => createSealer([])).toThrow()
})
