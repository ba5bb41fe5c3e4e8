// Answers sign-ins: a session or a challenge is a cookie, and the body is the person or what is missing.

import { z } from '@hono/zod-openapi'
import type { PersonSessions } from '../../flow/people/person-sessions.ts'
import type { SignInStep } from '../../flow/people/sign-in-person.ts'
import { toIso } from '../../lib/clock.ts'
import { headerOf } from '../context.ts'
import type { CallHead } from '../route-spec.ts'
import type { ChallengeCookies, DashboardCookie } from './dashboard-cookie.ts'
import { meSchema, toMe } from './schemas.ts'

export interface BeginSessionDeps {
  cookie: DashboardCookie
  challengeCookies: ChallengeCookies
  sessions: Pick<PersonSessions, 'get'>
}

type Head = Pick<CallHead<'none'>, 'headers'>

/** The answer of a sign-in that may ask for a second factor. */
export const signInSchema = z
  .union([
    meSchema,
    z.object({ secondFactor: z.object({ expiresAt: z.iso.datetime() }) }).openapi('SecondFactorNeeded'),
  ])
  .openapi('DashboardSignInAnswer')

/** Sets the cookie; the token is in no body. @returns The answer of a sign-in. */
export async function beginSession({ cookie, sessions }: BeginSessionDeps, head: Head, token: string): Promise<object> {
  head.headers['set-cookie'] = cookie.write(token)
  return toMe(await sessions.get(token))
}

/** Sets the cookie of the session, or of the challenge that asks for the second factor. */
export async function answerSignIn(deps: BeginSessionDeps, head: Head, step: SignInStep): Promise<object> {
  if (step.next === 'session') return beginSession(deps, head, step.token)
  head.headers['set-cookie'] = deps.challengeCookies['second-factor'].write(step.token)
  return { secondFactor: { expiresAt: toIso(step.expiresAt) } }
}

/** @returns The name that the browser gives itself, for the list of sessions, and the id of the request. */
export function originOf({ c, correlationId }: Pick<CallHead<'none'>, 'c' | 'correlationId'>) {
  return { userAgent: headerOf(c, 'user-agent') ?? '', correlationId }
}
