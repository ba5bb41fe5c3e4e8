// Tests the signatures of all platforms: computed vectors, wrong and old values, and odd headers.

import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { CONNECTOR_PLATFORMS, type ConnectorPlatform } from '../../contract/tenant.ts'
import type { ConnectorCall, SourceChecks } from '../domain/connector/connector.ts'
import { connectors } from './connectors.ts'

const BODY = '{"type":"track","event":"Order Completed","userId":"user-123","properties":{"total":42.5}}'
const NOW = 1_767_225_600_000
const MINUTES = 60_000
const NONE: SourceChecks = { requireV3: false, allowUnsignedBatchTail: false, settings: null }
const ADDRESS = 'https://n.example/v1/connectors/hubspot/src_1'

interface Vector {
  platform: ConnectorPlatform
  what: string
  secret: string
  headers: Record<string, string>
  /** The header that holds the signature. */
  signature: string
  isTimed: boolean
}

const VECTORS: Vector[] = [
  {
    platform: 'segment',
    what: 'SHA-1',
    secret: 'shared',
    headers: { 'x-signature': 'ab16acfe4f65d558b2d4f7099d22bfc5a6ed8cf4' },
    signature: 'x-signature',
    isTimed: false,
  },
  {
    platform: 'stripe',
    what: 'v1',
    secret: 'whsec_stripe',
    headers: {
      'stripe-signature': 't=1767225600,v1=92b0b2cfb8569ea6bdbef393e414a5a9a6ed3ecb60a55c0cc6f45d5b428f5d1b',
    },
    signature: 'stripe-signature',
    isTimed: true,
  },
  {
    platform: 'hubspot',
    what: 'v1',
    secret: 'client',
    headers: {
      'x-hubspot-signature': 'c5a6c09fdc202e20e6d88557895fa257b7880858c2ec760a38cb2d98377bfa11',
      'x-hubspot-signature-version': 'v1',
    },
    signature: 'x-hubspot-signature',
    isTimed: false,
  },
  {
    platform: 'hubspot',
    what: 'v2',
    secret: 'client',
    headers: {
      'x-hubspot-signature': 'c47ef73dc5f0b0877929df60f7fd5ba94976ebe8c46755209932c64134e9abce',
      'x-hubspot-signature-version': 'v2',
    },
    signature: 'x-hubspot-signature',
    isTimed: false,
  },
  {
    platform: 'hubspot',
    what: 'v3',
    secret: 'client',
    headers: {
      'x-hubspot-signature-v3': 'GaGxL/tSKMTVnxgu77CPI5pIh0TcA4yMCawT7N/j+Ow=',
      'x-hubspot-request-timestamp': '1767225600000',
    },
    signature: 'x-hubspot-signature-v3',
    isTimed: true,
  },
  {
    platform: 'intercom',
    what: 'SHA-1',
    secret: 'client',
    headers: { 'x-hub-signature': 'sha1=b9259fbd446c9327ae8a62bf9ecb60cb14d16c01' },
    signature: 'x-hub-signature',
    isTimed: false,
  },
  {
    platform: 'customerio',
    what: 'v0',
    secret: 'cio',
    headers: {
      'x-cio-signature': 'ed00e2ccd0cd4f1b59617b3ea33f98e5f639501a1d9b22dba0722df322780669',
      'x-cio-timestamp': '1767225600',
    },
    signature: 'x-cio-signature',
    isTimed: true,
  },
]

function verify(vector: Vector, change: Partial<ConnectorCall> & { secret?: string; checks?: SourceChecks } = {}) {
  const { secret = vector.secret, checks = NONE, ...call } = change
  const whole = { method: 'POST', url: ADDRESS, headers: vector.headers, body: Buffer.from(BODY), now: NOW, ...call }
  return connectors[vector.platform].verify(whole, secret, checks).ok
}

test.each(VECTORS)('$platform $what: the vector, and what differs from it', (vector) => {
  expect(verify(vector)).toBe(true)
  expect(verify(vector, { secret: `${vector.secret}x` })).toBe(false)
  expect(verify(vector, { secret: '' })).toBe(false)
  expect(verify(vector, { body: Buffer.from(`${BODY} `) })).toBe(false)
  expect(verify(vector, { body: Buffer.from(JSON.stringify(JSON.parse(BODY), null, 1)) })).toBe(false)
  expect(verify(vector, { body: Buffer.alloc(0) })).toBe(false)
  for (const header of Object.keys(vector.headers)) {
    const { [header]: value = '', ...others } = vector.headers
    expect(verify(vector, { headers: others }), `without ${header}`).toBe(false)
    expect(verify(vector, { headers: { ...others, [header]: '' } }), `empty ${header}`).toBe(false)
    expect(verify(vector, { headers: { ...others, [header]: `${value}, ${value}` } }), `doubled ${header}`).toBe(false)
    expect(verify(vector, { headers: { ...others, [header]: value.slice(0, -2) } }), `cut ${header}`).toBe(false)
    expect(verify(vector, { headers: { ...others, [header]: `${value}é` } }), `odd ${header}`).toBe(false)
  }
})

test.each(VECTORS.filter(({ isTimed }) => isTimed))('$platform $what: five minutes on both sides', (vector) => {
  for (const off of [-5 * MINUTES, 5 * MINUTES]) {
    expect(verify(vector, { now: NOW + off })).toBe(true)
    expect(verify(vector, { now: NOW + off + Math.sign(off) })).toBe(false)
  }
})

test.each(VECTORS)('$platform $what: no other platform takes it', (vector) => {
  for (const platform of CONNECTOR_PLATFORMS) {
    if (platform === vector.platform) continue
    expect(verify({ ...vector, platform }), platform).toBe(false)
  }
})

const vectorOf = (platform: ConnectorPlatform, what: string) =>
  VECTORS.find((vector) => vector.platform === platform && vector.what === what) as Vector

test('stripe: one v1 of several is enough, v0 is none, and two times are none', () => {
  const vector = vectorOf('stripe', 'v1')
  const right = vector.headers['stripe-signature'] ?? ''
  const [time = '', signature = ''] = right.split(',')
  const isTaken = (header: string) => verify(vector, { headers: { 'stripe-signature': header } })
  expect(isTaken(`${time},v1=${'0'.repeat(64)},${signature}`)).toBe(true)
  expect(isTaken(`${signature},${time}`)).toBe(true)
  expect(isTaken(`${time},${signature.replace('v1', 'v0')}`)).toBe(false)
  expect(isTaken(`${time},t=1767225601,${signature}`)).toBe(false)
  expect(isTaken(`${time.replace('t=', 't=0x')},${signature}`)).toBe(false)
})

test('hubspot: version 3 is never replaced by a former one, and may be required', () => {
  const [former, third] = [vectorOf('hubspot', 'v1'), vectorOf('hubspot', 'v3')]
  const both = { ...former.headers, ...third.headers }
  expect(verify(third, { headers: both })).toBe(true)
  expect(verify(third, { headers: { ...both, 'x-hubspot-signature-v3': 'AAAA' } })).toBe(false)
  expect(verify(third, { headers: { ...both, 'x-hubspot-signature-v3': '' } })).toBe(false)
  const checks = { ...NONE, requireV3: true }
  expect(verify(third, { checks })).toBe(true)
  expect(verify(former, { checks })).toBe(false)
  expect(verify(vectorOf('hubspot', 'v2'), { checks })).toBe(false)
})

test('a former scheme of HubSpot is taken with a warning for the log, every other without one', () => {
  for (const { platform, what, secret, headers } of VECTORS) {
    const call = { method: 'POST', url: ADDRESS, headers, body: Buffer.from(BODY), now: NOW }
    const isFormer = platform === 'hubspot' && what !== 'v3'
    const warning = isFormer ? expect.stringContaining(`version ${what}`) : undefined
    expect(connectors[platform].verify(call, secret, NONE), what).toEqual({ ok: true, warning })
  }
})

test('hubspot: the address is part of versions 2 and 3', () => {
  for (const what of ['v2', 'v3']) {
    const vector = vectorOf('hubspot', what)
    expect(verify(vector, { url: `${ADDRESS}?a=1` })).toBe(false)
    expect(verify(vector, { url: ADDRESS.replace('https', 'http') })).toBe(false)
    expect(verify(vector, { method: 'PUT' })).toBe(false)
  }
})

test('segment: the first item of a batch may be signed as it is written', () => {
  const first = '{"type":"track","n":12345678901234567890,"f":1.0,"text":"\\u00e9 , ] \\" }","in":[{"a":[1]}]}'
  const signature = createHmac('sha1', 'secret').update(first).digest('hex')
  const vector = { ...vectorOf('segment', 'SHA-1'), secret: 'secret', headers: { 'x-signature': signature } }
  expect(verify(vector, { body: Buffer.from(`[ ${first} , {"type":"track"}]`) })).toBe(true)
  expect(verify(vector, { body: Buffer.from(`[${first}]`) })).toBe(true)
  expect(verify(vector, { body: Buffer.from(`[{"type":"track"},${first}]`) })).toBe(false)
  expect(verify(vector, { body: Buffer.from(`[${first.replace('1.0', '1')}]`) })).toBe(false)
})

test('segment: of a batch, the signature is over the first item alone', () => {
  const vector = vectorOf('segment', 'SHA-1')
  expect(verify(vector, { body: Buffer.from(`[${BODY},{"type":"track"}]`) })).toBe(true)
  expect(verify(vector, { body: Buffer.from(`[{"type":"track"},${BODY}]`) })).toBe(false)
  for (const body of ['[]', '[', '[null]', '{']) expect(verify(vector, { body: Buffer.from(body) }), body).toBe(false)
})
