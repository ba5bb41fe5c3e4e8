// Checks the type of each keyword of a JSON Schema, so that a mistake fails at registration and not at the first call.

type Kind =
  | 'schema'
  | 'schemas'
  | 'schema or schemas'
  | 'map of schemas'
  | 'map of patterns'
  | 'dependencies'
  | 'type'
  | 'pattern'
  | 'text'
  | 'texts'
  | 'list'
  | 'number'
  | 'count'
  | 'yes or no'
  | 'number or yes or no'
  | 'any'

const KEYWORDS: Record<string, Kind> = {
  ...all(
    'schema',
    'additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames',
  ),
  ...all('schema', 'not if then else'),
  ...all('schemas', 'allOf anyOf oneOf prefixItems'),
  ...all('map of schemas', 'properties dependentSchemas $defs definitions'),
  ...all(
    'text',
    '$ref $id id $schema $anchor $dynamicRef $dynamicAnchor $recursiveRef format title description $comment',
  ),
  ...all('count', 'minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties'),
  ...all('number', 'minimum maximum multipleOf'),
  ...all('number or yes or no', 'exclusiveMinimum exclusiveMaximum'),
  ...all('yes or no', 'uniqueItems deprecated readOnly writeOnly'),
  ...all('any', 'const default dependentRequired contentEncoding contentMediaType'),
  items: 'schema or schemas',
  patternProperties: 'map of patterns',
  dependencies: 'dependencies',
  type: 'type',
  pattern: 'pattern',
  required: 'texts',
  enum: 'list',
  examples: 'list',
}

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']
/** Deeper schemas are not written by people. */
const MAX_DEPTH = 200

function all(kind: Kind, names: string): Record<string, Kind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]))
}

/** Finds the first fault, such as `#/properties/id/type: …`; undefined for a valid schema. Takes parsed JSON. */
export function findSchemaFault(schema: unknown): string | undefined {
  const keys = typeof schema === 'object' && schema !== null ? Object.keys(schema) : []
  if (keys.length > 0 && !keys.some((key) => Object.hasOwn(KEYWORDS, key))) {
    return `none of its keys (${keys.slice(0, 3).join(', ')}) is a keyword of JSON Schema`
  }
  return faultOf(schema, '#', 0)
}

function faultOf(schema: unknown, path: string, depth: number): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isObject(schema)) return `${path}: a schema is an object, true or false`
  if (depth > MAX_DEPTH) return `${path}: nested too deeply`
  return first(Object.entries(schema), ([key, value]) => {
    const kind = Object.hasOwn(KEYWORDS, key) ? KEYWORDS[key] : undefined
    return kind === undefined ? undefined : valueFault(kind, value, `${path}/${key}`, depth + 1)
  })
}

function valueFault(kind: Kind, value: unknown, path: string, depth: number): string | undefined {
  switch (kind) {
    case 'schema':
      return faultOf(value, path, depth)
    case 'schemas':
      return Array.isArray(value) && value.length > 0 ? listFault(value, path, depth) : `${path}: a list of schemas`
    case 'schema or schemas':
      return Array.isArray(value) ? listFault(value, path, depth) : faultOf(value, path, depth)
    case 'map of schemas':
      return mapFault(value, path, (one, key) => faultOf(one, `${path}/${key}`, depth))
    case 'map of patterns':
      return mapFault(value, path, (one, key) => patternFault(key, path) ?? faultOf(one, `${path}/${key}`, depth))
    case 'dependencies':
      return mapFault(value, path, (one, key) =>
        Array.isArray(one) ? textsFault(one, `${path}/${key}`) : faultOf(one, `${path}/${key}`, depth),
      )
    case 'pattern':
      return patternFault(value, path)
    case 'texts':
      return textsFault(value, path)
    case 'type':
      return typeFault(value, path)
    default:
      return isOfKind(kind, value) ? undefined : `${path}: must be a ${kind}`
  }
}

function isOfKind(kind: Kind, value: unknown): boolean {
  if (kind === 'text') return typeof value === 'string'
  if (kind === 'list') return Array.isArray(value)
  if (kind === 'number') return typeof value === 'number'
  if (kind === 'count') return Number.isInteger(value) && (value as number) >= 0
  if (kind === 'yes or no') return typeof value === 'boolean'
  if (kind === 'number or yes or no') return typeof value === 'number' || typeof value === 'boolean'
  return true
}

function typeFault(value: unknown, path: string): string | undefined {
  const types: unknown[] = Array.isArray(value) ? value : [value]
  const unknown = types.find((type) => typeof type !== 'string' || !TYPES.includes(type))
  return unknown === undefined && types.length > 0 ? undefined : `${path}: ${JSON.stringify(unknown)} is no type`
}

function patternFault(value: unknown, path: string): string | undefined {
  try {
    if (typeof value === 'string') new RegExp(value, 'u')
    return typeof value === 'string' ? undefined : `${path}: must be a pattern`
  } catch {
    return `${path}: ${JSON.stringify(value)} is no regular expression`
  }
}

function textsFault(value: unknown, path: string): string | undefined {
  const isGood = Array.isArray(value) && value.every((one) => typeof one === 'string')
  return isGood ? undefined : `${path}: must be a list of texts`
}

function listFault(value: unknown[], path: string, depth: number): string | undefined {
  return first([...value.entries()], ([at, one]) => faultOf(one, `${path}/${at}`, depth))
}

function mapFault(value: unknown, path: string, judge: (one: unknown, key: string) => string | undefined) {
  return isObject(value) ? first(Object.entries(value), ([key, one]) => judge(one, key)) : `${path}: must be an object`
}

function first<T>(items: T[], judge: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = judge(item)
    if (fault !== undefined) return fault
  }
  return undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
