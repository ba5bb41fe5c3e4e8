// What every route is hung on: the Hono app, the registry of the reference, the callers, and what happens to errors.

import { OpenAPIHono } from '@hono/zod-openapi'
import type { Environment } from '../domain/environment.ts'
import type { WidgetSession } from '../domain/session.ts'
import { ApiError } from '../lib/api-error.ts'
import { correlationIdOf } from '../lib/correlation.ts'
import { answerError, type DefectSinks, type JsonAnswer } from './answer.ts'
import { type Asked, type HttpApp, type HttpContext, type HttpEnv, headerOf } from './context.ts'
import type { Guard } from './route.ts'

/** A **key** caller: its own environment, and which of its keys (contract section 1). */
export interface KeyCaller {
  environment: Environment
  secretId: number
}

/** Tells who calls from the `Authorization` header; each throws the ApiError that refuses the caller. */
export interface Callers {
  key(authorization: string | undefined): Promise<KeyCaller>
  widget(authorization: string | undefined): Promise<WidgetSession>
}

export interface HttpDeps extends DefectSinks {
  callers: Callers
  /** Before the body of every call with a key but tracking: the share of its environment. */
  keyGuard?: Guard<'key'>
  /** While true, calls under `/v1` are refused with 503 (contract section 12, SIGTERM); readiness says no before that. */
  isDraining: () => boolean
  /** While true, calls under `/v1` that may write are refused with 503; reads go on (issue part 2, "Disk full"). */
  isDiskLow?: () => boolean
  /** Told of each answer of a route, for metrics and the log; `tookMs` from its head on. */
  onAnswered?: (route: AnsweredRoute, status: number, tookMs: number, correlationId: string) => void
  /** Answers what is no path of the edge; undefined when it has no such page either. */
  site?: Site | undefined
}

/** What may be told of a request: the pattern of its path, never the path, which holds ids. */
export interface AnsweredRoute {
  method: string
  path: string
  tag: string
}

/** Pages beside the API, given by whoever starts the edge (the demo). */
export type Site = (request: Request) => Promise<Response | undefined>

export interface Http extends HttpDeps {
  app: HttpApp
  /** Methods (upper case) by path pattern, for 405 and the check of the reference. */
  methods: Map<string, Set<string>>
  /** POST routes that are also served on the short way in, by path. */
  short: Map<string, (c: Asked) => Promise<JsonAnswer | Response>>
}

/** An app without routes: paths that nobody added answer 404, methods that a path lacks 405 with `Allow`. */
export function createHttp(deps: HttpDeps): Http {
  const app: HttpApp = new OpenAPIHono<HttpEnv>()
  const http: Http = { ...deps, app, methods: new Map(), short: new Map() }
  app.notFound(async (c) => {
    const error = noRoute(http, c)
    const page = error.status === 404 && !c.req.path.startsWith('/v1/') ? await deps.site?.(c.req.raw) : undefined
    if (page === undefined) return answerError(http, error, correlationOf(c), allowHeader(http, c))
    page.headers.set('x-correlation-id', correlationOf(c))
    return page
  })
  app.onError((error, c) => answerError(http, error, correlationOf(c)))
  return http
}

function correlationOf(c: HttpContext): string {
  return correlationIdOf(headerOf(c, 'x-correlation-id'))
}

function noRoute(http: Http, c: HttpContext): ApiError {
  return new ApiError(allowedMethods(http, c).length > 0 ? 'request/method-not-allowed' : 'request/not-found')
}

function allowHeader(http: Http, c: HttpContext): Record<string, string> {
  const methods = allowedMethods(http, c)
  return methods.length > 0 ? { allow: methods.join(', ') } : {}
}

function allowedMethods(http: Http, c: HttpContext): string[] {
  const found = new Set<string>()
  for (const [pattern, methods] of http.methods) {
    if (matches(pattern, c.req.path)) for (const method of methods) found.add(method)
  }
  if (found.has('GET')) found.add('HEAD')
  return [...found].sort()
}

/** As the router takes a pattern: `:id` is one segment, `:id{…}` one of that form, a last `*` the rest. */
function matches(pattern: string, path: string): boolean {
  const source = pattern
    .replace(/[.]/g, '\\.')
    .replace(/\*$/, '.*')
    .replace(/:\w+(?:\{([^}]*)\})?/g, (_whole, form: string | undefined) => `(?:${form ?? '[^/]+'})`)
  return new RegExp(`^${source}$`, 's').test(path)
}
