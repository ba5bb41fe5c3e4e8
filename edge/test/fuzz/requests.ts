// Generates the requests of an operation of the API reference: allowed ones, and ones with something wrong.

import fc from 'fast-check'
import { ADJUST } from '../support/adjust-bodies.ts'
import { allowed, type Components, type Schema } from '../support/schema-arbitrary.ts'
import { type ByteChange, byteChanges, type Change, changes, hostileTexts, hostileValues } from './hostile.ts'

export interface Parameter {
  in: string
  name: string
  schema: Schema
}

export interface Described {
  parameters?: Parameter[]
  security?: Record<string, unknown>[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
  'x-dashboard-role'?: string
}

export interface Reference {
  components: { schemas: Components }
  paths: Record<string, Record<string, Described>>
}

export interface Operation extends Described {
  method: string
  path: string
  /** Method and path. */
  name: string
}

/** @returns All operations of the reference. */
export function operationsOf({ paths }: Reference): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, described]) => {
      const method = verb.toUpperCase()
      return { ...described, method, path, name: `${method} ${path}` }
    }),
  )
}

/** Which value a parameter of the path gets. */
export type Named = { from: 'own' | 'foreign' | 'unknown'; at: number } | { from: 'text'; text: string }

export type Credential =
  | 'right'
  | 'none'
  | 'sdkSecretKey'
  | 'frontApiKey'
  | 'session'
  | 'cookie'
  | 'foreign'
  | 'forged'
  | 'twice'

export type Body =
  | { form: 'value'; value: unknown; changes: Change[] }
  | { form: 'bytes'; value: unknown; change: ByteChange }
  | { form: 'text'; text: string }
  | { form: 'huge'; bytes: number }

/** A generated request. Ids are numbers into lists of the world, so that a seed repeats it. */
export interface Drawn {
  credential: Credential
  /** Calls a route of keys by its path of the dashboard. */
  isFromDashboard: boolean
  params: Record<string, Named>
  query: [name: string, value: string][]
  /** The query as it is sent, in place of the above. */
  rawQuery: string | undefined
  headers: Record<string, string>
  body: Body | undefined
  contentType: string | undefined
  /** In place of that of the operation. */
  method: string | undefined
}

const weighted = <T>(...options: [weight: number, value: T | fc.Arbitrary<T>][]): fc.Arbitrary<T> =>
  fc.oneof(
    ...options.map(([weight, value]) => ({
      weight,
      arbitrary: value instanceof fc.Arbitrary ? value : fc.constant(value),
    })),
  )

const credentials = weighted<Credential>(
  [88, 'right'],
  [2, 'none'],
  [2, 'sdkSecretKey'],
  [1, 'frontApiKey'],
  [2, 'session'],
  [2, 'cookie'],
  [2, 'foreign'],
  [1, 'forged'],
  [1, 'twice'],
)

const named: fc.Arbitrary<Named> = weighted<Named>(
  [85, fc.nat(40).map((at) => ({ from: 'own', at }))],
  [7, fc.nat(40).map((at) => ({ from: 'foreign', at }))],
  [3, fc.nat(3).map((at) => ({ from: 'unknown', at }))],
  [5, hostileTexts.map((text) => ({ from: 'text', text }))],
)

const contentTypes = weighted<string | undefined>(
  [92, 'application/json'],
  [2, 'application/json; charset=utf-8'],
  [1, 'application/json; charset=utf-16'],
  [1, 'APPLICATION/JSON;a="b'],
  [1, 'text/plain'],
  [1, 'multipart/form-data; boundary=x'],
  [1, ''],
  [1, undefined],
)

const revisions = weighted<string>([6, '*'], [6, '"1"'], [3, '"2"'], [1, 'W/"1"'], [1, '""'], [1, 'x'.repeat(300)])
const keysOnce = weighted<string>(
  [5, fc.nat(50).map((at) => `once-${at}`)],
  [1, ''],
  [1, 'x'.repeat(300)],
  [1, '\u00e9'],
)
const etags = weighted<string>([1, '*'], [1, '"a", W/"b"'], [1, '"'.repeat(50)])
const HEADERS: Record<string, fc.Arbitrary<string>> = {
  'If-Match': revisions,
  'Idempotency-Key': keysOnce,
  'If-None-Match': etags,
}
/** Headers that any call may have. */
const oddHeaders = weighted<Record<string, string>>(
  [90, {}],
  [2, { origin: 'https://elsewhere.invalid' }],
  [2, { 'x-correlation-id': 'fuzz-correlation' }],
  [1, { 'x-correlation-id': '{{7}}' }],
  [1, { 'content-encoding': 'gzip' }],
  [1, { 'accept-language': 'de-AT,de;q=0.5,*;q=x' }],
  [1, { range: 'bytes=0-0' }],
  [1, { 'x-forwarded-for': `${'1.1.1.1,'.repeat(200)}::1` }],
  [1, { 'x-odd': 'x'.repeat(15_000) }],
)

const rawQueries = weighted<string | undefined>(
  [94, undefined],
  [1, 'limit=1&limit=2'],
  [1, '%zz=%'],
  [1, '__proto__[a]=1&constructor=2'],
  [1, `a=${'x'.repeat(5000)}`],
  [1, 'limit=%00&cursor=%ff'],
)
const methods = weighted<string | undefined>(
  [98, undefined],
  [1, 'PATCH'],
  [1, 'HEAD'],
  [1, 'OPTIONS'],
  [1, 'PROPFIND'],
)

/** Bodies of platforms and providers, which the reference does not describe. */
const payloads = fc.record(
  {
    type: weighted<unknown>([3, 'track'], [3, 'identify'], [2, 'invoice.paid'], [1, 'batch'], [1, hostileValues]),
    event: weighted<unknown>([3, 'Order Completed'], [1, hostileValues]),
    id: weighted<unknown>([3, fc.nat(30).map((at) => `id_${at}`)], [1, hostileValues]),
    messageId: weighted<unknown>([3, fc.nat(30).map((at) => `m_${at}`)], [1, hostileValues]),
    userId: weighted<unknown>([3, 'u_1'], [1, hostileValues]),
    properties: weighted<unknown>([3, fc.constant({ name: 'Ada' })], [1, hostileValues]),
    data: weighted<unknown>([3, fc.constant({ object: { customer: 'u_1' } })], [1, hostileValues]),
    timestamp: weighted<unknown>([3, '2026-05-01T12:00:00Z'], [1, hostileValues]),
    batch: fc.array(fc.record({ type: fc.constant('track'), event: hostileTexts, userId: hostileValues }), {
      maxLength: 3,
    }),
  },
  { requiredKeys: [] },
)

/** Schemas that list no fields get what platforms send. */
const isOpen = (schema: Schema) => Object.keys(schema).length === 0

function bodiesOf(schema: Schema, components: Components): fc.Arbitrary<Body> {
  const values = isOpen(schema)
    ? fc.oneof(payloads, fc.array(payloads, { maxLength: 3 }))
    : allowed(schema, components, ADJUST)
  return weighted<Body>(
    [250, values.map((value) => ({ form: 'value', value, changes: [] }))],
    [170, fc.tuple(values, changes).map(([value, list]) => ({ form: 'value', value, changes: list }))],
    [25, hostileValues.map((value) => ({ form: 'value', value, changes: [] }))],
    [45, fc.tuple(values, byteChanges).map(([value, change]) => ({ form: 'bytes', value, change }))],
    [5, fc.constantFrom('', ' ', 'a=b&c=%zz', '<a/>', '\ufeff{}').map((text) => ({ form: 'text', text }))],
    [1, fc.constantFrom(70_000, 300_000, 4_400_000).map((bytes) => ({ form: 'huge', bytes }))],
  )
}

function queryOf(parameters: Parameter[], components: Components): fc.Arbitrary<[string, string][]> {
  const pairs = parameters.map(({ name, schema }) =>
    weighted<[string, string] | undefined>(
      [6, undefined],
      [5, allowed(schema, components).map((value) => [name, String(value)])],
      [1, hostileTexts.map((text) => [name, text])],
    ),
  )
  return fc.tuple(...pairs).map((list) => list.filter((pair) => pair !== undefined))
}

/** @returns An arbitrary of the requests of an operation. */
export function requestsOf(operation: Operation, components: Components): fc.Arbitrary<Drawn> {
  const { path, parameters = [], requestBody } = operation
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const headers = parameters.flatMap(({ in: where, name }) => {
    const values = HEADERS[name]
    return where === 'header' && values !== undefined ? [[name, fc.option(values, { nil: undefined })] as const] : []
  })
  const types = Object.keys(requestBody?.content ?? {})
  const [first] = Object.values(requestBody?.content ?? {})
  const query = parameters.filter((one) => one.in === 'query')
  return fc.record({
    credential: credentials,
    isFromDashboard: isOfKeys(operation) ? weighted([3, false], [1, true]) : fc.constant(false),
    params: fc.record(Object.fromEntries(names.map((name) => [name, named]))),
    query: queryOf(query, components),
    rawQuery: rawQueries,
    headers: fc
      .tuple(fc.record(Object.fromEntries(headers)), oddHeaders)
      .map(([own, odd]) => ({ ...defined(own), ...odd })),
    body: first === undefined ? fc.constant(undefined) : bodiesOf(first.schema, components),
    contentType: types.length > 1 ? fc.oneof(fc.constantFrom(...types), contentTypes) : contentTypes,
    method: methods,
  })
}

/** The dashboard serves the routes of keys that ask for a role. */
const isOfKeys = ({ security, 'x-dashboard-role': role }: Described) =>
  role !== undefined && security?.some((scheme) => 'sdkSecretKey' in scheme) === true

const defined = (values: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined))
