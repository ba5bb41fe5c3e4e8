// CORS of the widget's calls, by the environment's allowed origins (contract section 4, "CORS"). No credentials: the widget sends no cookie.

import { findBearer } from '../auth/tracking-key.ts'
import type { Environment } from '../domain/environment.ts'
import type { WidgetSession } from '../domain/session.ts'
import { ApiError } from '../lib/api-error.ts'
import { correlationIdOf } from '../lib/correlation.ts'
import { answerError } from './answer.ts'
import { type HttpContext, headerOf } from './context.ts'
import type { Http } from './http.ts'

const SIGN_IN_PATH = '/v1/users/auth'
/** The paths that a page of a customer calls. */
export const WIDGET_PATHS = [SIGN_IN_PATH, '/v1/inbox/*', '/v1/notification/event/register'] as const

const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, x-correlation-id, if-none-match',
  'access-control-max-age': '7200',
}
/** `Date`: the widget's `debug` tells how far the device's clock is off. */
const EXPOSED = 'Date, X-Correlation-Id, ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset'

export interface CorsDeps {
  /** Throws for a token that is no live session. */
  verifySession(token: string | undefined): Promise<WidgetSession>
  findEnvironment(environmentId: number): Promise<Environment | undefined>
  isOriginAllowed(allowed: readonly string[], origin: string): boolean
}

/**
 * Answers preflights and lets allowed pages read the answers. To be called before the routes of these paths are added.
 *
 * A preflight names no environment, so it lets any origin ask; the call itself is then refused with 403, before anything
 * is done, when its environment does not list the origin, and that answer cannot be read there. An error that comes
 * before the environment is known (a wrong key, a dead session, too many calls) can be: the page must see its code.
 */
export function addWidgetCors(http: Http, deps: CorsDeps): void {
  for (const path of WIDGET_PATHS) {
    http.app.use(path, async (c, next) => {
      const origin = headerOf(c, 'origin')
      if (origin === undefined) return next()
      const mayAsk = deps.isOriginAllowed([], origin)
      const isPreflight = c.req.method === 'OPTIONS' && headerOf(c, 'access-control-request-method') !== undefined
      if (isPreflight) return preflightAnswer(c, mayAsk ? origin : undefined)
      if (path !== SIGN_IN_PATH && (await isRefused(deps, c, origin))) return refuse(http, c)
      await next()
      // A sign-in finds the environment in its body and refuses by itself; its only 403 is that of the origin.
      if (mayAsk && !(path === SIGN_IN_PATH && c.res.status === 403)) allow(c.res.headers, origin)
      c.res.headers.append('vary', 'Origin')
    })
  }
}

function preflightAnswer(c: HttpContext, origin: string | undefined): Response {
  const headers = new Headers({ 'x-correlation-id': correlationOf(c), vary: 'Origin, Access-Control-Request-Method' })
  if (origin !== undefined) {
    headers.set('access-control-allow-origin', origin)
    for (const [name, value] of Object.entries(PREFLIGHT_HEADERS)) headers.set(name, value)
  }
  return new Response(null, { status: 204, headers })
}

/** Whether the session's environment is known and does not list the origin. Without a session the route refuses by itself. */
async function isRefused(deps: CorsDeps, c: HttpContext, origin: string): Promise<boolean> {
  const token = findBearer(headerOf(c, 'authorization'))
  if (token === undefined) return false
  const session = await deps.verifySession(token).catch(() => undefined)
  if (session === undefined) return false
  const environment = await deps.findEnvironment(session.environmentId)
  return environment !== undefined && !deps.isOriginAllowed(environment.allowedOrigins, origin)
}

function refuse(http: Http, c: HttpContext): Response {
  const error = new ApiError('authorization/not-allowed', {
    message: 'This origin is not among the allowed origins of the environment.',
  })
  return answerError(http, error, correlationOf(c), { vary: 'Origin' })
}

function allow(headers: Headers, origin: string): void {
  headers.set('access-control-allow-origin', origin)
  headers.set('access-control-expose-headers', EXPOSED)
}

function correlationOf(c: HttpContext): string {
  return correlationIdOf(headerOf(c, 'x-correlation-id'))
}
