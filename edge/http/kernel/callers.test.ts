// Tests the identification of callers: form of the header, unknown keys, keys of other regions, disabled environments.

import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../contract/errors.ts'
import { createResolveKey } from '../../auth/key-ring.ts'
import type { Environment } from '../../domain/environment.ts'
import { ApiError } from '../../lib/api-error.ts'
import { DRAFT } from '../../test/support/draft-environment.ts'
import { processorMs } from '../../test/support/processor-time.ts'
import { createCallers, requireMayManage } from './callers.ts'
import { findBearer } from './route.ts'

const environment: Environment = {
  ...DRAFT,
  id: 1,
  createdAt: 0,
}

function givenCallers(known: Record<string, Environment>) {
  const lookups: (string | undefined)[] = []
  const callers = createCallers({
    resolveKey: createResolveKey({
      regions: { own: 'eu', hosts: {} },
      findBySdkKey: async (value) => {
        lookups.push(value)
        const found = known[value]
        return found === undefined ? undefined : { environment: found, secretId: 7 }
      },
    }),
    verifySession: async (token) => {
      lookups.push(token)
      throw new ApiError('auth/invalid-session')
    },
  })
  return { callers, lookups }
}

async function refusalOf(promise: Promise<unknown>): Promise<{ code: ErrorCode; message: string }> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error('not refused')
  return { code: error.code, message: error.message }
}

describe('a key caller', () => {
  test('is the environment of its key', async () => {
    const { callers } = givenCallers({ nc_sdk_eu_1: environment })
    expect(await callers.key('Bearer nc_sdk_eu_1')).toEqual({ environment, secretId: 7 })
  })

  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'nc_sdk_eu_1',
    'Basic nc_sdk_eu_1',
    'Bearer a b',
    'Bearer\ta',
    'Bearer nc_sdk_eu_1, Bearer x',
  ])('is refused with 401 for the header %j, and nothing is looked up', async (header) => {
    const { callers, lookups } = givenCallers({ nc_sdk_eu_1: environment })
    expect((await refusalOf(callers.key(header))).code).toBe('auth/tracking-secret-key')
    expect(lookups).toEqual([])
  })

  test('is refused with 403 for an unknown key, which the answer does not repeat', async () => {
    const { callers } = givenCallers({})
    const refusal = await refusalOf(callers.key('Bearer nc_sdk_eu_unknown'))
    expect(refusal.code).toBe('auth/invalid-authorization')
    expect(refusal.message).not.toContain('unknown')
  })

  test('gets the region of a key of another region in the error', async () => {
    const { callers } = givenCallers({})
    const refusal = await refusalOf(callers.key('Bearer nc_sdk_us_secretpart'))
    expect(refusal).toEqual({ code: 'auth/invalid-authorization', message: expect.stringContaining('"us"') })
    expect(refusal.message).not.toContain('secretpart')
  })

  test('is refused with 401 when its environment is disabled', async () => {
    const { callers } = givenCallers({ nc_sdk_eu_1: { ...environment, disabledAt: 1 } })
    expect((await refusalOf(callers.key('Bearer nc_sdk_eu_1'))).code).toBe('auth/tracking-secret-key')
  })
})

test('the scheme is read in any case, the credential unchanged', () => {
  expect(findBearer('bearer Abc')).toBe('Abc')
})

test('a long header of spaces is refused in linear time', async () => {
  // With this length, anything but linear time takes many seconds.
  const ms = await processorMs(() => expect(findBearer(`Bearer ${' '.repeat(200_000)}a b`)).toBeUndefined())
  expect(ms).toBeLessThan(2000)
})

test('a widget caller without a header is refused by the session check', async () => {
  const { callers, lookups } = givenCallers({})
  expect((await refusalOf(callers.widget(undefined))).code).toBe('auth/invalid-session')
  expect(lookups).toEqual([undefined])
})

test('an environment whose keys may not manage refuses management', () => {
  expect(() => requireMayManage({ environment, secretId: 1 })).not.toThrow()
  expect(() => requireMayManage({ environment: { ...environment, sdkKeyMayManage: false }, secretId: 1 })).toThrow(
    ApiError,
  )
})
