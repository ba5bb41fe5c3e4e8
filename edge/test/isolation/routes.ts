// Reads the routes of a running server from its own API reference, the only list that the isolation tests use.

import type { GivenEdge } from '../support/given.ts'

/** Routes of `dashboard` are called in `edge/test/dashboard/roles.test.ts`. */
export type RouteCaller = 'none' | 'key' | 'widget' | 'dashboard'

export interface Route {
  method: string
  /** Path with `{name}` for a parameter. */
  path: string
  /** Method and path, such as `GET /v1/runs/{runId}`. */
  name: string
  caller: RouteCaller
  query: string[]
  takesBody: boolean
  /** Names of all properties of the body, at any depth. */
  bodyNames: string[]
}

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

interface Operation {
  security?: Record<string, unknown>[]
  parameters?: { in: string; name: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

interface Reference {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const CALLERS: Record<string, RouteCaller> = {
  sdkSecretKey: 'key',
  widgetSession: 'widget',
  dashboardSession: 'dashboard',
}

/** Returns all operations of the reference. @throws for a kind of caller without test credentials */
export async function readRoutes(given: GivenEdge): Promise<Route[]> {
  const { body: reference } = await given.call<Reference>('GET', '/openapi.json')
  return Object.entries(reference.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]): Route => {
      const method = verb.toUpperCase()
      const schema = operation.requestBody?.content['application/json']?.schema
      const names = new Set<string>()
      if (schema !== undefined) addNames(reference.components.schemas, schema, names, new Set())
      return {
        method,
        path,
        name: `${method} ${path}`,
        caller: callerOf(operation),
        query: (operation.parameters ?? []).filter((one) => one.in === 'query').map((one) => one.name),
        takesBody: operation.requestBody !== undefined,
        bodyNames: [...names],
      }
    }),
  )
}

/** Returns the kind of caller. @throws when the tests have no credentials of that kind */
function callerOf({ security }: Operation): RouteCaller {
  const [scheme] = Object.keys(security?.[0] ?? {})
  if (scheme === undefined) return 'none'
  const caller = CALLERS[scheme]
  if (caller === undefined) throw new Error(`The isolation tests have no credentials for "${scheme}".`)
  return caller
}

function addNames(known: Record<string, Schema>, schema: Schema, into: Set<string>, seen: Set<string>): void {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    const target = known[name]
    if (target === undefined || seen.has(name)) return
    addNames(known, target, into, new Set([...seen, name]))
  }
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    into.add(name)
    addNames(known, inner, into, seen)
  }
  const below = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  for (const inner of below) if (inner !== undefined) addNames(known, inner, into, seen)
}
