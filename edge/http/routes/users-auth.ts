// Serves POST /v1/users/auth, which exchanges a user token for a session, and DELETE /v1/inbox/session, which ends it.

import { z } from '@hono/zod-openapi'
import type { JsonObject } from '../../../contract/json.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { authAnswer } from '../../../contract/schemas.ts'
import type { WidgetSession } from '../../domain/session.ts'
import type { SignInUser } from '../../flow/users/sign-in-user.ts'
import { headerOf } from '../kernel/context.ts'
import { DELETED } from '../kernel/deleted.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { RateLimits } from '../limits/rate-limits.ts'

export interface UsersAuthDeps {
  signIn: SignInUser
  endSession(session: WidgetSession): Promise<void>
  /** Returns the origin of the realtime address where only the request's `Host` can tell it; else undefined. */
  originForCaller(host: string | undefined): string | undefined
  rateLimits: Pick<RateLimits, 'authGuard' | 'takeAuth' | 'inboxGuard'>
}

const MAX_BYTES = 64 * 1024

const bodySchema = z
  .object({
    apiKey: z.string().openapi({ description: 'The Front API Key.' }),
    authType: z.enum(['backendToken', 'jwt', 'signedJwt']).default('backendToken'),
    userId: z.string().optional().openapi({ description: 'With `backendToken` only; a JWT names its user itself.' }),
    token: z.string().openapi({
      minLength: 1,
      description: 'Proves who the user is. Must never be in an address, a log or browser storage.',
    }),
  })
  .openapi('UsersAuthRequest', {
    anyOf: [
      { required: ['userId'], properties: { userId: { type: 'string', minLength: 1, maxLength: LIMITS.userIdChars } } },
      { required: ['authType'], properties: { authType: { type: 'string', enum: ['jwt', 'signedJwt'] } } },
    ],
  })

export function addUsersAuthRoutes(http: Http, deps: UsersAuthDeps): void {
  addRoute<'none', JsonObject>(
    http,
    {
      method: 'post',
      path: '/v1/users/auth',
      summary: 'Sign a user in to the widget',
      tag: 'Widget',
      caller: 'none',
      guards: [deps.rateLimits.authGuard],
      ownBody: bodySchema,
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: authAnswer, description: 'A session for this user and environment only.' },
      errors: [
        'auth/invalid-inputs',
        'auth/invalid-api-key',
        'auth/no-public-key-registered',
        'auth/invalid-token-signature',
        'authorization/not-allowed',
        'request/rate-limited',
      ],
    },
    async ({ c, body, headers }) => {
      await deps.rateLimits.takeAuth(body.apiKey, headers)
      const answer = await deps.signIn(body, headerOf(c, 'origin') ?? null)
      // A proxy has another address than the one that it calls.
      const isDirect = headerOf(c, 'x-forwarded-for') === undefined && headerOf(c, 'forwarded') === undefined
      const url = isDirect ? deps.originForCaller(headerOf(c, 'host')) : undefined
      return url === undefined ? answer : { ...answer, realtime: { ...answer.realtime, url } }
    },
  )
  addRoute(
    http,
    {
      method: 'delete',
      path: '/v1/inbox/session',
      summary: 'End this widget session',
      tag: 'Widget',
      caller: 'widget',
      guards: [deps.rateLimits.inboxGuard],
      answer: { ...DELETED, description: 'Its token is refused from now on; its sockets close.' },
      errors: ['request/rate-limited'],
    },
    async ({ session }) => {
      await deps.endSession(session)
      return { deleted: true }
    },
  )
}
