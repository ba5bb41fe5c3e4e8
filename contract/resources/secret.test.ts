// Tests what the steps of a rotation take: an overlap of an hour to seven days, and what must be confirmed.

import { expect, test } from 'vitest'
import type { z } from 'zod'
import { DEFAULT_OVERLAP_MS, secretConfirmation, secretOverlap } from './secret.ts'
import { sourceSecretExtend, sourceSecretRotate } from './source-secret.ts'

const HOUR_MS = 3_600_000

const faultsOf = (schema: z.ZodType, body: unknown) =>
  schema.safeParse(body).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

test.each(['PT59M', 'P7DT1S', 'P8D', '24', '', 'PT1H '])('an overlap of "%s" is refused', (overlap) => {
  for (const schema of [secretOverlap, sourceSecretRotate, sourceSecretExtend]) {
    expect(faultsOf(schema, { overlap })).toEqual(['overlap: An ISO 8601 duration from PT1H to P7D.'])
  }
})

test('an overlap is milliseconds, by default of a day', () => {
  expect(secretOverlap.parse({ overlap: 'PT1H' })).toEqual({ overlap: HOUR_MS })
  expect(secretOverlap.parse({ overlap: 'P7D' })).toEqual({ overlap: 7 * 24 * HOUR_MS })
  expect(secretOverlap.parse({})).toEqual({ overlap: DEFAULT_OVERLAP_MS })
  expect(sourceSecretRotate.parse({})).toEqual({})
})

test.each([false, null, undefined, 'true', 1])('the end of values is not confirmed by %s', (confirm) => {
  const fault = 'confirm: This must be true: values end now, and whoever uses them is refused.'
  expect(faultsOf(secretConfirmation, { confirm })).toEqual([fault])
})
