// Generates JSON values from a schema of the API reference: allowed values, and values that are invalid at one place.

import { dereference, type Schema as JsonSchema, validate } from '@cfworker/json-schema'
import fc from 'fast-check'

export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  propertyNames?: Schema
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
}

export type Components = Record<string, Schema>
type Json = unknown
type Fields = Record<string, Json>

const COMPONENTS = 'https://reference.invalid/components'
const lookups = new WeakMap<Components, Record<string, JsonSchema | boolean>>()
let schemas = 0

/** @returns A function that lists what in a value differs from the schema: a place and a message each. */
export function validatorOf(schema: Schema, components: Components): (value: unknown) => string[] {
  const lookup = lookups.get(components) ?? dereference(toAbsolute({ $id: COMPONENTS, $defs: components }))
  // Reading all components takes longer than a test's call.
  lookups.set(components, lookup)
  const own = toAbsolute(schema)
  dereference(own, lookup, new URL(`https://reference.invalid/${++schemas}`))
  return (value) =>
    validate(value, own, '2020-12', lookup).errors.map((error) => `${error.instanceLocation}: ${error.error}`)
}

/** Copies the schema, because the validator writes into it. */
function toAbsolute(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', `${COMPONENTS}#/$defs/`))
}

/** Examples for formats that a pattern does not describe. */
const FORMATS: Record<string, string[]> = {
  'date-time': ['2026-05-01T12:00:00Z', '2026-05-01T12:00:00.123+02:00'],
  duration: ['PT10M', 'P30D', 'P1DT2H'],
  liquid: ['Hi', 'Order {{ event.properties.id }}', '{% if user.name %}{{ user.name }}{% endif %}'],
  cel: ['true', 'event.properties.total > 1', "event.name == 'a' && has(user.email)"],
  email: ['ada@example.com', 'b.c+d@mail.example.org'],
  hostname: ['example.com', 'mail-1.example.org'],
  locale: ['en', 'pt-BR', 'zh-Hant'],
  origin: ['https://shop.example', 'https://*.shop.example:8443', '*.shop.example'],
  'event-name': ['order.shipped', 'a', 'a_b:c/d-e'],
  'time-zone': ['Europe/London', 'UTC'],
  'liquid-link': ['/orders/7', 'https://shop.example/a', '{{ event.properties.link }}'],
  picture: ['https://shop.example/logo.png', '/logo.png'],
  'site-url': ['https://shop.example', 'http://localhost:3000/shop/'],
  'app-scheme': ['shopapp', 'com.example.shop'],
  uri: ['https://example.com/a', 'http://example.org:8080/?x=1'],
}
const MAX_ITEMS = 3
/** Depth below which optional lists are empty, because steps contain steps. */
const MAX_DEPTH = 4

/** By component: changes a generated object so that it satisfies rules that no schema expresses. */
export type Adjust = Record<string, (value: Fields) => Fields>

/**
 * Returns an arbitrary of values that the schema allows.
 * `adjust` is by component name; lengths count ASCII characters.
 */
export function allowed(schema: Schema, components: Components, adjust: Adjust = {}): fc.Arbitrary<Json> {
  const cache = new Map<string, fc.Arbitrary<Json>>()
  const of = (one: Schema, depth: number): fc.Arbitrary<Json> => {
    if (one.$ref !== undefined) {
      const name = nameOf(one.$ref)
      const key = `${name} ${depth}`
      const known = cache.get(key)
      if (known !== undefined) return known
      const made = of(componentOf(components, name), depth).map((value) => adjusted(adjust[name], value))
      cache.set(key, made)
      return made
    }
    const { anyOf, oneOf, ...rest } = one
    const alternatives = anyOf ?? oneOf
    // Next to properties, they only say which go together: the caller filters by the whole schema.
    if (alternatives !== undefined && one.properties === undefined)
      return fc.oneof(...alternatives.map((alternative) => of(alternative, depth)))
    if (one.const !== undefined) return fc.constant(one.const)
    if (one.enum !== undefined) return fc.constantFrom(...one.enum)
    const types = [one.type ?? 'object'].flat()
    return fc.oneof(...types.map((type) => typed({ ...rest, type }, type, depth)))
  }
  const typed = (one: Schema, type: string, depth: number): fc.Arbitrary<Json> => {
    switch (type) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'integer':
        return fc.integer({ min: one.minimum ?? -1000, max: one.maximum ?? 1000 })
      case 'number':
        return fc.double({ min: one.minimum ?? -1000, max: one.maximum ?? 1000, noNaN: true })
      case 'string':
        return textOf(one)
      case 'array': {
        const minLength = one.minItems ?? 0
        if (depth > MAX_DEPTH && minLength === 0) return fc.constant([])
        const maxLength = Math.max(minLength, Math.min(one.maxItems ?? MAX_ITEMS, MAX_ITEMS))
        return fc.array(of(one.items ?? {}, depth + 1), { minLength, maxLength })
      }
      default:
        return objectOf(one, depth)
    }
  }
  const objectOf = (one: Schema, depth: number): fc.Arbitrary<Json> => {
    if (one.properties === undefined) {
      const names = one.propertyNames === undefined ? fc.constantFrom('a', 'b') : textOf(one.propertyNames)
      const values = typeof one.additionalProperties === 'object' ? of(one.additionalProperties, depth + 1) : PLAIN
      return fc.dictionary(names, values, { maxKeys: 2 })
    }
    const always = new Set(one.required ?? [])
    const fields = Object.entries(one.properties).map(([name, field]) => {
      const value = of(field, depth + 1)
      return [name, always.has(name) ? value : fc.option(value, { nil: undefined })] as const
    })
    const made = fc.record(Object.fromEntries(fields))
    return made.map(withoutUndefined)
  }
  return of(schema, 0)
}

const PLAIN = fc.constantFrom<Json>('x', 1, true, null, ['y'], { z: 'w' })

function adjusted(adjust: ((value: Fields) => Fields) | undefined, value: Json): Json {
  return adjust === undefined || typeof value !== 'object' || value === null
    ? value
    : withoutUndefined(adjust({ ...value }))
}

function withoutUndefined(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))
}

function textOf({ format, pattern, minLength = 0, maxLength = 20 }: Schema): fc.Arbitrary<string> {
  const known = format === undefined ? undefined : FORMATS[format]
  if (known !== undefined) return fc.constantFrom(...known)
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength
  if (pattern === undefined) {
    const alphabet = fc.constantFrom(...'abcXYZ019 .-_')
    return fc.string({ unit: alphabet, minLength, maxLength: Math.max(minLength, Math.min(maxLength, 20)) })
  }
  // The generator has no classes of Unicode; these words satisfy them.
  const words = fc.string({ unit: fc.constantFrom(...'abcXYZ019'), minLength: 1, maxLength: 8 })
  const made = pattern.toLowerCase().includes('\\p{') ? words : fc.stringMatching(new RegExp(pattern))
  return made.filter(fits)
}

export interface InvalidVariant {
  path: string
  value: Json
}

/** Returns each way to invalidate one place of a value: type, length, range, enumeration, or a missing field. */
export function invalidVariants(schema: Schema, components: Components, value: Json, path = ''): InvalidVariant[] {
  const one = schema.$ref === undefined ? schema : componentOf(components, nameOf(schema.$ref))
  const alternatives = one.anyOf ?? one.oneOf
  if (alternatives !== undefined && one.properties === undefined) {
    const alternative = alternatives.find((candidate) => isSelected(candidate, components, value))
    return [
      { path, value: SYMBOL },
      ...(alternative === undefined ? [] : invalidVariants(alternative, components, value, path)),
    ].map(replaceWrong)
  }
  const found: InvalidVariant[] = [{ path, value: wrongFor(one) }]
  if (typeof value === 'string') {
    if (one.maxLength !== undefined) found.push({ path, value: 'x'.repeat(one.maxLength + 1) })
    if ((one.minLength ?? 0) > 0) found.push({ path, value: '' })
    if (one.enum !== undefined || one.const !== undefined) found.push({ path, value: 'no-such-word' })
    if (one.pattern !== undefined) found.push({ path, value: '' }, { path, value: '\u0001' })
  }
  if (typeof value === 'number') {
    if (one.minimum !== undefined) found.push({ path, value: one.minimum - 1 })
    if (one.maximum !== undefined) found.push({ path, value: one.maximum + 1 })
    if ([one.type].flat().includes('integer')) found.push({ path, value: 0.5 })
  }
  if (Array.isArray(value)) {
    if ((one.minItems ?? 0) > 0) found.push({ path, value: [] })
    if (one.maxItems !== undefined)
      found.push({ path, value: Array.from({ length: one.maxItems + 1 }, () => value[0] ?? 'x') })
    value.forEach((item, index) => {
      found.push(...invalidVariants(one.items ?? {}, components, item, `${path}/${index}`))
    })
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      const field = one.properties?.[name]
      if (one.required?.includes(name)) found.push({ path: `${path}/${name}`, value: undefined })
      if (field !== undefined) found.push(...invalidVariants(field, components, item, `${path}/${name}`))
    }
  }
  return found
}

const SYMBOL = Symbol('wrong')

function replaceWrong(variant: InvalidVariant): InvalidVariant {
  return variant.value === SYMBOL ? { ...variant, value: { wrong: [true] } } : variant
}

function wrongFor({ type }: Schema): Json {
  const types = [type ?? 'object'].flat()
  return types.includes('object') ? 'not an object' : { wrong: [true] }
}

function isSelected(schema: Schema, components: Components, value: Json): boolean {
  const one = schema.$ref === undefined ? schema : componentOf(components, nameOf(schema.$ref))
  const types = [one.type ?? 'object'].flat()
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  if (!types.includes(kind) && !(kind === 'number' && types.includes('integer'))) return false
  const type = one.properties?.type?.const
  return type === undefined || (value as Fields).type === type
}

/** Returns the value with another one in that place; undefined removes the field. */
export function replaceAt(value: Json, path: string, by: Json): Json {
  const [, key, ...rest] = path.split('/')
  if (key === undefined) return by
  const below = rest.length === 0 ? '' : `/${rest.join('/')}`
  if (Array.isArray(value))
    return value.map((item, index) => (index === Number(key) ? replaceAt(item, below, by) : item))
  const record = value as Fields
  return withoutUndefined({ ...record, [key]: below === '' ? by : replaceAt(record[key], below, by) })
}

function nameOf(ref: string): string {
  return ref.split('/').pop() ?? ref
}

function componentOf(components: Components, name: string): Schema {
  const found = components[name]
  if (found === undefined) throw new Error(`The reference has no component ${name}.`)
  return found
}
