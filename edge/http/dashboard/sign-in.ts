// Serves sign-in, sign-out, passwords and sessions of people at /v1/dashboard/auth.

import { z } from '@hono/zod-openapi'
import { nameField } from '../../../contract/resources/fields.ts'
import { invitationLook } from '../../../contract/resources/member.ts'
import {
  codeField,
  dashboardSessionPage,
  me,
  passwordField,
  signInAnswer,
  tokenField,
} from '../../../contract/resources/own-account.ts'
import { boundedPageQuery } from '../../../contract/resources/page.ts'
import { newPassword, PASSWORD_LENGTH, typedEmail } from '../../../contract/resources/person.ts'
import { cutPage } from '../../lib/cut-page.ts'
import { changedByPerson } from '../kernel/callers.ts'
import { DELETED } from '../kernel/deleted.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { CallHead } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'
import { answerSignIn, originOf, rememberDevice, type SignInServices } from './begin-session.ts'
import { requireFullSession } from './full-session.ts'
import { requireOwnOrigin } from './own-origin.ts'
import { toMe, toSession } from './to-me.ts'

type Public = SignInServices &
  Pick<Services, 'signInPerson' | 'applyReset' | 'sendsMail' | 'requestReset' | 'attempts' | 'publicUrl'>
type Invited = SignInServices & Pick<Services, 'acceptInvitation' | 'lookAtInvitation' | 'attempts' | 'publicUrl'>
type Own = Pick<
  Services,
  'personSessions' | 'signInPerson' | 'sessionCookie' | 'deviceCookie' | 'deviceTokens' | 'attempts'
>

const PATH = '/v1/dashboard/auth'
const TAG = 'Dashboard sign-in'
/** The largest of these bodies has three short texts. */
const MAX_BYTES = 8 * 1024
/** That of an account is verified, and only that of a new one must have the length of a new password. */
const invitedPassword = passwordField.meta(PASSWORD_LENGTH)
const LIMITED = ['auth/unauthenticated', 'authorization/not-allowed', 'request/rate-limited'] as const

export function addDashboardSignInRoutes(http: Http, services: Public & Invited & Own): void {
  addPublicRoutes(http, services)
  addInvitationRoutes(http, services)
  addOwnRoutes(http, services)
  addSessionRoutes(http, services)
}

/** What the routes that need no session have in common. */
function publicRoute({ publicUrl }: Pick<Services, 'publicUrl'>) {
  const guards = [({ c }: CallHead<'none'>) => requireOwnOrigin(c, publicUrl)]
  return { method: 'post', tag: TAG, caller: 'none', guards, maxBytes: MAX_BYTES } as const
}

function addInvitationRoutes(http: Http, services: Invited): void {
  const { acceptInvitation, lookAtInvitation, attempts } = services
  const common = publicRoute(services)
  addRoute(
    http,
    {
      ...common,
      path: `${PATH}/invitations/look`,
      summary: 'Read what an invitation is about, by its link; it stays open',
      body: z.object({ token: tokenField }).openapi('LookAtInvitation'),
      answer: { status: 200, schema: invitationLook },
      errors: ['authorization/not-allowed', 'request/rate-limited', 'request/not-found'],
    },
    (call) => attempts.limit(call.c, call.body.token, () => lookAtInvitation(call.body.token)),
  )
  addRoute(
    http,
    {
      ...common,
      path: `${PATH}/invitations/accept`,
      summary: 'Become a member by an invitation, and sign in; an existing account needs its password',
      body: z
        .object({ token: tokenField, name: nameField.optional(), password: invitedPassword })
        .openapi('AcceptInvitation'),
      answer: { status: 200, schema: signInAnswer },
      errors: [...LIMITED, 'request/not-found', 'request/conflict'],
    },
    async (call) => {
      const accept = () => acceptInvitation(call.body, originOf(call))
      return answerSignIn(services, call, await attempts.limit(call.c, call.body.token, accept))
    },
  )
}

function addPublicRoutes(http: Http, services: Public): void {
  const { signInPerson, deviceCookie, deviceTokens, attempts } = services
  const common = publicRoute(services)

  addRoute(
    http,
    {
      ...common,
      path: `${PATH}/sign-in`,
      summary: 'Sign in to the dashboard; session or challenge is a cookie',
      body: z
        .object({ email: typedEmail, password: passwordField, code: codeField.optional() })
        .openapi('DashboardSignIn'),
      answer: { status: 200, schema: signInAnswer },
      errors: LIMITED,
    },
    async (call) => {
      const { email } = call.body
      const token = deviceCookie.read(call.c)
      const device = await deviceTokens.findDeviceOf(token, email)
      const signIn = () => signInPerson.signIn(call.body, { ...originOf(call), device: token })
      return answerSignIn(services, call, await attempts.limit(call.c, email, signIn, device))
    },
  )
  addRoute(
    http,
    {
      ...common,
      path: `${PATH}/password-reset`,
      summary: 'Request a link that sets a new password; the answer is the same for every address',
      body: z.object({ email: typedEmail }).openapi('PasswordResetRequest'),
      answer: { status: 202, schema: z.object({ accepted: z.literal(true), sendsMail: z.boolean() }) },
      errors: ['authorization/not-allowed', 'request/rate-limited'],
    },
    async (call) => {
      await attempts.count(call.c, `reset ${call.body.email}`)
      services.requestReset(call.body.email, call.correlationId)
      return { accepted: true, sendsMail: services.sendsMail }
    },
  )
  addRoute(
    http,
    {
      ...common,
      path: `${PATH}/password-reset/confirm`,
      summary: 'Set a new password by the link of a reset; ends all sessions, and removes the passkeys where wanted',
      body: z
        .object({ token: tokenField, password: newPassword, removePasskeys: z.boolean().optional() })
        .openapi('PasswordReset'),
      answer: { status: 200, schema: z.object({ changed: z.literal(true), passkeysRemoved: z.number() }) },
      errors: ['authorization/not-allowed', 'request/not-found', 'request/rate-limited'],
    },
    async (call) => {
      const { body, correlationId } = call
      const applied = await attempts.limit(call.c, body.token, () => services.applyReset(body, correlationId))
      return { changed: true, ...applied }
    },
  )
}

function addOwnRoutes(http: Http, { personSessions, signInPerson, sessionCookie, attempts, ...device }: Own): void {
  addRoute(
    http,
    {
      method: 'get',
      path: `${PATH}/me`,
      summary: 'Read oneself, with the role in each organisation',
      tag: TAG,
      caller: 'person',
      answer: { status: 200, schema: me },
      errors: [],
    },
    (call) => toMe(call.signedIn),
  )
  addRoute(
    http,
    {
      method: 'post',
      path: `${PATH}/sign-out`,
      summary: 'End this session',
      tag: TAG,
      caller: 'person',
      answer: { status: 200, schema: z.object({ ended: z.literal(true) }) },
      errors: [],
    },
    async (call) => {
      await personSessions.signOut(call.signedIn)
      call.cookies.push(sessionCookie.clear())
      return { ended: true }
    },
  )
  addRoute(
    http,
    {
      method: 'put',
      path: `${PATH}/password`,
      summary: 'Change the password; ends all other sessions',
      tag: TAG,
      caller: 'person',
      guards: [requireFullSession],
      body: z.object({ currentPassword: passwordField, password: newPassword }).openapi('PasswordChange'),
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: z.object({ changed: z.literal(true) }) },
      errors: ['request/conflict', 'request/rate-limited'],
    },
    async (call) => {
      const { signedIn, body } = call
      const change = () =>
        signInPerson.changePassword(signedIn, body.currentPassword, body.password, changedByPerson(call))
      await attempts.limitOwn(signedIn, change)
      // The former device cookie ended with the former password.
      await rememberDevice(device, call, signedIn.person.email)
      return { changed: true }
    },
  )
}

function addSessionRoutes(http: Http, { personSessions: sessions }: Pick<Services, 'personSessions'>): void {
  addRoute(
    http,
    {
      method: 'get',
      path: `${PATH}/sessions`,
      summary: 'List the own sessions, newest first',
      tag: TAG,
      caller: 'person',
      query: boundedPageQuery,
      answer: { status: 200, schema: dashboardSessionPage },
      errors: [],
    },
    async ({ signedIn, query }) => {
      const all = (await sessions.list(signedIn)).map((one) => toSession(one, signedIn.session.id))
      return cutPage({ list: 'sessions', of: signedIn.person.id }, all, query)
    },
  )
  addRoute(
    http,
    {
      method: 'delete',
      path: `${PATH}/sessions/:sessionId`,
      summary: 'End one of the own sessions',
      tag: TAG,
      caller: 'person',
      answer: DELETED,
      errors: ['request/not-found'],
    },
    async ({ signedIn, params }) => {
      await sessions.end(signedIn, params.sessionId ?? '')
      return { deleted: true }
    },
  )
}
