// Compiles any supported schema to one function that validates.

import { EnricherRegistrationError } from '../enrichers/errors.ts'
import { compileJsonSchema } from './json-schema.ts'
import { isStandardSchema } from './standard-schema.ts'

/** The validated value, or the validator's own issues. */
export type Validated = { value: unknown } | { issues: readonly unknown[] }
export type Validate = (params: unknown) => Validated | Promise<Validated>

/** Compiles the schema; `name` is for the message. @throws EnricherRegistrationError */
export function compileSchema(name: string, schema: unknown): Validate {
  if (isStandardSchema(schema)) return validateByStandard(schema)
  if (isPlainObject(schema) || typeof schema === 'boolean') {
    const compiled = compileJsonSchema(schema)
    if ('validate' in compiled) return compiled.validate
    throw new EnricherRegistrationError(`The schema of the enricher "${name}" is invalid: ${compiled.fault}`)
  }
  throw new EnricherRegistrationError(
    `The schema of the enricher "${name}" is neither a Standard Schema nor JSON Schema.`,
  )
}

function validateByStandard(schema: { '~standard': { validate(value: unknown): unknown } }): Validate {
  const standard = schema['~standard']
  return async (params) => {
    const result = (await standard.validate(params)) as { value?: unknown; issues?: readonly unknown[] }
    return result.issues === undefined ? { value: result.value } : { issues: Array.from(result.issues) }
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
