// Tests the order of the checks of a tracking key, with real keys in a real store.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createResolveKey, requireSameKey } from '../../auth/key-ring.ts'
import { ApiError } from '../../lib/api-error.ts'
import { DRAFT, type GivenAuth, givenAuth, refusalOf } from '../../test/support/given-auth.ts'
import { findBearer, requireBearer } from '../kernel/route.ts'

let given: GivenAuth
const keys: Record<string, string> = {}
beforeAll(async () => {
  given = await givenAuth()
  const { environment, values } = await given.createEnvironment()
  keys.live = values.sdkSecretKey
  keys.front = values.frontApiKey
  keys.auth = values.authSecretKey
  keys.disabled = (await given.createEnvironment({ name: 'off', disabledAt: 1 })).values.sdkSecretKey
  const retired = await given.createEnvironment({ name: 'old' })
  keys.retired = retired.values.sdkSecretKey
  const [secret] = await given.stores.secrets.list(retired.environment.id, 'sdkSecretKey')
  await given.stores.secrets.retire(retired.environment.id, secret?.id as number, given.clock.now())
  keys.foreign = keys.live.replace('_eu_', '_us_')
  expect(environment.name).toBe(DRAFT.name)
})
afterAll(() => given.close())

/** Runs all three checks, as the track route does. */
async function check(authorization: string | undefined, inBody: unknown) {
  const credential = requireBearer(authorization)
  requireSameKey(credential, inBody)
  return createResolveKey({ findBySdkKey: given.keyRing.findBySdkKey, regions: { own: 'eu', hosts: {} } })(credential)
}

test('a live key in header and body gives its environment', async () => {
  const found = await check(`Bearer ${keys.live}`, keys.live)
  expect(found.environment.name).toBe('dev')
  expect(found.secretId).toBeGreaterThan(0)
  expect((await check(`bearer  ${keys.live}`, keys.live)).secretId).toBe(found.secretId)
})

test('a live key of another region is unknown, and the message names its region', async () => {
  const elsewhere = createResolveKey({ findBySdkKey: given.keyRing.findBySdkKey, regions: { own: 'us', hosts: {} } })
  const refused = await elsewhere(keys.live as string).catch((error: ApiError) => error)
  expect(refused).toMatchObject({ code: 'auth/invalid-authorization', message: expect.stringContaining('"eu"') })
})

const MALFORMED = '401 auth/tracking-secret-key'
const UNKNOWN = '403 auth/invalid-authorization'
describe('refused', () => {
  test.each<[string, () => [string | undefined, unknown], string]>([
    ['no header, with a key in the body', () => [undefined, keys.live], MALFORMED],
    ['an empty header', () => ['', keys.live], MALFORMED],
    ['no scheme', () => [keys.live, keys.live], MALFORMED],
    ['another scheme', () => [`Basic ${keys.live}`, keys.live], MALFORMED],
    ['a scheme without a credential', () => ['Bearer ', keys.live], MALFORMED],
    ['two credentials', () => [`Bearer ${keys.live} ${keys.live}`, keys.live], MALFORMED],
    ['white space inside', () => [`Bearer ${keys.live?.replace('_', ' ')}`, keys.live], MALFORMED],
    ['no key in the body', () => [`Bearer ${keys.live}`, undefined], MALFORMED],
    ['null in the body', () => [`Bearer ${keys.live}`, null], MALFORMED],
    ['a number in the body', () => [`Bearer ${keys.live}`, 7], MALFORMED],
    ['a list in the body', () => [`Bearer ${keys.live}`, [keys.live]], MALFORMED],
    ['another key in the body', () => [`Bearer ${keys.live}`, keys.disabled], MALFORMED],
    ['an unknown key against a live one', () => ['Bearer nc_sdk_eu_no', keys.live], MALFORMED],
    ['another case in the body', () => [`Bearer ${keys.live}`, keys.live?.toUpperCase()], MALFORMED],
    ['white space after the key in the body', () => [`Bearer ${keys.live}`, `${keys.live}\n`], UNKNOWN],
    ['white space inside the key in the body', () => [`Bearer ${keys.live}`, keys.live?.replace('_', ' _')], UNKNOWN],
    ['an unknown key', () => ['Bearer nc_sdk_eu_no', 'nc_sdk_eu_no'], UNKNOWN],
    ['a key without the form of one', () => ['Bearer x', 'x'], UNKNOWN],
    ['a very long key', () => [`Bearer ${'x'.repeat(5000)}`, 'x'.repeat(5000)], UNKNOWN],
    ['a front key', () => [`Bearer ${keys.front}`, keys.front], UNKNOWN],
    ['an authSecretKey', () => [`Bearer ${keys.auth}`, keys.auth], UNKNOWN],
    ['a retired key', () => [`Bearer ${keys.retired}`, keys.retired], UNKNOWN],
    ['a key of another region', () => [`Bearer ${keys.foreign}`, keys.foreign], UNKNOWN],
    ['a disabled environment', () => [`Bearer ${keys.disabled}`, keys.disabled], MALFORMED],
  ])('%s', async (_, request, expected) => {
    expect(await refusalOf(check(...request()))).toBe(expected)
  })

  test('the error names the other region and does not contain the key', async () => {
    const error = await check(`Bearer ${keys.foreign}`, keys.foreign).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).message).toContain('"us"')
    expect(JSON.stringify([error, (error as ApiError).message])).not.toContain(keys.foreign?.slice(-20))
  })
})

test.each([
  ['Bearer a', 'a'],
  ['BEARER a', 'a'],
  ['Bearer a b', undefined],
  ['Bearera', undefined],
  ['Bearer a\tb', undefined],
  ['Bearer\ta', undefined],
])('%j contains the credential %s', (header, credential) => {
  expect(findBearer(header)).toBe(credential)
})
