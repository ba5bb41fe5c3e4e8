// Creates the Hono app that all routes are added to, with its callers, error handling and API reference.

import { OpenAPIHono } from '@hono/zod-openapi'
import type { Role } from '../../../contract/role.ts'
import type { SignedIn } from '../../domain/people/dashboard-session.ts'
import type { WidgetSession } from '../../domain/session.ts'
import type { Traces } from '../../domain/traces.ts'
import { ApiError } from '../../lib/api-error.ts'
import { correlationIdOf } from '../../lib/correlation.ts'
import { answerError, type DefectSinks, type JsonAnswer } from './answer.ts'
import { type HttpApp, type HttpContext, type HttpEnv, headerOf, type RequestContext } from './context.ts'
import type { CallerFields, DashboardCaller, Guard, KeyCaller, OperatorCaller } from './route-spec.ts'

/** Identifies a caller by the `Authorization` header. Both functions reject with the ApiError that refuses the caller. */
export interface Callers {
  key(authorization: string | undefined): Promise<KeyCaller>
  widget(authorization: string | undefined): Promise<WidgetSession>
}

/** What a route of the dashboard asks of its caller. `role`: the least role. */
export interface Needs {
  /** Whether the call may change something, so that its origin is checked. */
  writes: boolean
  role: Role
  /** Whether the call is served while its environment is closed. */
  servesClosed: boolean
}

/** Identifies a caller by the session of a person, or by what stands for one. */
export interface DashboardCallers {
  /** @throws ApiError `auth/unauthenticated`; `authorization/not-allowed` for a call of another site. */
  person(c: RequestContext, needs: Pick<Needs, 'writes'>): Promise<{ signedIn: SignedIn }>
  /** A person with a role in the organisation `:org`. Throws as `person` and `requireMembership`. */
  member(c: RequestContext, needs: Needs): Promise<CallerFields['member']>
  /** A person with a role in the organisation of the environment `:envId`, whose onboarding is completed. */
  environment(c: RequestContext, needs: Needs): Promise<DashboardCaller | OperatorCaller>
}

export interface HttpDeps extends DefectSinks {
  callers: Callers
  /** Absent: routes of the dashboard cannot be added. */
  dashboard?: DashboardCallers
  /** Limits the calls of an environment. Runs before the body is read, for all calls with a key except tracking. */
  keyGuard?: Guard<'key'>
  /** While true, calls under `/v1` are refused with 503; `/readyz` fails earlier. */
  isDraining: () => boolean
  /** While true, calls under `/v1` that may write are refused with 503; reads are served. */
  isDiskLow?: () => boolean
  /** Greatest age (ms) of what reports read now; null or absent: no replica answers them. */
  reportAgeMs?: () => number | null
  /** Undefined where no collector is configured. */
  traces?: Traces | undefined
  /** Called after each answer of a route, for metrics and the log; `tookMs`: milliseconds since the head of the request. */
  onAnswered?: (route: AnsweredRoute, status: number, tookMs: number, correlationId: string) => void
  /** Called for each route that is added, before any request. */
  onAdded?: (route: AnsweredRoute) => void
  /** Answers paths that the edge does not have. */
  site?: Site | undefined
}

/** The parts of a request that may be logged. `path` is the pattern, because the path contains ids. */
export interface AnsweredRoute {
  method: string
  path: string
  tag: string
}

/** Serves additional pages (those of the demo, and `site/browser-pages.ts`). Resolves to undefined for other paths, which are answered 404. */
export type Site = (request: Request) => Promise<Response | undefined>

export interface Http extends HttpDeps {
  app: HttpApp
  /** Methods (upper case) by path pattern, for 405 and the check of the reference. */
  methods: Map<string, Set<string>>
  /** POST routes that are also served without Hono (`node/fast-path.ts`), by path. */
  fastRoutes: Map<string, (c: RequestContext) => Promise<JsonAnswer | Response>>
}

/** Creates an app without routes: unknown paths answer 404, unknown methods of a path 405 with `Allow`. */
export function createHttp(deps: HttpDeps): Http {
  const app: HttpApp = new OpenAPIHono<HttpEnv>()
  const http: Http = { ...deps, app, methods: new Map(), fastRoutes: new Map() }
  app.notFound(async (c) => {
    const error = noRoute(http, c)
    const isApi = /^\/v1(\/|$)/.test(c.req.path)
    const page = error.status === 404 && !isApi ? await deps.site?.(c.req.raw) : undefined
    if (page === undefined) return answerError(http, error, correlationOf(c), allowHeader(http, c))
    if (page.status === error.status) http.onRefused(error.code)
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

/** Matches a path: `:id` stands for one segment, `:id{…}` for one of that form, a last `*` for the rest. */
function matches(pattern: string, path: string): boolean {
  const source = pattern
    .replace(/[.]/g, '\\.')
    .replace(/\*$/, '.*')
    .replace(/:\w+(?:\{([^}]*)\})?/g, (_whole, form: string | undefined) => `(?:${form ?? '[^/]+'})`)
  return new RegExp(`^${source}$`, 's').test(path)
}
