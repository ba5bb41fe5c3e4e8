// Tests that each form of a secret is found and reported by its position alone.

import { expect, test } from 'vitest'
import { createOutputReader, describeLeak, findLeaks, type Leak } from './leaks.ts'

const FORMS: [string, string][] = [
  ['sdkSecretKey', 'nc_sdk_eu_pKq9r8GKYqrTwjUPD8ILPZIo2LaLaSw0'],
  ['authSecretKey', 'nc_auth_eu-west_pKq9r8GKYqrTwjUPD8ILPZIo2L'],
  ['webhookSigningSecret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ['JSON Web Token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
  ['backend token v2', 'v2.1760000000.0123456789abcdef0123456789abcdef'],
  ['backend token', 'a3f5'.repeat(16)],
  ['master key', Buffer.from('a master key of thirty-two bytes').toString('base64')],
  ['private key', '{"kty":"EC","d":"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"}'],
  ['password in an address', 'postgres://me:word@127.0.0.1:5432/x'],
  ['e-mail address', 'ann@mail.example.com'],
]

test.each(FORMS)('%s is found, and its place told without it', (kind, secret) => {
  const leaks = findLeaks('an edge', `fine\nbad ${secret}, bad\n`)
  expect(leaks).toContainEqual({ source: 'an edge', line: 2, kind })
  expect(leaks.map(describeLeak).join()).not.toContain(secret.slice(-6))
})

test('what is public or only looks alike is no leak', () => {
  const fine = [
    'nc_front_eu_pKq9r8GKYqrTwjUPD8ILPZIo2LaLaSw0',
    'file:///srv/node_modules/@hono/node-server/dist/index.mjs:12:5',
    'vitest@4.1.12',
    'postgres://postgres@127.0.0.1:5432/x http://127.0.0.1:3000/a',
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    'evt_019f3c nc_sdk_[scrubbed] [scrubbed token]',
    'commit 8f590dc3a1b2c3d4e5f60718293a4b5c6d7e8f90',
  ]
  expect(findLeaks('x', fine.join('\n'))).toEqual([])
})

test('a secret that comes in two pieces is found', () => {
  const leaks: Leak[] = []
  const reader = createOutputReader('x', (leak) => leaks.push(leak))
  for (const piece of ['first\nnc_sdk_eu_pK', 'q9r8GKYqrTwj', '\nthird']) reader.write(piece)
  expect(leaks).toEqual([{ source: 'x', line: 2, kind: 'sdkSecretKey' }])
  reader.end()
  expect(reader.lines()).toBe(3)
})
