// Serves a route by its description. Order: draining, caller, guards, path, query, body, handler.

import type { JsonObject } from '../../../contract/json.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { ApiError } from '../../lib/api-error.ts'
import { check } from '../../lib/check-schema.ts'
import { correlationIdOf } from '../../lib/correlation.ts'
import { type AnswerHeaders, diskLow, type JsonAnswer, reportError, toJsonAnswer, toResponse } from './answer.ts'
import { readJsonObject } from './body.ts'
import { confirmCaller } from './confirm-caller.ts'
import { headerOf, type RequestContext } from './context.ts'
import type { Http } from './http.ts'
import { refuseIfMatch, refusesIfMatch } from './if-match.ts'
import { readQuery } from './query.ts'
import { registerInReference, registerMethod } from './reference.ts'
import { refuseNull } from './refuse-null.ts'
import type { Call, CallerFields, CallerKind, CallHead, RouteOf, RouteSpec } from './route-spec.ts'
import { traceCall } from './trace-call.ts'

/** Begins the path of each route of kind `key` for callers from the dashboard. */
export const DASHBOARD_PATH = '/v1/dashboard/environments/:envId'

/**
 * Adds a route to the app and the API reference. A route of kind `key` is also added below `DASHBOARD_PATH`, where
 * people call it by their role; the reference describes it once. With `ownBody`, B is `JsonObject`: an object that passed the guard.
 * @param handler Returns an object, which is sent as JSON with the status of `answer`, or a Response.
 */
export function addRoute<K extends CallerKind, B = undefined, Q = undefined>(
  http: Http,
  spec: RouteOf<K, B, Q>,
  handler: (call: Call<K, B, Q>) => Promise<object> | object,
): void {
  registerInReference(http, spec)
  serve(http, spec, handler, (c) => findCaller(http, spec, c))
  const { dashboard } = http
  if (spec.caller !== 'key' || dashboard === undefined) return
  const needs = needsOf(spec)
  // Nothing else stands beside an id here, so that an id of any form gets the error of an unknown one.
  const path = spec.path.replace(/^\/v1/, DASHBOARD_PATH).replace(/\{[^}]*\}/g, '')
  registerMethod(http, spec.method, path)
  serve(http, { ...spec, path }, handler, (c) => dashboard.environment(c, needs))
}

/** Serves some calls of a route that is added after this one, without its caller: those that `isMeant` finds. */
export function addAlternative(
  http: Http,
  spec: RouteSpec<'none', undefined, undefined>,
  isMeant: (c: RequestContext) => boolean,
  handler: (call: Call<'none', undefined, undefined>) => Promise<object> | object,
): void {
  serve(http, spec, handler, (c) => findCaller(http, spec, c), isMeant)
}

type FindCaller = (c: RequestContext) => Promise<CallerFields[CallerKind]>

function serve<K extends CallerKind, B, Q>(
  http: Http,
  spec: RouteSpec<K, B, Q>,
  handler: (call: Call<K, B, Q>) => Promise<object> | object,
  findCallerOf: FindCaller,
  isMeant?: (c: RequestContext) => boolean,
): void {
  http.onAdded?.(spec)
  const readCall = callReader(http, spec, findCallerOf)
  const { status } = spec.answer
  // Only a Response may be a stream, which takes as long as its client likes.
  function confirmWhileSent(c: RequestContext, correlationId: string): void {
    const { outgoing } = c.env
    if (outgoing === undefined) return
    confirmCaller(
      outgoing,
      () => findCallerOf(c),
      (refusal) => reportError(http, refusal, correlationId),
    )
  }
  function answerCall(c: RequestContext): Promise<JsonAnswer | Response> {
    const correlationId = correlationIdOf(headerOf(c, 'x-correlation-id'))
    const { traces } = http
    if (traces === undefined) return answerAs(c, correlationId)
    return traceCall(traces, spec, { c, correlationId }, () => answerAs(c, correlationId))
  }
  async function answerAs(c: RequestContext, correlationId: string): Promise<JsonAnswer | Response> {
    const headers: AnswerHeaders = readBy(spec)
    const cookies: string[] = []
    const from = performance.now()
    const setAge = spec.isReport && watchAge(http, headers)
    let answer: JsonAnswer | Response
    try {
      const result = await handler(await readCall(c, correlationId, headers, cookies))
      setAge?.()
      if (result instanceof Response) {
        answer = withHeaders(result, correlationId, headers)
        if (spec.caller !== 'none' && result.body !== null) confirmWhileSent(c, correlationId)
      } else answer = toJsonAnswer(result, status, correlationId, headers)
    } catch (error) {
      answer = reportError(http, error, correlationId, headers)
    }
    if (cookies.length > 0) answer = withCookies(answer, cookies)
    http.onAnswered?.(spec, answer.status, performance.now() - from, correlationId)
    return answer
  }
  http.app.on(spec.method.toUpperCase(), spec.path, async (c, next) => {
    if (isMeant?.(c) === false) return next()
    const answer = await answerCall(c)
    return answer instanceof Response ? answer : toResponse(answer)
  })
  if (spec.isFastPath) http.fastRoutes.set(spec.path, answerCall)
}

/** @returns the headers of an answer that depends on who asks: a cache of the client must not give it to somebody else */
function readBy({ method, caller }: { method: string; caller: CallerKind }): AnswerHeaders {
  return method === 'get' && caller !== 'none' ? { vary: 'Authorization, Cookie' } : {}
}

/** Of a stream, it is the age at its beginning. @returns sets the header once the answer is read; undefined without a replica */
function watchAge({ reportAgeMs }: Http, headers: AnswerHeaders): (() => void) | undefined {
  const ageBefore = reportAgeMs?.() ?? null
  if (reportAgeMs === undefined || ageBefore === null) return undefined
  const from = performance.now()
  return () => {
    // Which of both answered is not known: the replica may have come or gone meanwhile.
    const age = Math.max(ageBefore === 0 ? 0 : ageBefore + performance.now() - from, reportAgeMs() ?? 0)
    headers['x-data-age'] = String(Math.ceil(age / 1000))
  }
}

function withHeaders(answer: Response, correlationId: string, headers: AnswerHeaders): Response {
  answer.headers.set('x-correlation-id', correlationId)
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value)
  return answer
}

function withCookies(answer: JsonAnswer | Response, cookies: readonly string[]): Response {
  const response = answer instanceof Response ? answer : toResponse(answer)
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

function callReader<K extends CallerKind, B, Q>(http: Http, spec: RouteSpec<K, B, Q>, findCallerOf: FindCaller) {
  const drains = spec.path.startsWith('/v1/')
  const writes = drains && spec.method !== 'get'
  const maxBytes = spec.maxBytes ?? LIMITS.eventBytes
  const withoutRevision = refusesIfMatch(spec)
  const readsBody = spec.body !== undefined || spec.ownBody !== undefined
  type Read = (
    c: RequestContext,
    correlationId: string,
    headers: AnswerHeaders,
    cookies: string[],
  ) => Promise<Call<K, B, Q>>
  const readCall: Read = async (c, correlationId, headers, cookies) => {
    if (drains && http.isDraining()) throw new ApiError('service/unavailable', { message: 'The service is stopping.' })
    if (writes && http.isDiskLow?.() === true) throw diskLow()
    const caller = (await findCallerOf(c)) as CallerFields[K]
    const params = spec.path.includes(':') ? decodedParams(c) : {}
    // Uses one object for head and call, because a copy takes much of the time of a short request.
    const call = Object.assign({ c, correlationId, params, headers, cookies }, caller) as Call<K, B, Q>
    // The cast is safe: the caller of such a route has an environment. An operator has no limit.
    if (spec.caller === 'key' && !('operator' in caller)) await http.keyGuard?.(call as CallHead as CallHead<'key'>)
    for (const guard of spec.guards ?? []) await guard(call)
    if (withoutRevision) refuseIfMatch(c)
    const given = spec.takesAnyQuery ? undefined : readQuery(c, spec.query)
    call.query = (spec.query && check(spec.query, given ?? c.req.query(), 'request/invalid-query')) as Q
    call.body = (readsBody ? await readBody(c, maxBytes, spec, params) : undefined) as B
    return call
  }
  return readCall
}

/** Callers whose bodies may lack fields: absent ones stay, or get their defaults, and null is neither. */
const MANAGES: ReadonlySet<CallerKind> = new Set(['key', 'member', 'environment'])

async function readBody<K extends CallerKind, B, Q>(
  c: RequestContext,
  maxBytes: number,
  spec: RouteSpec<K, B, Q>,
  params: Record<string, string>,
): Promise<B | JsonObject> {
  // A schema refuses a large integer where it takes none.
  const guard = { keepsLargeIntegers: spec.body !== undefined }
  const body =
    spec.isBodyOptional && !hasBody(c) ? {} : await readJsonObject(c, maxBytes, spec.bodyGuard ?? guard, spec.listed)
  if (spec.body !== undefined) return check(spec.body, body, 'request/invalid-body', spec.faults?.(body, params))
  if (spec.ownBody !== undefined && MANAGES.has(spec.caller)) refuseNull(spec.ownBody, body)
  return body
}

function hasBody(c: RequestContext): boolean {
  return headerOf(c, 'transfer-encoding') !== undefined || Number(headerOf(c, 'content-length') ?? 0) > 0
}

/** Every route that asks for a role names it (`RouteOf`). */
const needsOf = ({ method, role = 'owner', servesClosed = false }: Asked) => ({
  writes: method !== 'get',
  role,
  servesClosed,
})

type Asked = Pick<RouteSpec<CallerKind, unknown, unknown>, 'caller' | 'method' | 'role'> & { servesClosed?: boolean }

async function findCaller(http: Http, spec: Asked, c: RequestContext): Promise<CallerFields[CallerKind]> {
  const { caller: kind } = spec
  if (kind === 'none') return {}
  const authorization = headerOf(c, 'authorization')
  if (kind === 'bearer') return { credential: requireBearer(authorization) }
  if (kind === 'key') return http.callers.key(authorization)
  if (kind === 'person' || kind === 'member' || kind === 'environment') return findDashboardCaller(http, kind, spec, c)
  return { session: await http.callers.widget(authorization) }
}

function findDashboardCaller(
  { dashboard }: Http,
  kind: 'person' | 'member' | 'environment',
  spec: Asked,
  c: RequestContext,
): Promise<CallerFields['person' | 'member' | 'environment']> {
  if (dashboard === undefined) throw new Error('route of the dashboard without its callers')
  return dashboard[kind](c, needsOf(spec))
}

const BEARER = /^Bearer +([^\s]+)$/i

/** @returns The credential of an `Authorization` header; undefined unless it is `Bearer` with one credential. */
export function findBearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
}

/** Checks the form of a key before the body is read (docs/api.md#tracking). @throws ApiError `auth/tracking-secret-key`. */
export function requireBearer(authorization: string | undefined): string {
  const credential = findBearer(authorization)
  if (credential === undefined) throw new ApiError('auth/tracking-secret-key')
  return credential
}

// Refuses a path with an invalid escape, because Hono returns such parameters without decoding them.
function decodedParams(c: RequestContext): Record<string, string> {
  const { url } = c.req.raw
  if (url.includes('%')) {
    try {
      decodeURIComponent(url.split(/[?#]/, 1)[0] as string)
    } catch (cause) {
      throw new ApiError('request/not-found', { message: 'The path has an invalid percent escape.' }, { cause })
    }
  }
  return c.req.param() as Record<string, string>
}
