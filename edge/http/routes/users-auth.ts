// Serves POST /v1/users/auth, which exchanges a user token for a session, and DELETE /v1/inbox/session, which ends it.

import { z } from '@hono/zod-openapi'
import type { JsonObject } from '../../../contract/json.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { authAnswer } from '../../../contract/schemas.ts'
import { headerOf } from '../kernel/context.ts'
import { DELETED } from '../kernel/deleted.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'
import type { RateLimits } from '../limits/rate-limits.ts'

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

export function addUsersAuthRoutes(
  http: Http,
  { signInUser, endSession, originForCaller }: Pick<Services, 'signInUser' | 'endSession' | 'originForCaller'>,
  { authGuard, takeAuth, inboxGuard }: Pick<RateLimits, 'authGuard' | 'takeAuth' | 'inboxGuard'>,
): void {
  addRoute<'none', JsonObject>(
    http,
    {
      method: 'post',
      path: '/v1/users/auth',
      summary: 'Sign a user in to the widget',
      tag: 'Widget',
      caller: 'none',
      guards: [authGuard],
      ownBody: bodySchema,
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: authAnswer, description: 'A session for this user and environment only.' },
      errors: [
        'auth/invalid-inputs',
        'auth/invalid-api-key',
        'auth/no-public-key-registered',
        'auth/invalid-token-signature',
        'authorization/not-allowed',
        'environment/closed',
        'request/rate-limited',
      ],
    },
    async ({ c, body, headers }) => {
      await takeAuth(body.apiKey, headers)
      const answer = await signInUser(body, headerOf(c, 'origin') ?? null)
      // A proxy has another address than the one that it calls.
      const isDirect = headerOf(c, 'x-forwarded-for') === undefined && headerOf(c, 'forwarded') === undefined
      const url = isDirect ? originForCaller(headerOf(c, 'host')) : undefined
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
      guards: [inboxGuard],
      answer: { ...DELETED, description: 'Its token is refused from now on; its sockets close.' },
      errors: ['request/rate-limited'],
    },
    async ({ session }) => {
      await endSession(session)
      return { deleted: true }
    },
  )
}
