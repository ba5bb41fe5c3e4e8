// Tests every kind of schema through registration and dispatch: refusals, the handler's input, and the reported issues.

import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { EnricherInputValidationError, EnricherRegistrationError } from '../index.ts'
import { givenClient, signedCall } from '../test/given.ts'

interface Known {
  orderId: string
  lines: number
}

const byZod = z.object({ orderId: z.string(), lines: z.coerce.number().default(1) })
const byValibot = v.object({ orderId: v.string(), lines: v.optional(v.pipe(v.unknown(), v.transform(Number)), 1) })
const byArktype = type({ orderId: 'string', lines: type('string.numeric.parse').default('1') })
const byJson = { type: 'object', required: ['orderId'], properties: { orderId: { type: 'string' } } }

describe('a Standard Schema', () => {
  test.each([
    ['zod', byZod, 'invalid_type'],
    ['valibot', byValibot, 'schema'],
    ['arktype', byArktype, 'orderId'],
  ])('of %s: the handler gets its output, the caller its own issues', async (_, schema, mark) => {
    const seen: unknown[] = []
    const client = givenClient().enricher('details', schema as typeof byZod, (params) => {
      seen.push(params)
      return params.lines
    })
    expect(await client.dispatch(signedCall('details', { orderId: 'A-1', lines: '3' }))).toMatchObject({
      ok: true,
      data: 3,
    })
    expect(await client.dispatch(signedCall('details', { orderId: 'A-1' }))).toMatchObject({ ok: true, data: 1 })
    expect(seen).toEqual([
      { orderId: 'A-1', lines: 3 },
      { orderId: 'A-1', lines: 1 },
    ])

    const response = await client.dispatch(signedCall('details', { orderId: 7 }))
    if (response.ok) return expect.unreachable('7 is no orderId')
    expect(response.error.code).toBe('input-invalid')
    const { cause, details } = response.error
    expect(details).toEqual([expect.objectContaining({ message: expect.any(String) })])
    expect(JSON.stringify(details)).toContain(mark)
    const own = await schema['~standard'].validate({ orderId: 7 })
    expect(cause).toBeInstanceOf(EnricherInputValidationError)
    expect((cause as EnricherInputValidationError).details.map(pathOf)).toEqual(own.issues?.map(pathOf))
  })

  test('one that answers later is waited for', async () => {
    const schema = z.string().refine(async (text) => text === 'yes')
    const client = givenClient().enricher('late', schema, (text) => text.length)
    expect(await client.dispatch(signedCall('late', 'yes'))).toMatchObject({ ok: true, data: 3 })
    expect(await client.dispatch(signedCall('late', 'no'))).toMatchObject({
      ok: false,
      error: { code: 'input-invalid' },
    })
  })

  test('types follow the schema’s output', () => {
    const client = givenClient()
    client.enricher('zod', byZod, (params) => expectTypeOf(params).toEqualTypeOf<Known>())
    client.enricher('valibot', byValibot, (params) => expectTypeOf(params).toEqualTypeOf<Known>())
    client.enricher('arktype', byArktype, (params) => expectTypeOf(params).toEqualTypeOf<Known>())
    client.enricher('json', byJson, (params) => expectTypeOf(params).toEqualTypeOf<Record<string, unknown>>())
    client.enricher<Known>('json with a type', byJson, (params) => expectTypeOf(params).toEqualTypeOf<Known>())
  })
})

function pathOf(issue: unknown): unknown {
  return (issue as { path?: unknown[] }).path?.map((part) => (part as { key?: unknown }).key ?? part)
}

describe('JSON Schema', () => {
  test('the issues say where in the params, and where in the schema', async () => {
    const client = givenClient().enricher('details', byJson, (params) => params)
    const response = await client.dispatch(signedCall('details', { orderId: 7 }))
    expect(response).toMatchObject({ ok: false, error: { code: 'input-invalid' } })
    expect(response.ok ? [] : response.error.details).toContainEqual({
      keyword: 'type',
      keywordLocation: '#/properties/orderId/type',
      instanceLocation: '#/orderId',
      error: expect.any(String),
    })
  })

  test('a later change of the schema changes nothing', async () => {
    const schema = structuredClone(byJson)
    const client = givenClient().enricher('details', schema, () => 1)
    schema.required.push('more')
    expect(await client.dispatch(signedCall('details', { orderId: 'A' }))).toMatchObject({ ok: true })
  })

  const list = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    items: [{ type: 'string' }],
    additionalItems: false,
  }
  test.each([
    [
      'references within',
      { $defs: { id: { type: 'string' } }, properties: { a: { $ref: '#/$defs/id' } } },
      { a: 'x' },
      { a: 1 },
    ],
    [
      'itself, deeper down',
      { properties: { next: { $ref: '#' } }, required: ['v'] },
      { v: 1, next: { v: 2 } },
      { v: 1, next: {} },
    ],
    ['of draft 7', list, ['a'], ['a', 'b']],
    ['that is true or false', { properties: { no: false } }, {}, { no: 1 }],
    ['with a pattern', { pattern: '^\\p{Lu}+$' }, 'ÄB', 'äb'],
    ['with closed properties', { properties: { a: true }, additionalProperties: false }, { a: 1 }, { b: 1 }],
  ])('%s', async (_, schema, good, bad) => {
    const client = givenClient().enricher('json', schema, () => 1)
    expect(await client.dispatch(signedCall('json', good))).toMatchObject({ ok: true })
    expect(await client.dispatch(signedCall('json', bad))).toMatchObject({
      ok: false,
      error: { code: 'input-invalid' },
    })
  })

  test('a property that is called __proto__ is one like any other', async () => {
    const schema = { type: 'object', additionalProperties: false, properties: { a: true } }
    const client = givenClient().enricher('json', schema, () => 1)
    const call = signedCall('json', JSON.parse('{"__proto__":{"a":1}}'))
    expect(await client.dispatch(call)).toMatchObject({ ok: false, error: { code: 'input-invalid' } })
  })
})

describe('a registration', () => {
  const circle: Record<string, unknown> = {}
  circle.not = circle
  test.each([
    ['undefined', undefined, 'neither'],
    ['null', null, 'neither'],
    ['a text', 'string', 'neither'],
    ['a list', [byJson], 'neither'],
    ['a function', () => true, 'neither'],
    ['an instance', new Date(), 'neither'],
    [
      'another version',
      { '~standard': { version: 2, vendor: 'x', validate: () => ({ value: 1 }) } },
      'none of its keys',
    ],
    ['a shape without keywords', { orderId: 'string' }, 'none of its keys'],
    ['a type that is none', { properties: { id: { type: 'text' } } }, '#/properties/id/type: "text"'],
    ['properties in a list', { properties: ['id'] }, '#/properties'],
    ['required as a text', { required: 'id' }, '#/required'],
    ['a pattern that is none', { pattern: '(' }, '#/pattern'],
    ['a key pattern that is none', { patternProperties: { '[': true } }, '#/patternProperties'],
    ['a length below zero', { items: { minLength: -1 } }, '#/items/minLength'],
    ['an empty anyOf', { anyOf: [] }, '#/anyOf'],
    ['a schema that is a number', { allOf: [{}, 7] }, '#/allOf/1'],
    ['a reference to nowhere', { properties: { a: { $ref: '#/$defs/id' } } }, '"#/$defs/id" leads nowhere'],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema.json' }, 'leads nowhere'],
    ['an unknown dialect', { $schema: 'https://example.com/mine', type: 'object' }, '#/$schema'],
    ['a circle', circle, 'not JSON'],
  ])('with %s as its schema is refused', (_, schema, text) => {
    const register = () => givenClient().enricher('details', schema as never, () => 1)
    expect(register).toThrow(EnricherRegistrationError)
    expect(register).toThrow(text)
    expect(register).toThrow('details')
  })

  test.each(['', ' ', undefined, null, 7])('with %j as its name is refused', (name) => {
    expect(() => givenClient().enricher(name as string, {}, () => 1)).toThrow(EnricherRegistrationError)
  })

  test.each([undefined, null, {}, 'handler'])('with %j as its handler is refused', (handler) => {
    expect(() => givenClient().enricher('details', {}, handler as never)).toThrow(EnricherRegistrationError)
  })

  test('a name is taken once, on each client by itself, and a refused one stays free', () => {
    const client = givenClient()
    expect(() => client.enricher('details', 'x' as never, () => 1)).toThrow(EnricherRegistrationError)
    client.enricher('details', {}, () => 1).enricher('Details', {}, () => 1)
    expect(() => client.enricher('details', {}, () => 2)).toThrow('registered already')
    givenClient().enricher('details', {}, () => 3)
  })
})
