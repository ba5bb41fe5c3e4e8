// Tests rules of a source that are between fields: their faults stand beside those of the fields.

import { expect, test } from 'vitest'
import type { z } from 'zod'
import { newSource, sourceChange } from './source.ts'

const HMAC = { header: 'X', algorithm: 'sha256', encoding: 'hex', signedString: 'body', idPath: 'id', typePath: 'type' }

const faultsOf = (schema: z.ZodType, body: unknown) =>
  schema.safeParse(body).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

test('a source of hmac has settings, and no other has; also where another field is faulty', () => {
  const missing = 'settings: This is missing.'
  const alone = 'settings: Only a source of the provider hmac has settings.'
  expect(faultsOf(newSource, { name: 'n', provider: 'hmac', settings: HMAC })).toBeUndefined()
  expect(faultsOf(newSource, { provider: 'hmac' })).toContain(missing)
  expect(faultsOf(newSource, { provider: 'stripe', settings: HMAC })).toContain(alone)
  expect(faultsOf(newSource, { name: 'n', provider: 'hmac', settings: null })).not.toContain(missing)
  expect(faultsOf(newSource, [])).toHaveLength(1)
})

test('each type has one mapping, and conditions are counted; also where a mapping is faulty', () => {
  const of = (...mappings: unknown[]) => faultsOf(newSource, { name: 'n', provider: 'stripe', mappings })
  expect(of({ providerEvent: 'a' }, null, { providerEvent: 'a', other: 1 })).toContain(
    'mappings.2.providerEvent: Another mapping has this type.',
  )
  const filters = Array.from({ length: 51 }, (_, at) => ({ providerEvent: `${at}`, where: 'true' }))
  expect(of('', ...filters)).toContain('mappings: At most 50 have a condition.')
  expect(of(...filters.slice(1))).toBeUndefined()
  expect(faultsOf(sourceChange, { mappings: {} })).toHaveLength(1)
})

test('a mapping is stored with null where it names nothing, and without a drop that is false', () => {
  const { mappings } = sourceChange.parse({ mappings: [{ drop: false, providerEvent: 'a', where: 'true' }] })
  const whole = { providerEvent: 'a', event: null, userIdPath: null, propertiesPath: null, where: 'true' }
  // A run of kept deliveries compares mappings as text.
  expect(JSON.stringify(mappings)).toBe(JSON.stringify([whole]))
})

test('a change takes no secret', () => {
  for (const verificationSecret of ['another', null]) {
    expect(faultsOf(sourceChange, { verificationSecret })).toEqual([
      'verificationSecret: A secret is replaced by rotate or emergency of the source.',
    ])
  }
})
