// Registers each route in the OpenAPI document, from its schemas: those of bodies and queries also validate, those of
// answers and `ownBody` only document.

import { type RouteConfig, z } from '@hono/zod-openapi'
import type { ZodType } from 'zod'
import type { ErrorCode } from '../../../contract/errors.ts'
import { codesByStatus } from './answer.ts'
import type { Http } from './http.ts'
import { refusesIfMatch } from './if-match.ts'
import type { CallerKind, Method, RouteSpec } from './route-spec.ts'

/** The documented part of a route. */
type Documented = Pick<
  RouteSpec<CallerKind, unknown, unknown>,
  'method' | 'summary' | 'caller' | 'answer' | 'errors'
> & {
  body?: ZodType | undefined
  ownBody?: ZodType | undefined
  isBodyOptional?: true | undefined
  rawTypes?: readonly string[] | undefined
  query?: object | undefined
  takesAnyQuery?: true | undefined
  headers?: object | undefined
  servesClosed?: true | undefined
  isReport?: true | undefined
}

/** The body of every error. */
export const errorSchema = z
  .object({
    code: z.string(),
    message: z.string(),
    correlationId: z.string(),
    reason: z.string().optional(),
    position: z.number().int().optional(),
    details: z
      .array(z.object({ path: z.string(), message: z.string(), position: z.number().int().optional() }))
      .optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    changedBy: z
      .string()
      .nullable()
      .optional()
      .openapi({ description: 'Who made the revision that `If-Match` does not name; null where nobody knows.' }),
    changedAt: z.iso.datetime().optional(),
  })
  .openapi('Error')

const CALLER_ERRORS: Record<CallerKind, ErrorCode[]> = {
  none: [],
  bearer: ['auth/tracking-secret-key', 'auth/invalid-authorization'],
  key: ['auth/tracking-secret-key', 'auth/invalid-authorization', 'request/rate-limited'],
  widget: ['auth/invalid-session', 'authorization/not-allowed'],
  person: ['auth/unauthenticated', 'authorization/not-allowed'],
  member: [
    'auth/unauthenticated',
    'authorization/organisation-not-authorized-for-this-user',
    'authorization/not-allowed',
  ],
  environment: [
    'auth/unauthenticated',
    'authorization/organisation-not-authorized-for-this-user',
    'auth/onboarding-not-completed',
    'authorization/not-allowed',
  ],
}
/** Kinds whose callers belong to one environment. */
const OF_ENVIRONMENT: ReadonlySet<CallerKind> = new Set(['bearer', 'key', 'widget', 'environment'])
/** Kinds whose callers need a role. */
const WITH_ROLE: ReadonlySet<CallerKind> = new Set(['key', 'member', 'environment'])
/** Security schemes of the reference by kind of caller (`site/openapi.ts`). */
const SCHEMES: Record<Exclude<CallerKind, 'none'>, string> = {
  bearer: 'sdkSecretKey',
  key: 'sdkSecretKey',
  widget: 'widgetSession',
  person: 'dashboardSession',
  member: 'dashboardSession',
  environment: 'dashboardSession',
}
const BODY_ERRORS: ErrorCode[] = [
  'request/invalid-body',
  'request/unsupported-media-type',
  'request/unknown-transfer-coding',
  'request/payload-too-large',
  'request/timeout',
]
/** Also those that are answered before routing: a head that is too large, and a method that the path does not have. */
const ALWAYS: ErrorCode[] = [
  'other/unknown',
  'service/unavailable',
  'request/headers-too-large',
  'request/method-not-allowed',
]

function bodyOf(spec: Documented): ZodType | undefined {
  return spec.body ?? spec.ownBody
}

/** @returns All error codes that a route may answer, its own first. */
export function errorsOf(spec: Documented): ErrorCode[] {
  const codes = new Set([...spec.errors, ...CALLER_ERRORS[spec.caller]])
  if (OF_ENVIRONMENT.has(spec.caller) && !spec.servesClosed) codes.add('environment/closed')
  if (refusesIfMatch(spec)) codes.add('request/conflict')
  if (bodyOf(spec) !== undefined || spec.rawTypes !== undefined) for (const code of BODY_ERRORS) codes.add(code)
  if (spec.query !== undefined || !spec.takesAnyQuery) codes.add('request/invalid-query')
  for (const code of ALWAYS) codes.add(code)
  return [...codes]
}

/** Registers a method of a path for answers with 405. */
export function registerMethod(http: Http, method: Method, path: string): void {
  const methods = http.methods.get(path) ?? new Set()
  methods.add(method.toUpperCase())
  http.methods.set(path, methods)
}

/** Registers path, parameters, body, answer and errors, and the method for answers with 405. */
export function registerInReference<K extends CallerKind, B, Q>(http: Http, spec: RouteSpec<K, B, Q>): void {
  registerMethod(http, spec.method, spec.path)
  const names = [...spec.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
  const request: NonNullable<RouteConfig['request']> = {}
  if (names.length > 0) request.params = z.object(Object.fromEntries(names.map((name) => [name, z.string()])))
  if (spec.query instanceof z.ZodObject) request.query = spec.query
  if (spec.headers !== undefined) request.headers = spec.headers
  const body = bodyOf(spec)
  if (body !== undefined)
    request.body = { required: !spec.isBodyOptional, content: { 'application/json': { schema: body } } }
  if (spec.rawTypes !== undefined) {
    const schema = z.unknown()
    request.body = { required: true, content: Object.fromEntries(spec.rawTypes.map((type) => [type, { schema }])) }
  }
  http.app.openAPIRegistry.registerPath({
    method: spec.method,
    path: spec.path.replace(/:(\w+)(?:\{[^}]*\})?/g, '{$1}'),
    summary: spec.summary,
    tags: [spec.tag],
    ...(WITH_ROLE.has(spec.caller) ? { 'x-dashboard-role': spec.role } : {}),
    ...(spec.caller === 'none' ? {} : { security: [{ [SCHEMES[spec.caller as Exclude<CallerKind, 'none'>]]: [] }] }),
    request,
    responses: responsesOf(spec),
  })
}

const DATA_AGE = {
  'X-Data-Age': {
    description: 'With `DATABASE_READ_URL` alone: what was written longer ago than so many seconds is in the answer.',
    schema: { type: 'integer', minimum: 0 },
  },
} as const

function responsesOf(spec: Documented): RouteConfig['responses'] {
  const responses: RouteConfig['responses'] = {
    [spec.answer.status]: {
      description: spec.answer.description ?? spec.summary,
      ...(spec.isReport && { headers: DATA_AGE }),
      content: { [spec.answer.contentType ?? 'application/json']: { schema: spec.answer.schema } },
    },
  }
  const { unchanged, missing, contentType = 'application/json' } = spec.answer
  if (unchanged !== undefined) responses[304] = { description: unchanged }
  if (missing !== undefined)
    responses[404] = { description: missing, content: { [contentType]: { schema: z.string() } } }
  for (const [status, codes] of codesByStatus(errorsOf(spec))) {
    responses[status] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      content: { 'application/json': { schema: errorSchema } },
    }
  }
  return responses
}
