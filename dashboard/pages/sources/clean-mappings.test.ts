// Tests what is sent of mappings as they are typed.

import { expect, test } from 'vitest'
import { cleanMappings } from './clean-mappings.ts'

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
])('%j is sent as %j', (typed, sent) => expect(cleanMappings([typed])).toEqual([sent]))
