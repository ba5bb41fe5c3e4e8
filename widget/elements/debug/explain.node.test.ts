// Tests that each situation of a page has its words and its remedy, and that no report holds a secret.

import { expect, test } from 'vitest'
import { lookAtToken, maskKey, maskUser, scrub } from './credentials.ts'
import { explain, lengthOf, type Situation } from './explain.ts'
import type { Refusal } from './trace.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const hex = 'ab12'.repeat(16)
const jwt = (claims: object): string =>
  ['h', JSON.stringify(claims), 's'].map((part) => Buffer.from(part).toString('base64url')).join('.')

const refusal = (code: string, more: Partial<Refusal> = {}): Refusal => ({
  at: NOW,
  status: 401,
  code,
  correlationId: 'c-1',
  retryAfterMs: undefined,
  message: undefined,
  details: [],
  ...more,
})
const situation = (more: Partial<Situation>): Situation => ({
  state: 'error',
  refusal: undefined,
  probe: { reach: 'not looked', skewMs: undefined },
  skewMs: 0,
  now: NOW,
  token: lookAtToken(hex),
  hasProvider: false,
  authType: 'backendToken',
  origin: 'https://shop.example',
  baseUrl: 'https://notify.example',
  blocked: [],
  socketRetries: 0,
  isListThere: false,
  partFailure: undefined,
  failureCode: undefined,
  worker: '',
  ...more,
})
const explained = (more: Partial<Situation>): string =>
  explain(situation(more))
    .map(({ what, todo }) => `${what} ${todo}`)
    .join('\n')
const noAnswer = refusal('client/no-answer', { status: 0, correlationId: null })
const reached = (reach: Situation['probe']['reach']): Partial<Situation> => ({
  state: 'offline',
  refusal: noAnswer,
  probe: { reach, skewMs: undefined },
})

test.each<[name: string, Partial<Situation>, RegExp]>([
  ['answers of a cache', { failureCode: 'client/old-answer' }, /A cache on the way/],
  [
    'answers of a service worker',
    { failureCode: 'client/old-answer', worker: 'https://shop.example/sw.js' },
    /service worker https:\/\/shop\.example\/sw\.js may give them/,
  ],
  ['an unknown key', { refusal: refusal('auth/invalid-api-key') }, /No environment has this.+mistyped/],
  [
    'a disabled environment',
    { refusal: refusal('auth/invalid-api-key', { message: 'The environment of this Front API Key is disabled.' }) },
    /is disabled\. Enable the environment/,
  ],
  [
    'a key of another region',
    { refusal: refusal('auth/invalid-api-key', { message: 'This key belongs to region "us"; this is region "eu".' }) },
    /region "us".+base-url of that region/,
  ],
  ['a token of another secret', { refusal: refusal('auth/invalid-token-signature') }, /another secret.+HMAC-SHA256/],
  [
    'an expired backend token',
    {
      refusal: refusal('auth/invalid-token-signature'),
      token: lookAtToken(`v2.${NOW / 1000 - 180}.${hex}`),
    },
    /ended 3 minutes ago by the service's clock\. Mint a new one/,
  ],
  [
    'an expired token, seen by a device that is a day behind',
    {
      refusal: refusal('auth/invalid-token-signature'),
      token: lookAtToken(jwt({ exp: NOW / 1000 })),
      skewMs: -86_400_000,
      authType: 'jwt',
    },
    /ended 1 day ago[\s\S]+clock is 1 day behind/,
  ],
  [
    'a token from a backend whose clock is ahead',
    {
      refusal: refusal('auth/invalid-token-signature'),
      token: lookAtToken(jwt({ iat: NOW / 1000 + 600, exp: NOW / 1000 + 900 })),
      authType: 'jwt',
    },
    /begins only in 10 minutes.+set it right/,
  ],
  [
    'a provider that gives out old tokens',
    {
      refusal: refusal('auth/invalid-token-signature'),
      token: lookAtToken(`v2.${NOW / 1000 - 5}.${hex}`),
      hasProvider: true,
    },
    /tokenProvider gives out old tokens/,
  ],
  ['no key registered', { refusal: refusal('auth/no-public-key-registered'), authType: 'jwt' }, /For auth-type jwt/],
  [
    'fields that are missing',
    { refusal: refusal('auth/invalid-inputs', { status: 400, details: ['userId: This field is required.'] }) },
    /userId: This field is required/,
  ],
  [
    'a code of another day',
    { refusal: refusal('other/new', { message: 'Words of the service.' }) },
    /Words of the service/,
  ],
  ['an origin that is not listed', reached('answers'), /https:\/\/shop\.example is not among them.+set-origins/],
  ['no network', reached('no network'), /has no network/],
  ['nothing there', reached('out of reach'), /Nothing answers at.+healthz/],
  ['something else there', reached('answers nobody'), /not as the service does/],
  [
    'a page that wraps fetch',
    reached('answers beside fetch'),
    /wraps `fetch`.+Pass calls to https:\/\/notify\.example on/,
  ],
  ['a page of a file', { ...reached('answers nobody'), origin: 'null' }, /no origin.+not as a file/],
  ['mixed content', reached('mixed content'), /plain HTTP/],
  [
    'a policy in the way',
    { ...reached('blocked by the policy'), blocked: ['connect-src https://notify.example'] },
    /Content-Security-Policy blocks.+connect-src https:\/\/notify\.example wss:\/\/notify\.example/,
  ],
  [
    'a provider that fails',
    { state: 'offline', refusal: refusal('client/token-provider', { status: 0, message: 'TypeError' }) },
    /tokenProvider failed \(TypeError\)/,
  ],
  [
    'too many calls',
    { state: 'offline', refusal: refusal('request/rate-limited', { status: 429, retryAfterMs: 30_000 }) },
    /429 request\/rate-limited.+again in 30 seconds/,
  ],
  ['a proxy without WebSocket', { state: 'ready', socketRetries: 2 }, /WebSocket did not come up in 2 attempts/],
  ['a clock that is a day ahead', { state: 'ready', skewMs: 86_400_000 }, /1 day ahead/],
])('%s is told in words', (_, more, words) => {
  expect(explained(more)).toMatch(words)
})

test('where all is well, nothing is said', () => {
  expect(explain(situation({ state: 'ready', skewMs: 900 }))).toEqual([])
})

test.each([
  [null, 'not set'],
  [`nc_front_eu_${hex}`, 'nc_front_eu_…ab12'],
  [`nc_sdk_eu_${hex}`, 'nc_sdk_eu_…'],
  ['hunter2', '… (7 characters, no Front API Key)'],
])('of the key %s it shows %s', (key, shown) => {
  expect(maskKey(key)).toBe(shown)
})

test('people who are named by their address are not', () => {
  expect(maskUser('ada.lovelace@example.com')).toBe('a…@… (24 characters)')
  expect(maskUser('u_42')).toBe('u_42')
})

test('what has the form of a secret is gone from a text, wherever it stands', () => {
  const secrets = [
    jwt({ sub: 'ada' }).replace(/^[^.]+/, 'eyJhbGciOiJIUzI1NiJ9'),
    `v2.1800000000.${hex}`,
    hex,
    `nc_auth_eu_${hex}`,
  ]
  const text = scrub(`a ${secrets.join(' b ')} c ada@example.com d my-own-token e`, ['my-own-token', null, ''])
  for (const secret of [...secrets, 'ada@example.com', 'my-own-token']) expect(text).not.toContain(secret)
  expect(text).toMatch(/^a … b … b … b … c … d … e$/)
  expect(scrub(`nc_front_eu_…ab12 seq 12 of epoch e-1`)).toBe('nc_front_eu_…ab12 seq 12 of epoch e-1')
})

test('lengths are told in their largest unit', () => {
  expect([0, 1_000, 59_000, 60_000, 7_200_000, 86_400_000].map(lengthOf)).toEqual([
    '0 seconds',
    '1 second',
    '59 seconds',
    '1 minute',
    '2 hours',
    '1 day',
  ])
})
