// Implements CORS for the calls of the widget, by the allowed origins of the environment.
// Does not allow credentials, because the widget sends no cookies.

import { ApiError } from '../../lib/api-error.ts'
import { correlationIdOf } from '../../lib/correlation.ts'
import { answerError } from './answer.ts'
import { type HttpContext, headerOf } from './context.ts'
import type { Http } from './http.ts'
import { findBearer } from './route.ts'
import type { Services } from './services.ts'

const SIGN_IN_PATH = '/v1/users/auth'
/** The paths that pages of customers call. */
export const WIDGET_PATHS = [SIGN_IN_PATH, '/v1/inbox/*', '/v1/notification/event/register'] as const

const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-max-age': '7200',
}
const OWN_HEADERS = 'authorization, content-type, idempotency-key, x-correlation-id, if-none-match'
/** Names of headers as Fetch writes them into a preflight: lower case, separated by commas. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(?:, ?[\w!#$%&'*+.^`|~-]+)*$/
const PREFLIGHT_VARY = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'
/** The `debug` mode of the widget compares `Date` with the clock of the device. */
const EXPOSED = 'Date, X-Correlation-Id, ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset'

type Taken = Pick<Services, 'verifySession' | 'findEnvironment' | 'isOriginAllowed'>

/**
 * Answers preflights and lets pages of allowed origins read the answers (docs/api.md#sign-in). Must be called before
 * the routes of these paths are added. Errors before the environment is known are readable, because pages need the code.
 */
export function addWidgetCors(http: Http, services: Taken): void {
  for (const path of WIDGET_PATHS) {
    http.app.use(path, async (c, next) => {
      const origin = headerOf(c, 'origin')
      if (origin === undefined) return next()
      const isKnownOrigin = services.isOriginAllowed([], origin)
      const isPreflight = c.req.method === 'OPTIONS' && headerOf(c, 'access-control-request-method') !== undefined
      if (isPreflight) return preflightAnswer(c, isKnownOrigin ? origin : undefined)
      if (path !== SIGN_IN_PATH && (await isRefused(services, c, origin))) return refuse(http, c)
      await next()
      // A sign-in names its environment in the body and checks the origin itself; its only 403 is for the origin.
      if (isKnownOrigin && !(path === SIGN_IN_PATH && c.res.status === 403)) allow(c.res.headers, origin)
      c.res.headers.append('vary', 'Origin')
    })
  }
}

function preflightAnswer(c: HttpContext, origin: string | undefined): Response {
  const headers = new Headers({ 'x-correlation-id': correlationOf(c), vary: PREFLIGHT_VARY })
  if (origin !== undefined) {
    // A page may wrap `fetch` and add headers of its own (CSRF, tracing). No cookie is in play, so that they give nobody a right.
    const asked = headerOf(c, 'access-control-request-headers') ?? ''
    headers.set('access-control-allow-origin', origin)
    headers.set('access-control-allow-headers', HEADER_NAMES.test(asked) ? `${OWN_HEADERS}, ${asked}` : OWN_HEADERS)
    for (const [name, value] of Object.entries(PREFLIGHT_HEADERS)) headers.set(name, value)
  }
  return new Response(null, { status: 204, headers })
}

/** @returns Whether the environment of the session does not allow the origin; without a session the route itself refuses. */
async function isRefused(
  { verifySession, findEnvironment, isOriginAllowed }: Taken,
  c: HttpContext,
  origin: string,
): Promise<boolean> {
  const token = findBearer(headerOf(c, 'authorization'))
  if (token === undefined) return false
  const session = await verifySession(token).catch(() => undefined)
  if (session === undefined) return false
  const environment = await findEnvironment(session.environmentId)
  return environment !== undefined && !isOriginAllowed(environment.allowedOrigins, origin)
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
