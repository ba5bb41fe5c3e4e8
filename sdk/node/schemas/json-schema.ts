// Compiles JSON Schema (drafts 4, 6, 7, 2019-09, 2020-12) with @cfworker/json-schema, which the build includes in the
// package.

import { dereference, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema'
import { findSchemaFault } from './json-schema-fault.ts'

/** A schema as JSON; without `$schema` it is draft 2020-12. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown } | SchemaInterface

/** An interface without an index signature, such as `JSONSchema7` of @types/json-schema, has one of these. */
interface SchemaInterface {
  readonly $id?: string | undefined
  readonly $schema?: string | undefined
  readonly $ref?: string | undefined
  readonly type?: unknown
  readonly properties?: unknown
  readonly required?: unknown
}

/** An issue of the validator: the places in the schema and in the params, and the message. */
export interface JsonSchemaIssue {
  keyword: string
  keywordLocation: string
  instanceLocation: string
  error: string
}

type Compiled = { fault: string } | { validate(params: unknown): { value: unknown } | { issues: JsonSchemaIssue[] } }

const DRAFTS: [RegExp, SchemaDraft][] = [
  [/draft-04/, '4'],
  [/draft-0[67]/, '7'],
  [/2019-09/, '2019-09'],
  [/2020-12/, '2020-12'],
]

/**
 * Returns the schema's fault with its place, or its function. Copies the schema, so that later changes have no effect.
 */
export function compileJsonSchema(source: JsonSchema): Compiled {
  const copy = copyOf(source)
  if (copy === undefined) return { fault: 'it is not JSON' }
  const draft = draftOf(copy)
  if (draft === undefined) return { fault: '#/$schema: an unknown dialect' }
  const fault = findSchemaFault(copy)
  if (fault !== undefined) return { fault }
  const schema = copy as Schema | boolean
  const lookup = tryDereference(schema)
  if (typeof lookup === 'string') return { fault: lookup }
  const dangling = Object.values(lookup).find(
    (one) =>
      typeof one === 'object' && one.$ref !== undefined && lookup[one.__absolute_ref__ ?? one.$ref] === undefined,
  )
  if (typeof dangling === 'object') return { fault: `the $ref ${JSON.stringify(dangling.$ref)} leads nowhere` }
  return {
    validate(params) {
      const { valid, errors } = validate(params, schema, draft, lookup, false)
      return valid ? { value: params } : { issues: errors }
    },
  }
}

function copyOf(source: JsonSchema): unknown {
  try {
    return JSON.parse(JSON.stringify(source))
  } catch {
    return undefined
  }
}

function draftOf(schema: unknown): SchemaDraft | undefined {
  const dialect = Object(schema).$schema ?? '2020-12'
  return DRAFTS.find(([pattern]) => pattern.test(String(dialect)))?.[1]
}

function tryDereference(schema: Schema | boolean): Record<string, Schema | boolean> | string {
  try {
    return dereference(schema)
  } catch (error) {
    return error instanceof Error ? error.message : 'its references cannot be read'
  }
}
