// Tests that the key set contains only the public key, and that no other request is answered.

import { exportJWK, generateKeyPair } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import type { DemoFile } from './demo-file.ts'
import { answerKeySet } from './key-set.ts'

let demo: DemoFile
beforeAll(async () => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const identityProvider = { algorithm: 'RS256', kid: 'demo-1', privateKeyJwk: await exportJWK(privateKey) }
  demo = { environments: { dev: { identityProvider } } } as DemoFile
})

const requestOf = (path: string, method = 'GET') => new Request(`http://127.0.0.1${path}`, { method })

test('the key set contains only the public key', async () => {
  const answer = await answerKeySet(demo, requestOf('/demo/jwks.json?x=1'))?.json()
  expect(answer).toEqual({
    keys: [{ kty: 'RSA', n: expect.any(String), e: 'AQAB', alg: 'RS256', kid: 'demo-1', use: 'sig' }],
  })
})

test.each([
  ['without a demo organisation', () => answerKeySet(null, requestOf('/demo/jwks.json'))],
  ['for another path', () => answerKeySet(demo, requestOf('/demo/api/jwks.json'))],
  ['for another method', () => answerKeySet(demo, requestOf('/demo/jwks.json', 'POST'))],
])('there is no key set %s', (_, answer) => {
  expect(answer()).toBeUndefined()
})
