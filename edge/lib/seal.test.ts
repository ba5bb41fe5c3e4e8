// Tests that sealed texts open only under their key, and only unchanged.

import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose'
import { expect, test } from 'vitest'
import { createSealer, deriveKey, sealedUnder } from './seal.ts'

const first = new Uint8Array(32).fill(1)
const second = new Uint8Array(32).fill(2)
const TEXT = 'nc_auth_eu_ünï ✓'

test('a text round-trips, and its sealed form does not contain it and differs each time', async () => {
  const sealer = createSealer([first])
  const sealed = await sealer.seal(TEXT)
  expect(await sealer.open(sealed)).toBe(TEXT)
  expect(sealed).toMatch(/^[A-Za-z0-9_-]+\.\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/)
  expect(Buffer.from(sealed.split('.')[3] as string, 'base64url').toString('latin1')).not.toContain('nc_auth')
  expect(await sealer.seal(TEXT)).not.toBe(sealed)
  expect(await sealer.open(await sealer.seal(''))).toBe('')
})

test('a sealed text is a JWE that any library opens with the derived key', async () => {
  const sealer = createSealer([first])
  const sealed = await sealer.seal(TEXT)
  expect(decodeProtectedHeader(sealed)).toEqual({ alg: 'dir', enc: 'A256GCM', kid: sealer.keyIds[0] })
  const { plaintext } = await compactDecrypt(sealed, deriveKey(first, 'notification-center/secret'))
  expect(new TextDecoder().decode(plaintext)).toBe(TEXT)
})

test('the first key encrypts, all decrypt, and a retired one no longer does', async () => {
  const old = await createSealer([first]).seal(TEXT)
  const rotated = createSealer([second, first])
  expect(await rotated.open(old)).toBe(TEXT)
  expect(sealedUnder(await rotated.seal(TEXT))).toBe(createSealer([second]).keyIds[0])
  await expect(createSealer([second]).open(old)).rejects.toThrow(/master key [0-9a-f]{8}/)
})

test('a text with any changed byte is refused', async () => {
  const sealer = createSealer([first])
  const parts = (await sealer.seal('secret')).split('.')
  for (const [place, part] of parts.entries()) {
    const bytes = Buffer.from(part, 'base64url')
    const changedParts = Array.from(bytes, (byte, at) => {
      const changed = Buffer.from(bytes)
      changed[at] = byte ^ 1
      return changed
    })
    for (const changed of [...changedParts, bytes.subarray(0, -1), Buffer.concat([bytes, bytes.subarray(0, 1)])]) {
      if (changed.equals(bytes)) continue
      const sealed = parts.with(place, changed.toString('base64url')).join('.')
      await expect(sealer.open(sealed)).rejects.toThrow()
    }
  }
})

test.each([
  '',
  's1',
  's1.00000000.',
  's2.00000000.AAAA',
  's1.00000000.AAAA',
  'secret',
  'e30....',
  'e30.e30.e30',
  'a.b.c.d.e',
])('%j does not open', async (sealed) => {
  await expect(createSealer([first]).open(sealed)).rejects.toThrow()
  expect(['', '00000000']).toContain(sealedUnder(sealed))
})

test('a text under another key with the same id is refused', async () => {
  const sealer = createSealer([first])
  const header = { alg: 'dir', enc: 'A256GCM', kid: sealer.keyIds[0] as string }
  const forged = new CompactEncrypt(Buffer.from('a')).setProtectedHeader(header)
  await expect(sealer.open(await forged.encrypt(second))).rejects.toThrow()
})

test('a text sealed by another algorithm is refused, whatever its key', async () => {
  const sealer = createSealer([first])
  const kid = sealer.keyIds[0] as string
  const bytes = deriveKey(first, 'notification-center/secret')
  for (const header of [
    { alg: 'dir', enc: 'A128CBC-HS256', kid },
    { alg: 'A256KW', enc: 'A256GCM', kid },
  ]) {
    const sealed = await new CompactEncrypt(Buffer.from('a')).setProtectedHeader(header).encrypt(bytes)
    await expect(sealer.open(sealed)).rejects.toThrow(/not allowed/)
  }
})

test('keys of two purposes differ', () => {
  expect(deriveKey(first, 'a')).not.toEqual(deriveKey(first, 'b'))
  expect(deriveKey(first, 'a')).toEqual(deriveKey(first, 'a'))
  expect(deriveKey(first, 'a')).toHaveLength(32)
})

test('a sealer without a master key is refused', () => {
  expect(() => createSealer([])).toThrow()
})
