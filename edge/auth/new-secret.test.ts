// Tests the forms of new secrets, and the region in a key.

import { expect, test } from 'vitest'
import { keyRegion, newSecretValue } from './new-secret.ts'

test.each([
  ['sdkSecretKey', /^nc_sdk_eu_[0-9a-f]{48}$/],
  ['authSecretKey', /^nc_auth_eu_[0-9a-f]{48}$/],
  ['frontApiKey', /^nc_front_eu_[0-9a-f]{48}$/],
  ['webhookSigningSecret', /^whsec_[A-Za-z0-9+/]{43}=$/],
] as const)('%s has its form, with at least 192 bits, and never twice', (kind, form) => {
  const values = new Set(Array.from({ length: 100 }, () => newSecretValue(kind, 'eu')))
  for (const value of values) expect(value).toMatch(form)
  expect(values.size).toBe(100)
})

test.each([
  [newSecretValue('sdkSecretKey', 'ap-2'), 'ap-2'],
  [newSecretValue('frontApiKey', 'us'), 'us'],
  ['nc_auth_eu_x', 'eu'],
  ['nc_sdk_EU_x', undefined],
  ['nc_sdk__x', undefined],
  ['nc_other_eu_x', undefined],
  ['xnc_sdk_eu_x', undefined],
  ['nc_sdk_eu', undefined],
  ['', undefined],
])('%s names %s', (value, region) => {
  expect(keyRegion(value)).toBe(region)
})
