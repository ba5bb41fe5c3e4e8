// What the page leaves empty is as if it were not there.

import { expect, test } from 'vitest'
import { credentialOf, edgeOf } from './identity.ts'

const NAMED = {
  apiKey: 'nc_front_eu_1',
  authType: null,
  userId: 'u_42',
  token: 'aa',
  tokenProvider: null,
  baseUrl: null,
}

test('the server is the one that is named, else that of the script; an empty name names none', () => {
  const script = 'https://notify.example.com'
  expect(edgeOf({ ...NAMED, baseUrl: 'https://other.example.com/notify//' }, script)).toBe(
    'https://other.example.com/notify',
  )
  expect(edgeOf(NAMED, script)).toBe(script)
  expect(edgeOf({ ...NAMED, baseUrl: '' }, script)).toBe(script)
})

test('the kind of token is the one that is named, else that of a backend', () => {
  expect(credentialOf({ ...NAMED, authType: 'jwt' }).authType).toBe('jwt')
  expect(credentialOf(NAMED).authType).toBe('backendToken')
  expect(credentialOf({ ...NAMED, authType: '' }).authType).toBe('backendToken')
})
