// Tests what is sent of mappings as they are typed.

import { expect, test } from 'vitest'
import { cleanMappings } from './clean-mappings.ts'
import { identifyOf, textOfIdentify } from './mapping-actions.ts'

const EMPTY = { providerEvent: 'a', event: null, userIdPath: null, propertiesPath: null }

test.each([
  [
    { ...EMPTY, providerEvent: ' invoice.paid ' },
    { ...EMPTY, providerEvent: 'invoice.paid' },
  ],
  [
    { ...EMPTY, event: ' paid ', userIdPath: '  ' },
    { ...EMPTY, event: 'paid' },
  ],
  [
    { ...EMPTY, propertiesPath: '' },
    { ...EMPTY, propertiesPath: '' },
  ],
  [{ ...EMPTY, propertiesPath: ' ' }, EMPTY],
  [
    { ...EMPTY, traits: ['plan', '', ' seats '] },
    { ...EMPTY, traits: ['plan', 'seats'] },
  ],
  [{ ...EMPTY, traits: [''] }, EMPTY],
  [
    { ...EMPTY, drop: true, where: ' a ', joinTopic: ' t ', identify: { email: 'data.mail' } },
    { ...EMPTY, drop: true, where: 'a', joinTopic: 't', identify: { email: 'data.mail' } },
  ],
  [{ ...EMPTY, drop: false, where: ' ', joinTopic: '', identify: {} }, EMPTY],
])('%j is sent as %j', (typed, sent) => expect(cleanMappings([typed])).toEqual([sent]))

test('lines of a profile are paths and back', () => {
  const text = 'email = data.mail\nattributes.plan = data.plan\nattributes.a=b = data.x\nexternalIds.stripe = data.id'
  const identify = identifyOf(`${text}\nunfinished =\n\nname`)
  expect(identify).toEqual({
    email: 'data.mail',
    attributes: { plan: 'data.plan', a: 'b = data.x' },
    externalIds: { stripe: 'data.id' },
  })
  expect(identifyOf(textOfIdentify(identify))).toEqual(identify)
})
