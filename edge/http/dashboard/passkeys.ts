// Serves passkeys: sign-in without a password, and the passkeys of the person.

import { z } from '@hono/zod-openapi'
import { nameField } from '../../../contract/resources/fields.ts'
import { me, passkey, passkeyPage, passwordField } from '../../../contract/resources/own-account.ts'
import { boundedPageQuery } from '../../../contract/resources/page.ts'
import type { Passkey } from '../../domain/people/passkey.ts'
import { toIso } from '../../lib/clock.ts'
import { cutPage } from '../../lib/cut-page.ts'
import { formatId } from '../../lib/id.ts'
import { changedByPerson } from '../kernel/callers.ts'
import { DELETED } from '../kernel/deleted.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { CallHead } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'
import { beginSession, originOf, type SignInServices } from './begin-session.ts'
import { requireFullSession } from './full-session.ts'
import { requireOwnOrigin } from './own-origin.ts'

type SignIn = SignInServices & Pick<Services, 'signInPasskey' | 'attempts' | 'publicUrl'>
type Registration = Pick<Services, 'managePasskeys' | 'attempts' | 'challengeCookies'>

const PATH = '/v1/dashboard/auth'
const TAG = 'Dashboard passkeys'
/** A response has a certificate at most, as no attestation is asked for. */
const MAX_BYTES = 32 * 1024
const OWN = { tag: TAG, caller: 'person', guards: [requireFullSession] } as const

const text = z.string().min(1).max(16_384)
const optionsSchema = z.looseObject({ challenge: z.string() }).openapi('PasskeyOptions')
/** `PublicKeyCredentialCreationOptionsJSON` of browsers. */
const creationSchema = z
  .looseObject({
    challenge: z.string(),
    rp: z.looseObject({ name: z.string() }),
    user: z.looseObject({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.looseObject({ type: z.literal('public-key'), alg: z.int() })),
  })
  .openapi('PasskeyCreationOptions')
/** The forms of `PublicKeyCredential.toJSON()`. */
const shared = { id: text, rawId: text, type: z.literal('public-key'), clientExtensionResults: z.looseObject({}) }
const registrationField = z
  .object({
    ...shared,
    response: z.object({
      clientDataJSON: text,
      attestationObject: text,
      transports: z.array(z.string().max(40)).max(10).optional(),
    }),
  })
  .openapi('PasskeyRegistration')
const signInField = z
  .object({
    ...shared,
    response: z.object({
      clientDataJSON: text,
      authenticatorData: text,
      signature: text,
      userHandle: z.string().max(200).optional(),
    }),
  })
  .openapi('PasskeySignIn')
function toPasskey({ id, name, createdAt, lastUsedAt }: Passkey) {
  const used = lastUsedAt === null ? null : toIso(lastUsedAt)
  return { id: formatId('passkey', id), name, createdAt: toIso(createdAt), lastUsedAt: used }
}

export function addDashboardPasskeyRoutes(http: Http, services: SignIn & Registration): void {
  addSignInRoutes(http, services)
  addRegistrationRoutes(http, services)
  addPasskeyRoutes(http, services)
}

function addSignInRoutes(
  http: Http,
  { signInPasskey, challengeCookies, attempts, publicUrl, ...session }: SignIn,
): void {
  const cookie = challengeCookies.passkey
  const guards = [({ c }: CallHead<'none'>) => requireOwnOrigin(c, publicUrl)]
  const common = { method: 'post', tag: 'Dashboard sign-in', caller: 'none', guards } as const
  addRoute(
    http,
    {
      ...common,
      path: `${PATH}/sign-in/passkey/options`,
      summary: 'Begin a sign-in with a passkey; the challenge is also a cookie',
      answer: { status: 200, schema: optionsSchema },
      errors: ['authorization/not-allowed', 'request/conflict', 'request/rate-limited'],
    },
    async ({ c, cookies }) => {
      await attempts.begin(c)
      const { options, token } = await signInPasskey.begin()
      cookies.push(cookie.write(token))
      return options
    },
  )
  addRoute(
    http,
    {
      ...common,
      path: `${PATH}/sign-in/passkey`,
      summary: 'Sign in with a passkey, without a password',
      body: signInField,
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: me },
      errors: ['auth/unauthenticated', 'authorization/not-allowed', 'request/conflict', 'request/rate-limited'],
    },
    async (call) => {
      const signIn = () => signInPasskey.signIn(cookie.read(call.c), call.body, originOf(call))
      return beginSession(session, call, await attempts.limit(call.c, `passkey ${call.body.id}`, signIn))
    },
  )
}

function addRegistrationRoutes(http: Http, { managePasskeys, attempts, challengeCookies }: Registration): void {
  const cookie = challengeCookies['passkey-registration']
  addRoute(
    http,
    {
      ...OWN,
      method: 'post',
      path: `${PATH}/passkeys/options`,
      summary: 'Begin the registration of a passkey, with the password; the challenge is also a cookie',
      body: z.object({ password: passwordField }).openapi('PasskeyBegin'),
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: creationSchema },
      errors: ['request/conflict', 'request/rate-limited'],
    },
    async ({ signedIn, body, cookies }) => {
      const begin = () => managePasskeys.begin(signedIn, body.password)
      const { options, token } = await attempts.limitOwn(signedIn, begin)
      cookies.push(cookie.write(token))
      return options
    },
  )
  addRoute(
    http,
    {
      ...OWN,
      method: 'post',
      path: `${PATH}/passkeys`,
      summary: 'Register a passkey by what the device answered',
      body: z.object({ name: nameField, response: registrationField }).openapi('NewPasskey'),
      maxBytes: MAX_BYTES,
      answer: { status: 201, schema: passkey },
      errors: ['request/conflict'],
    },
    async (call) => {
      const { c, signedIn, body } = call
      return toPasskey(await managePasskeys.add(signedIn, cookie.read(c), body, changedByPerson(call)))
    },
  )
}

function addPasskeyRoutes(http: Http, { managePasskeys }: Pick<Services, 'managePasskeys'>): void {
  addRoute(
    http,
    {
      ...OWN,
      method: 'get',
      path: `${PATH}/passkeys`,
      summary: 'List the own passkeys, newest first',
      query: boundedPageQuery,
      answer: { status: 200, schema: passkeyPage },
      errors: [],
    },
    async ({ signedIn: { person }, query }) =>
      cutPage({ list: 'passkeys', of: person.id }, (await managePasskeys.list(person.id)).map(toPasskey), query),
  )
  addRoute(
    http,
    {
      ...OWN,
      method: 'put',
      path: `${PATH}/passkeys/:passkeyId`,
      summary: 'Rename one of the own passkeys',
      body: z.object({ name: nameField }).openapi('PasskeyName'),
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: passkey },
      errors: ['request/not-found', 'request/conflict'],
    },
    async (call) =>
      toPasskey(
        await managePasskeys.rename(call.signedIn, call.params.passkeyId ?? '', call.body.name, changedByPerson(call)),
      ),
  )
  addRoute(
    http,
    {
      ...OWN,
      method: 'delete',
      path: `${PATH}/passkeys/:passkeyId`,
      summary: 'Remove one of the own passkeys',
      answer: DELETED,
      errors: ['request/not-found'],
    },
    async (call) => {
      await managePasskeys.remove(call.signedIn, call.params.passkeyId ?? '', changedByPerson(call))
      return { deleted: true }
    },
  )
}
