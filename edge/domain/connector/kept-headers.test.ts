// Tests which headers of a delivery are kept.

import { expect, test } from 'vitest'
import { chooseHeaders, MAX_KEPT_HEADERS_CHARS } from './kept-headers.ts'

test.each([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'cookie-signature',
  'x-api-key',
  'apikey',
  'x-functions-key',
  'x-gitlab-token',
  'x-auth',
  'x-amz-security-token',
  'x-client-secret',
  'x-forwarded-client-cert',
  'x-session-id',
  'password',
  'webhook-secret',
  'svix-secret',
  'x-signature-token',
  'signature-key',
  'cf-access-jwt-assertion',
  'x-amzn-oidc-data',
  'x_api_key',
  'ocp-apim-subscription-key',
  'phpsessid',
  'referer',
  'x-vercel-protection-bypass',
])('%s may be a credential, and is left out', (name) => {
  expect(chooseHeaders({ [name]: 'let me in', 'content-type': 'application/json' })).toEqual({
    'content-type': 'application/json',
  })
})

test.each([
  'stripe-signature',
  'x-hub-signature-256',
  'x-shopify-hmac-sha256',
  'webhook-signature',
  'webhook-id',
  'svix-timestamp',
  'x-auth-signature',
  'x-hubspot-request-timestamp',
  'user-agent',
])('%s is kept', (name) => {
  expect(chooseHeaders({ [name]: 'v' })).toEqual({ [name]: 'v' })
})

test('values that come twice are joined, and a flood of headers does not displace a signature', () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-${at}-id`, 'v'.repeat(100)]))
  const kept = chooseHeaders({ ...many, 'x-two': undefined, 'webhook-signature': ['v1,a', 'v1,b'] as never })
  expect(kept['webhook-signature']).toBe('v1,a, v1,b')
  expect(Object.entries(kept).flat().join('').length).toBeLessThanOrEqual(MAX_KEPT_HEADERS_CHARS)
  expect(Object.keys(kept).length).toBeGreaterThan(50)
  expect(chooseHeaders({ 'x-long-id': 'v'.repeat(MAX_KEPT_HEADERS_CHARS) })).toEqual({})
})

test('the headers that a source names are kept first, but for the secret of basic credentials', () => {
  const settings = {
    header: 'X-Webhook-Auth',
    algorithm: 'sha256',
    encoding: 'hex',
    signedString: 'body',
    idPath: 'header:X-Number',
    typePath: 'type',
  } as const
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-${at}-id`, 'v'.repeat(100)]))
  const sent = { ...many, 'x-webhook-auth': 's', 'x-number': '7', 'x-other-auth': 'no' }
  const kept = chooseHeaders(sent, settings)
  expect([kept['x-webhook-auth'], kept['x-number'], kept['x-other-auth']]).toEqual(['s', '7', undefined])
  expect(chooseHeaders(sent, { ...settings, algorithm: 'basic' })['x-webhook-auth']).toBeUndefined()
})
