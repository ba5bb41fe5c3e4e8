// Tests the tokens in addresses of mails: only unchanged ones, of the same purpose, are read.

import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLinkTokens, type LinkToken } from './link-token.ts'

const [old, current] = [new Uint8Array(randomBytes(32)), new Uint8Array(randomBytes(32))]
const tokens = createLinkTokens([current], 'eu')
const token: fc.Arbitrary<LinkToken> = fc
  .record({
    kind: fc.constantFrom('open', 'click', 'unsubscribe'),
    environmentId: fc.nat(Number.MAX_SAFE_INTEGER),
    messageId: fc.nat(Number.MAX_SAFE_INTEGER),
    target: fc.option(fc.webUrl({ withQueryParameters: true, withFragments: true }), { nil: null }),
  })
  .map((one) => ({ ...one, target: one.kind === 'click' ? (one.target ?? 'https://a.example/') : null }))

test('a token is read as it was signed, for its own purpose alone', () => {
  fc.assert(
    fc.property(token, (one) => {
      const text = tokens.sign(one)
      expect(text).toMatch(/^[\w-]+$/)
      expect(tokens.read(text, one.kind)).toEqual(one)
      for (const kind of ['open', 'click', 'unsubscribe'] as const) {
        if (kind !== one.kind) expect(tokens.read(text, kind)).toBeUndefined()
      }
    }),
    { seed: 7 },
  )
})

test('a token with any other byte, cut, longer or in another spelling is refused', () => {
  fc.assert(
    fc.property(token, fc.nat(), fc.integer({ min: 1, max: 255 }), (one, place, flip) => {
      const text = tokens.sign(one)
      const bytes = Buffer.from(text.slice('eu_'.length), 'base64url')
      bytes[place % bytes.length] = (bytes[place % bytes.length] ?? 0) ^ flip
      expect(tokens.read(`eu_${bytes.toString('base64url')}`, one.kind)).toBeUndefined()
      expect(tokens.read(text.replace('eu_', 'us_'), one.kind)).toBeUndefined()
      expect(tokens.read(text.slice('eu_'.length), one.kind)).toBeUndefined()
      expect(tokens.read(text.slice(0, -1), one.kind)).toBeUndefined()
      expect(tokens.read(`${text}A`, one.kind)).toBeUndefined()
      expect(tokens.read(`${text}=`, one.kind)).toBeUndefined()
    }),
    { seed: 8 },
  )
})

test('foreign texts are refused, and a former master key still verifies', () => {
  const one: LinkToken = { kind: 'click', environmentId: 1, messageId: 2, target: 'https://a.example/?b=c.d' }
  for (const text of ['', 'x', '%', '../..', 'a'.repeat(20_000), createLinkTokens([old], 'eu').sign(one)]) {
    expect(tokens.read(text, 'click')).toBeUndefined()
  }
  expect(createLinkTokens([current, old], 'us-2').read(createLinkTokens([old], 'eu').sign(one), 'click')).toEqual(one)
})
