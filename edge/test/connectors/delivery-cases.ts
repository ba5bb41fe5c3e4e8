// Lists deliveries that are odd or false in one way each, for every scheme, with what is answered.

import type { ConnectorPlatform } from '../../../contract/tenant.ts'
import type { Scheme, Signing } from './schemes.ts'

/** Status and code of an answer; of an accepted delivery, its number of events. */
export const OUTCOMES = {
  one: '200, 1 accepted',
  thousand: '200, 1000 accepted',
  refused: '401 webhook/invalid-signature',
  invalid: '400 request/invalid-body',
  large: '413 request/payload-too-large',
  encoded: '415 request/unsupported-media-type',
  unknown: '404 source/not-found',
} as const
export type Outcome = keyof typeof OUTCOMES

export interface Delivery {
  path: string
  /** In the order of the request; a name may come twice. */
  headers: [string, string][]
  body: Buffer
}

export interface DeliveryCase {
  name: string
  /** The default is every scheme. */
  of?: (scheme: Scheme) => boolean
  outcome: Outcome
  /** Changes a right delivery. */
  change(right: Right): Partial<Delivery>
}

/** A right delivery, and what makes another one. */
export interface Right extends Delivery, Signing {
  scheme: Scheme
  id: string
  sourceId: string
  /** @returns The headers of this signing; parts that are missing are those of the right delivery. */
  sign(signing?: Partial<Signing>): [string, string][]
}

const TOLERANCE_MS = 5 * 60_000
export const MAX_BYTES = 4 * 1024 * 1024
const PLATFORMS: ConnectorPlatform[] = ['segment', 'stripe', 'hubspot', 'intercom', 'customerio']

const signed = (right: Right, body: Buffer): Partial<Delivery> => ({ body, headers: right.sign({ body }) })
/** Pads a body with the white space that JSON allows. */
const padded = (body: Buffer, bytes: number) => Buffer.concat([body, Buffer.alloc(bytes - body.length, ' ')])
const array = ({ scheme, id }: Right, items: number) =>
  Buffer.from(JSON.stringify(Array.from({ length: items }, (_, at) => scheme.item(`${id}-${at}`))))
const isTimed = ({ stepMs }: Scheme) => stepMs !== null
const drift = (right: Right, ms: number) => ({ headers: right.sign({ at: right.at + ms }) })
const beyond = ({ scheme }: Right) => TOLERANCE_MS + (scheme.stepMs ?? 0)

/** @param change Of the value of each header that signs, one at a time. */
function ofEachHeader(what: string, change: (value: string, name: string) => [string, string][]): DeliveryCase[] {
  return [0, 1].map((place) => ({
    name: `${what} header ${place + 1}`,
    of: (scheme) => place === 0 || TWO_HEADERS.includes(scheme.name),
    outcome: 'refused',
    change: ({ headers }) => ({
      headers: headers.flatMap(([name, value], at) => (at === place ? change(value, name) : [[name, value]])),
    }),
  }))
}
const TWO_HEADERS = ['hubspot v1', 'hubspot v2', 'hubspot v3', 'customerio']

/** Replaces the value of the header that holds the signature. */
const otherSignature = ({ headers, scheme }: Right, change: (value: string) => string) => ({
  headers: headers.map(([name, value]): [string, string] => [name, name === scheme.signature ? change(value) : value]),
})
const ofScheme = (name: string) => (scheme: Scheme) => scheme.name === name

export const DELIVERY_CASES: readonly DeliveryCase[] = [
  { name: 'right', outcome: 'one', change: () => ({}) },
  { name: 'an unknown type', outcome: 'one', change: (right) => signed(right, unknownType(right)) },

  { name: 'wrong secret', outcome: 'refused', change: (right) => ({ headers: right.sign({ secret: 'wrong' }) }) },
  { name: 'no secret', outcome: 'refused', change: (right) => ({ headers: right.sign({ secret: '' }) }) },
  { name: 're-serialised body', outcome: 'refused', change: ({ body }) => ({ body: Buffer.from(indented(body)) }) },
  { name: 'a byte more', outcome: 'refused', change: ({ body }) => ({ body: padded(body, body.length + 1) }) },
  { name: 'a byte less', outcome: 'refused', change: ({ body }) => ({ body: body.subarray(0, -1) }) },
  { name: 'no body', outcome: 'refused', change: () => ({ body: Buffer.alloc(0) }) },
  { name: 'no headers', outcome: 'refused', change: () => ({ headers: [] }) },

  ...ofEachHeader('without', () => []),
  ...ofEachHeader('empty', (_, name) => [[name, '']]),
  ...ofEachHeader('doubled', (value, name) => [
    [name, value],
    [name, value],
  ]),
  ...ofEachHeader('cut', (value, name) => [[name, value.slice(0, -2)]]),
  ...ofEachHeader('longer', (value, name) => [[name, `${value}0`]]),
  ...ofEachHeader('joined', (value, name) => [[name, `${value},${value}`]]),
  ...ofEachHeader('not ASCII', (value, name) => [[name, `é${value}`]]),
  ...ofEachHeader('8,000 characters in', (value, name) => [[name, value + 'a'.repeat(8000)]]),

  ...[-1, 1].flatMap((side): DeliveryCase[] => [
    { name: `${side * 5} minutes`, of: isTimed, outcome: 'one', change: (right) => drift(right, side * TOLERANCE_MS) },
    {
      name: `more than ${side * 5} minutes`,
      of: isTimed,
      outcome: 'refused',
      change: (right) => drift(right, side * beyond(right)),
    },
  ]),
  {
    name: 'a new time with the old signature',
    of: isTimed,
    outcome: 'refused',
    change: ({ headers, at, scheme }) => ({ headers: withTime(headers, at + 2000, scheme) }),
  },

  {
    name: 'downgrade to v0',
    of: ofScheme('stripe'),
    outcome: 'refused',
    change: (right) => otherSignature(right, (value) => value.replace('v1=', 'v0=')),
  },
  {
    name: 'a wrong v1 beside the right v0',
    of: ofScheme('stripe'),
    outcome: 'refused',
    change: (right) => otherSignature(right, (value) => `${value.replace('v1=', 'v0=')},v1=${'0'.repeat(64)}`),
  },
  {
    name: 'a wrong v1 beside the right one',
    of: ofScheme('stripe'),
    outcome: 'one',
    change: (right) => otherSignature(right, (value) => `${value},v1=${'0'.repeat(64)}`),
  },
  {
    name: 'a wrong v3 beside it',
    of: ({ name }) => name === 'hubspot v1' || name === 'hubspot v2',
    outcome: 'refused',
    change: ({ headers, at }) => ({ headers: [...headers, ...thirdVersion('AAAA', at)] }),
  },
  {
    name: 'an empty v3 beside it',
    of: ({ name }) => name === 'hubspot v1' || name === 'hubspot v2',
    outcome: 'refused',
    change: ({ headers, at }) => ({ headers: [...headers, ...thirdVersion('', at)] }),
  },
  {
    name: 'declared as v1',
    of: ofScheme('hubspot v2'),
    outcome: 'refused',
    change: ({ headers, scheme }) => ({
      headers: headers.map(([name, value]): [string, string] => [name, name === scheme.signature ? value : 'v1']),
    }),
  },
  {
    name: 'declared as SHA-256',
    of: ofScheme('intercom'),
    outcome: 'refused',
    change: (right) => otherSignature(right, (value) => value.replace('sha1=', 'sha256=')),
  },
  {
    name: 'the bare signature',
    of: ofScheme('intercom'),
    outcome: 'refused',
    change: (right) => otherSignature(right, (value) => value.replace('sha1=', '')),
  },

  ...PLATFORMS.map(
    (provider): DeliveryCase => ({
      name: `the path of ${provider}`,
      of: (scheme) => scheme.provider !== provider,
      outcome: 'unknown',
      change: ({ sourceId }) => ({ path: `/v1/connectors/${provider}/${sourceId}` }),
    }),
  ),

  { name: '1,000 items', outcome: 'thousand', change: (right) => signed(right, array(right, 1000)) },
  { name: '1,001 items', outcome: 'invalid', change: (right) => signed(right, array(right, 1001)) },
  { name: '4 MiB', outcome: 'one', change: (right) => signed(right, padded(right.body, MAX_BYTES)) },
  {
    name: '4 MiB and a byte',
    outcome: 'large',
    change: (right) => signed(right, padded(right.body, MAX_BYTES + 1)),
  },
  {
    name: 'not UTF-8',
    outcome: 'invalid',
    change: (right) => signed(right, Buffer.from(right.body.toString().replace('{', '{"a":"\xff",'), 'latin1')),
  },
  { name: 'no JSON', outcome: 'invalid', change: (right) => signed(right, Buffer.from('{"id":')) },
  { name: 'null', outcome: 'invalid', change: (right) => signed(right, Buffer.from('null')) },
  { name: 'a text', outcome: 'invalid', change: (right) => signed(right, Buffer.from('"text"')) },
  {
    name: 'gzip',
    outcome: 'encoded',
    change: ({ headers }) => ({ headers: [...headers, ['content-encoding', 'gzip']] }),
  },
]

const indented = (body: Buffer) => JSON.stringify(JSON.parse(body.toString()), null, 1)

const unknownType = ({ body, scheme }: Right) => Buffer.from(body.toString().replace(scheme.type, 'new.kind'))

const thirdVersion = (signature: string, at: number): [string, string][] => [
  ['x-hubspot-signature-v3', signature],
  ['x-hubspot-request-timestamp', String(at)],
]

function withTime(headers: [string, string][], at: number, { signature, name }: Scheme): [string, string][] {
  const time = String(Math.floor(at / (name === 'hubspot v3' ? 1 : 1000)))
  if (name === 'stripe') return headers.map(([key, value]) => [key, value.replace(/t=\d+/, `t=${time}`)])
  return headers.map(([key, value]) => [key, key === signature ? value : time])
}
