// addRoute: one route with its caller, its schemas and its place in the reference. Order: draining, caller, guards, path, query, body, handler.

import type { ZodObject, ZodType } from 'zod'
import type { ErrorCode, ErrorDetail } from '../../contract/errors.ts'
import { LIMITS } from '../../contract/limits.ts'
import { requireBearer } from '../auth/tracking-key.ts'
import type { JsonObject } from '../domain/json.ts'
import type { WidgetSession } from '../domain/session.ts'
import { ApiError } from '../lib/api-error.ts'
import { correlationIdOf } from '../lib/correlation.ts'
import type { GuardOptions } from '../lib/json-guard.ts'
import { type AnswerHeaders, diskLow, type JsonAnswer, tellError, toJsonAnswer, toResponse } from './answer.ts'
import { readJsonObject } from './body.ts'
import { type Asked, headerOf } from './context.ts'
import type { Http, KeyCaller } from './http.ts'
import { registerInReference } from './reference.ts'
import { tellFault } from './tell-fault.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/**
 * Who may call: anyone, an sdkSecretKey, or a widget session (contract section 1, "Callers"). `bearer` is a key too, of
 * which only the header's form was checked: tracking compares it with the body before it is looked up.
 */
export type CallerKind = 'none' | 'bearer' | 'key' | 'widget'

interface CallerFields {
  none: object
  bearer: { credential: string }
  key: KeyCaller
  widget: { session: WidgetSession }
}

/** What is known before the body is read. `headers` go out with the answer, whatever it will be. */
export type CallHead<K extends CallerKind = CallerKind> = {
  c: Asked
  correlationId: string
  /** Percent-decoded path parameters: a user id may hold a `/`. */
  params: Record<string, string>
  headers: AnswerHeaders
} & CallerFields[K]

/** One request as its handler sees it. */
export type Call<K extends CallerKind, B, Q> = CallHead<K> & { body: B; query: Q }

/** Runs when the caller is known and before the body is read (rate limits); throws an ApiError to refuse. */
export type Guard<K extends CallerKind> = (head: CallHead<K>) => void | Promise<void>

export interface RouteSpec<K extends CallerKind, B, Q> {
  method: Method
  /** As in the contract: `/v1/runs/:runId`; `:id{evt_[^/]*}` where only such words are ids. */
  path: string
  summary: string
  tag: string
  caller: K
  /** Validates the body; faults are `request/invalid-body` with details. Without it the body is not read. */
  body?: ZodType<B>
  /** Validates the query; faults are `request/invalid-query`. */
  query?: ZodType<Q>
  /** `contentType` of an answer that is no JSON; its handler gives a Response. `unchanged` says when that is 304. */
  answer: { status: number; schema: ZodType; description?: string; contentType?: string; unchanged?: string }
  /** Only to document them: headers that the handler reads by itself. */
  headers?: ZodObject
  /** Codes of its own; those of the caller kind, of bodies and of queries are added to the reference by themselves. */
  errors: readonly ErrorCode[]
  /** Largest body in bytes; default the limit of one event. */
  maxBytes?: number
  guards?: readonly Guard<K>[]
  /** In place of `body`, only to document it: the handler checks it itself, in its own order, and gets a JsonObject. */
  ownBody?: ZodType
  /** What the guard of parsed bodies leaves to the handler; `by-handler`: all of it. */
  bodyGuard?: GuardOptions | 'by-handler'
  /** Also served on the short way in (`node/short-way.ts`): a path without parameters or middleware, whose handler gives no Response. */
  isShort?: true
}

/**
 * Adds a route. The handler's plain object is answered as JSON with the status of `answer`; a Response passes as it is,
 * with the correlation id set. With `ownBody` give `JsonObject` as B: the body is an object that passed the guard.
 */
export function addRoute<K extends CallerKind, B = undefined, Q = undefined>(
  http: Http,
  spec: RouteSpec<K, B, Q>,
  handler: (call: Call<K, B, Q>) => Promise<object> | object,
): void {
  registerInReference(http, spec)
  const readCall = callReader(http, spec)
  const { status } = spec.answer
  async function answerCall(c: Asked): Promise<JsonAnswer | Response> {
    const correlationId = correlationIdOf(headerOf(c, 'x-correlation-id'))
    const headers: AnswerHeaders = {}
    const from = performance.now()
    let answer: JsonAnswer | Response
    try {
      const made = await handler(await readCall(c, correlationId, headers))
      if (made instanceof Response) answer = finish(made, correlationId, headers)
      else answer = toJsonAnswer(made, status, correlationId, headers)
    } catch (error) {
      answer = tellError(http, error, correlationId, headers)
    }
    http.onAnswered?.(spec, answer.status, performance.now() - from, correlationId)
    return answer
  }
  http.app.on(spec.method.toUpperCase(), spec.path, async (c) => {
    const answer = await answerCall(c)
    return answer instanceof Response ? answer : toResponse(answer)
  })
  if (spec.isShort) http.short.set(spec.path, answerCall)
}

function finish(answer: Response, correlationId: string, headers: AnswerHeaders): Response {
  answer.headers.set('x-correlation-id', correlationId)
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value)
  return answer
}

function callReader<K extends CallerKind, B, Q>(http: Http, spec: RouteSpec<K, B, Q>) {
  const drains = spec.path.startsWith('/v1/')
  const writes = drains && spec.method !== 'get'
  const maxBytes = spec.maxBytes ?? LIMITS.eventBytes
  const readsBody = spec.body !== undefined || spec.ownBody !== undefined
  return async (c: Asked, correlationId: string, headers: AnswerHeaders): Promise<Call<K, B, Q>> => {
    if (drains && http.isDraining()) throw new ApiError('service/unavailable', { message: 'The service is stopping.' })
    if (writes && http.isDiskLow?.() === true) throw diskLow()
    const who = (await findCaller(http, spec.caller, c)) as CallerFields[K]
    const params = spec.path.includes(':') ? decodedParams(c) : {}
    // One object from the head to the call: copies of it are a good part of a short request's time.
    const call = Object.assign({ c, correlationId, params, headers }, who) as Call<K, B, Q>
    // The kind of the route says that the caller is a key.
    if (spec.caller === 'key') await http.keyGuard?.(call as CallHead as CallHead<'key'>)
    for (const guard of spec.guards ?? []) await guard(call)
    call.query = (spec.query === undefined ? undefined : check(spec.query, c.req.query(), 'request/invalid-query')) as Q
    call.body = (readsBody ? await readBody(c, maxBytes, spec) : undefined) as B
    return call
  }
}

async function readBody<K extends CallerKind, B, Q>(
  c: Asked,
  maxBytes: number,
  spec: RouteSpec<K, B, Q>,
): Promise<B | JsonObject> {
  const body = await readJsonObject(c, maxBytes, spec.bodyGuard)
  return spec.body === undefined ? body : check(spec.body, body, 'request/invalid-body')
}

async function findCaller(http: Http, kind: CallerKind, c: Asked): Promise<CallerFields[CallerKind]> {
  if (kind === 'none') return {}
  const authorization = headerOf(c, 'authorization')
  if (kind === 'bearer') return { credential: requireBearer(authorization) }
  if (kind === 'key') return http.callers.key(authorization)
  return { session: await http.callers.widget(authorization) }
}

// Hono keeps what it cannot decode; a path with a broken escape names nothing here.
function decodedParams(c: Asked): Record<string, string> {
  const { url } = c.req.raw
  if (url.includes('%')) {
    try {
      decodeURIComponent(url.split(/[?#]/, 1)[0] as string)
    } catch (cause) {
      throw new ApiError('request/not-found', { message: 'The path holds a broken percent escape.' }, { cause })
    }
  }
  return c.req.param() as Record<string, string>
}

/** The value as the schema takes it; its faults become `details` with JSON paths. */
export function check<T>(schema: ZodType<T>, value: unknown, code: ErrorCode): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const details: ErrorDetail[] = result.error.issues.slice(0, 20).map((issue) => ({
    path: jsonPath(issue.path),
    message: tellFault(issue, value),
  }))
  throw new ApiError(code, { details })
}

function jsonPath(parts: readonly PropertyKey[]): string {
  return parts.reduce<string>((path, part) => {
    if (typeof part === 'number') return `${path}[${part}]`
    return path === '' ? String(part) : `${path}.${String(part)}`
  }, '')
}
