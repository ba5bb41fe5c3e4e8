// Tests the settings of an environment: all faults of a body are told at once, each at its path.

import { expect, test } from 'vitest'
import type { z } from 'zod'
import { environmentChange, newEnvironment } from './environment.ts'

const PROVIDER = { issuer: 'i', audience: 'a', jwksUrl: 'https://i.example/jwks', algorithms: ['RS256'] }

const faultsOf = (schema: z.ZodType, body: unknown) =>
  schema.safeParse(body).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

test('faults of origins, site and schemes stand together', () => {
  const body = { allowedOrigins: ['https://a.example', 'a'], siteUrl: 'a', appSchemes: ['shopapp', 'a:', 'javascript'] }
  const faults = [
    'allowedOrigins.1: "a" is no origin such as https://shop.example or https://*.shop.example.',
    'siteUrl: This must be the https (or http) address of a site, without query, such as https://shop.example.',
    'appSchemes.1: This must be the scheme of an app in lower case, without colon, such as shopapp.',
    'appSchemes.2: Links of javascript: are never allowed.',
  ]
  expect(faultsOf(environmentChange, body)).toEqual(faults)
  expect(faultsOf(newEnvironment, { name: 'dev', ...body })).toEqual(faults)
  expect(faultsOf(environmentChange, { allowedOrigins: [], siteUrl: null, appSchemes: [] })).toBeUndefined()
})

test('a text that is too long has no further fault', () => {
  expect(faultsOf(environmentChange, { allowedOrigins: ['x'.repeat(513)] })).toHaveLength(1)
})

test('a provider has no empty field, no name in braces, and algorithms that are verified', () => {
  const of = (change: object) => faultsOf(environmentChange, { identityProvider: { ...PROVIDER, ...change } })
  const algorithms = /^identityProvider\.algorithms.*: Algorithms must be some of RS256, .*Ed25519\.$/
  expect(of({})).toBeUndefined()
  expect(of({ issuer: 'https://{domain}/', audience: '', jwksUrl: 'ftp://i.example' })).toEqual([
    'identityProvider.issuer: Put a value in place of {domain}.',
    'identityProvider.audience: The audience is empty.',
    'identityProvider.jwksUrl: The JWKS address must be an https (or http) address.',
  ])
  expect(of({ jwksUrl: 'https://{domain}/' })).toEqual(['identityProvider.jwksUrl: Put a value in place of {domain}.'])
  for (const wrong of [[], ['RS256', 'HS256'], ['none']]) {
    expect(of({ algorithms: wrong })).toEqual([expect.stringMatching(algorithms)])
  }
})

test('the `sub` of tokens names the user where the body does not say it', () => {
  const claimsOf = (given: object) => environmentChange.parse({ identityProvider: { ...PROVIDER, ...given } })
  expect(claimsOf({}).identityProvider).toEqual({ ...PROVIDER, clientClaim: 'aud', claims: { userId: 'sub' } })
  const named = claimsOf({ claims: { email: 'mail' } }).identityProvider
  expect(named?.claims).toEqual({ userId: 'sub', email: 'mail' })
  expect(environmentChange.parse({})).toEqual({})
})

test('a redirection has one address; also where another field is faulty', () => {
  const fault = 'emailSandbox.addresses: A redirection has exactly one address.'
  const of = (emailSandbox: unknown) => faultsOf(environmentChange, { name: 7, emailSandbox })
  expect(of({ mode: 'redirect', addresses: [] })).toContain(fault)
  expect(of({ mode: 'redirect', addresses: ['a@b.example', 7] })).toContain(fault)
  for (const one of [{ mode: 'redirect', addresses: ['a@b.example'] }, { mode: 'allow', addresses: [] }, [], null]) {
    expect(of(one)).not.toContain(fault)
  }
})
