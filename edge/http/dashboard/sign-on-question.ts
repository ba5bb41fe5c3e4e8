// Serves what a person is asked before a provider signs in: whether to continue as that person, or to accept the provider.

import { me } from '../../../contract/resources/own-account.ts'
import { signOnQuestion } from '../../../contract/resources/single-sign-on.ts'
import type { SignedIn } from '../../domain/people/dashboard-session.ts'
import { toIso } from '../../lib/clock.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { CallHead } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'
import { beginSession, originOf, type SessionServices } from './begin-session.ts'
import { requireOwnOrigin } from './own-origin.ts'
import { toMe } from './to-me.ts'

const PATH = '/v1/dashboard/auth/sign-in/single-sign-on'
const COMMON = { path: PATH, tag: 'Dashboard sign-in', caller: 'none' } as const

export function addDashboardSignOnQuestionRoutes(
  http: Http,
  services: SessionServices & Pick<Services, 'signInSingleSignOn' | 'challengeCookies' | 'attempts' | 'publicUrl'>,
): void {
  const { signInSingleSignOn: signOn, personSessions, sessionCookie, attempts, publicUrl } = services
  const cookie = services.challengeCookies['single-sign-on-question']
  const sessionOf = ({ c }: Pick<CallHead<'none'>, 'c'>): Promise<SignedIn | undefined> =>
    personSessions.find(sessionCookie.read(c))

  addRoute(
    http,
    {
      ...COMMON,
      method: 'get',
      summary: 'Read what is asked before a provider signs in; the challenge is a cookie',
      answer: { status: 200, schema: signOnQuestion },
      errors: ['auth/unauthenticated'],
    },
    async (call) => {
      const signedIn = await sessionOf(call)
      const { expiresAt, ...question } = await signOn.readQuestion(cookie.read(call.c), signedIn)
      return { ...question, signedInAs: signedIn?.person.email ?? null, expiresAt: toIso(expiresAt) }
    },
  )
  addRoute(
    http,
    {
      ...COMMON,
      method: 'post',
      summary: 'Answer it with yes; a session that is replaced ends',
      guards: [({ c }: CallHead<'none'>) => requireOwnOrigin(c, publicUrl)],
      answer: { status: 200, schema: me },
      errors: ['auth/unauthenticated', 'authorization/not-allowed', 'request/rate-limited'],
    },
    async (call) => {
      await attempts.begin(call.c)
      const signedIn = await sessionOf(call)
      const token = await signOn.answerQuestion(cookie.read(call.c), signedIn, originOf(call))
      if (token === undefined) return toMe(await personSessions.get(sessionCookie.read(call.c)))
      const me = await beginSession(services, call, token)
      if (signedIn !== undefined) await personSessions.signOut(signedIn)
      return me
    },
  )
}
