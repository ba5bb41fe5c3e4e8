// Sends bodies that the API reference allows, and bodies that it forbids, and returns those whose answer differs from it.

import fc from 'fast-check'
import type { Answer } from './given.ts'
import {
  type Adjust,
  allowed,
  type Components,
  invalidVariants,
  replaceAt,
  type Schema,
  validatorOf,
} from './schema-arbitrary.ts'

export interface Reference {
  components: { schemas: Components }
  paths: Record<string, Record<string, DescribedOperation>>
}

export interface DescribedOperation {
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  'x-dashboard-role'?: string
}

export interface Operation {
  method: string
  path: string
  schema: Schema
  /** Whether each allowed body takes long, so that fewer are sent. */
  isSlow?: boolean
}

export interface BodyChecks {
  operations: Operation[]
  components: Components
  adjust: Adjust
  /** Fields of bodies that only the test knows, by component. */
  fixed: Record<string, Record<string, unknown>>
  send(operation: Operation, body: unknown): Promise<Answer<{ code?: string; details?: object }>>
}

const RUNS = Number(process.env.NC_BODY_RUNS ?? 4)
const SEED = Number(process.env.NC_SEED ?? 18)
/** Codes of answers to an invalid body. */
const REFUSED = ['request/invalid-body', 'campaign/invalid-definition', 'auth/invalid-inputs', 'event/invalid-name']

/** Returns the operations with a body. */
export function operationsOf({ paths }: Pick<Reference, 'paths'>): (Operation & { described: DescribedOperation })[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) => {
      const schema = described.requestBody?.content['application/json'].schema
      return schema === undefined ? [] : [{ method, path, schema, described }]
    }),
  )
}

export const nameOf = (schema: Schema) => schema.$ref?.split('/').pop() ?? ''

function sampleOf({ components, adjust, fixed }: BodyChecks, { schema, isSlow }: Operation) {
  const validate = validatorOf(schema, components)
  const isValid = (body: unknown) => validate(body).length === 0
  const complete = (body: unknown) => ({ ...(body as object), ...fixed[nameOf(schema)] })
  const bodies = allowed(schema, components, adjust).map(complete).filter(isValid)
  return { isValid, valid: fc.sample(bodies, { numRuns: isSlow ? Math.ceil(RUNS / 5) : RUNS, seed: SEED }) }
}

/** Returns for each operation the first allowed body that is refused as invalid, or that is a fault of the server. */
export async function findRefused(checks: BodyChecks): Promise<object[]> {
  const refused: object[] = []
  for (const operation of checks.operations) {
    for (const body of sampleOf(checks, operation).valid) {
      const { status, body: answer } = await checks.send(operation, body)
      if (status !== 500 && (status < 400 || !REFUSED.includes(answer.code ?? ''))) continue
      refused.push({ call: callOf(operation), status, body, details: answer.details })
      break
    }
  }
  return refused
}

// One invalid item does not block the others: it has a result of its own.
const ITEM_PATH = /^\/events\/\d+/

/** Returns for each operation the first forbidden body that is accepted, and the number of bodies that were sent. */
export async function findAccepted(checks: BodyChecks): Promise<{ accepted: object[]; sent: number }> {
  const accepted: object[] = []
  let sent = 0
  for (const operation of checks.operations) {
    const { schema } = operation
    const { isValid, valid } = sampleOf(checks, operation)
    const variants = valid.flatMap((body) =>
      invalidVariants(schema, checks.components, body).map((variant) => ({
        ...variant,
        body: replaceAt(body, variant.path, variant.value),
      })),
    )
    const invalid = variants.filter(
      (variant) => variant.path !== '' && !ITEM_PATH.test(variant.path) && !isValid(variant.body),
    )
    const places = new Map(
      invalid.map((variant) => [`${variant.path} ${JSON.stringify(variant.value)?.slice(0, 40)}`, variant]),
    )
    for (const { path, body } of [...places.values()].slice(0, RUNS * 2)) {
      sent++
      const { status } = await checks.send(operation, body)
      // A rate limit would hide what becomes of the body.
      if (status >= 400 && status !== 429) continue
      accepted.push({ call: callOf(operation), status, path, body })
      break
    }
  }
  return { accepted, sent }
}

const callOf = ({ method, path }: Operation) => `${method} ${path}`
