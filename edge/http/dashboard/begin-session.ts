// Answers a sign-in: the session is a cookie, and the body is the person.

import type { PersonSessions } from '../../flow/people/person-sessions.ts'
import { headerOf, type RequestContext } from '../context.ts'
import type { CallHead } from '../route-spec.ts'
import { toMe } from './schemas.ts'
import type { SessionCookie } from './session-cookie.ts'

export interface BeginSessionDeps {
  cookie: SessionCookie
  sessions: Pick<PersonSessions, 'get'>
}

/** Sets the cookie; the token is in no body. @returns The answer of a sign-in. */
export async function beginSession(
  { cookie, sessions }: BeginSessionDeps,
  head: Pick<CallHead<'none'>, 'headers'>,
  token: string,
): Promise<object> {
  head.headers['set-cookie'] = cookie.write(token)
  return toMe(await sessions.get(token))
}

/** @returns The name that the browser gives itself, for the list of sessions. */
export const agentOf = (c: RequestContext): string => headerOf(c, 'user-agent') ?? ''
