// Serves single sign-on: its settings and domains for an organisation, and the way to the provider and back.

import { z } from '@hono/zod-openapi'
import { NEW_MEMBER_ROLES, type SingleSignOn } from '../../domain/people/single-sign-on.ts'
import type { ManageSingleSignOn } from '../../flow/people/manage-single-sign-on.ts'
import type { SignInPages } from '../../flow/people/one-time-address.ts'
import type { PersonSessions } from '../../flow/people/person-sessions.ts'
import type { ProveDomains } from '../../flow/people/prove-domains.ts'
import type { SignInSingleSignOn } from '../../flow/people/sign-in-single-sign-on.ts'
import { toSingleSignOnAnswer } from '../../flow/people/single-sign-on-answer.ts'
import { ApiError } from '../../lib/api-error.ts'
import { changedByPerson } from '../callers.ts'
import { headerOf, type RequestContext } from '../context.ts'
import { DELETED } from '../deleted.ts'
import type { Http } from '../http.ts'
import { ifMatchHeader, takesRevision, withEtag } from '../if-match.ts'
import { addRoute } from '../route.ts'
import type { CallHead } from '../route-spec.ts'
import type { AttemptLimits } from './attempt-limits.ts'
import { originOf } from './begin-session.ts'
import type { ChallengeCookies, DashboardCookie } from './dashboard-cookie.ts'

export interface DashboardSingleSignOnDeps {
  manageSingleSignOn: ManageSingleSignOn
  proveDomains: Pick<ProveDomains, 'prove'>
  signInSingleSignOn: SignInSingleSignOn
  sessions: Pick<PersonSessions, 'find'>
  pages: SignInPages
  cookie: DashboardCookie
  challengeCookies: ChallengeCookies
  attempts: AttemptLimits
  /** Called with each sign-in that ended with an error, whose cause only the log has. */
  onSignOnFailed(error: ApiError, correlationId: string): void
}

const PATH = '/v1/dashboard/auth'
const SETTINGS_PATH = `${PATH}/organisations/:org/single-sign-on`
const MAX_BYTES = 16 * 1024
const BASE = { tag: 'Dashboard members', caller: 'member' } as const

const settingsSchema = z
  .object({
    issuer: z.string(),
    clientId: z.string(),
    domains: z.array(z.string()),
    /** Whether each domain is proved, and the TXT record that proves it. */
    domainProofs: z.array(
      z.object({
        domain: z.string(),
        record: z.object({ name: z.string(), value: z.string() }),
        provedBy: z.enum(['dns', 'operator']).nullable(),
        provedAt: z.iso.datetime().nullable(),
        /** Since when a daily check misses the record. */
        missingSince: z.iso.datetime().nullable(),
      }),
    ),
    newMemberRole: z.enum(NEW_MEMBER_ROLES).nullable(),
    /** To register at the provider. */
    redirectUri: z.string(),
    /** Where a browser begins. */
    startUrl: z.string(),
    updatedAt: z.iso.datetime(),
    revision: z.number().int(),
  })
  .openapi('SingleSignOn')

/** The flow also takes spaces around it. */
const domain = z
  .string()
  .min(1)
  .max(253)
  .openapi({ format: 'hostname', pattern: '\\.[A-Za-z]', example: 'example.com' })

const inputSchema = z
  .object({
    issuer: z.string().min(1).max(500).openapi({ format: 'uri', pattern: '^https?://[^?#]+$' }),
    clientId: z.string().min(1).max(500),
    clientSecret: z.string().min(1).max(2000).optional(),
    domains: z.array(domain).min(1).max(20),
    newMemberRole: z.enum(NEW_MEMBER_ROLES).nullable().default(null),
  })
  .openapi('SingleSignOnSettings')

export function addDashboardSingleSignOnRoutes(http: Http, deps: DashboardSingleSignOnDeps): void {
  addSettingsRoutes(http, deps)
  addProofRoute(http, deps)
  addSignInRoutes(http, deps)
}

async function answerOf({ manageSingleSignOn, pages }: DashboardSingleSignOnDeps, settings: SingleSignOn) {
  return toSingleSignOnAnswer(settings, await manageSingleSignOn.listProved(settings.organisationId), pages)
}

function addSettingsRoutes(http: Http, deps: DashboardSingleSignOnDeps): void {
  const { manageSingleSignOn: manage } = deps
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: SETTINGS_PATH,
      summary: 'Read the single sign-on of the organisation, without its client secret',
      role: 'admin',
      answer: { status: 200, schema: settingsSchema },
      errors: ['request/not-found'],
    },
    async (call) => withEtag(call, await answerOf(deps, await manage.get(call.membership.organisationId))),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'put',
      path: SETTINGS_PATH,
      summary: 'Set the single sign-on of the organisation; without clientSecret the stored one stays',
      role: 'owner',
      headers: ifMatchHeader,
      body: inputSchema,
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: settingsSchema },
      errors: ['request/conflict'],
    },
    async ({ membership, body, ...call }) => {
      const saved = await manage.put(membership.organisationId, body, changedByPerson(call), takesRevision(call.c))
      return withEtag(call, await answerOf(deps, saved))
    },
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'delete',
      path: SETTINGS_PATH,
      summary: 'Remove the single sign-on of the organisation; ends the sessions that it began',
      role: 'owner',
      headers: ifMatchHeader,
      answer: DELETED,
      errors: ['request/not-found', 'request/conflict'],
    },
    (call) => manage.remove(call.membership.organisationId, changedByPerson(call), takesRevision(call.c)),
  )
}

function addProofRoute(http: Http, deps: DashboardSingleSignOnDeps): void {
  const { manageSingleSignOn: manage, proveDomains, attempts } = deps
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      path: `${SETTINGS_PATH}/prove-domain`,
      summary: 'Prove a listed domain by its TXT record, which is read now',
      role: 'owner',
      body: z.object({ domain }).openapi('DomainToProve'),
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: settingsSchema },
      errors: ['request/not-found', 'request/conflict', 'request/rate-limited'],
    },
    async (call) => {
      await attempts.begin(call.c)
      const { organisationId } = call.membership
      await proveDomains.prove(organisationId, call.body.domain, changedByPerson(call))
      return answerOf(deps, await manage.get(organisationId))
    },
  )
}

function addSignInRoutes(http: Http, deps: DashboardSingleSignOnDeps): void {
  const { signInSingleSignOn: signOn, pages, attempts } = deps
  const { 'single-sign-on': cookie, 'single-sign-on-question': questionCookie } = deps.challengeCookies
  const schema = z.string()
  const common = { method: 'get', tag: 'Dashboard sign-in', caller: 'none', takesAnyQuery: true } as const
  const answer = { status: 303, schema, contentType: 'text/plain', description: 'Sends the browser on.' }

  /** Sends the browser on; with an error to the page of sign-in, because a person looks at it. */
  async function redirect(
    { headers, params, correlationId }: CallHead<'none'>,
    next: () => Promise<{ location: string; setCookie: string }>,
  ): Promise<Response> {
    let location: string
    try {
      const found = await next()
      location = found.location
      headers['set-cookie'] = found.setCookie
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      deps.onSignOnFailed(error, correlationId)
      location = pages.failed(params.org ?? '', error.extra.reason ?? error.code, correlationId)
    }
    return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
  }

  addRoute(
    http,
    {
      ...common,
      path: `${PATH}/oidc/:org/start`,
      summary: 'Send a browser to the identity provider of an organisation; the challenge is a cookie',
      answer,
      errors: ['request/rate-limited'],
    },
    async (call) => {
      await attempts.begin(call.c)
      return redirect(call, async () => {
        const { url, token } = await signOn.begin(call.params.org ?? '', beganElsewhere(call.c))
        return { location: url, setCookie: cookie.write(token) }
      })
    },
  )
  addRoute(
    http,
    {
      ...common,
      path: `${PATH}/oidc/:org/callback`,
      summary: 'Take a browser back from the identity provider, and sign the person in to the organisation',
      answer,
      errors: ['request/rate-limited'],
    },
    async (call) => {
      const { c, params } = call
      const org = params.org ?? ''
      await attempts.begin(c)
      return redirect(call, async () => {
        const { search: query } = new URL(c.req.url)
        const signedIn = await deps.sessions.find(deps.cookie.read(c))
        const step = await signOn.finish(org, { token: cookie.read(c), query }, signedIn, originOf(call))
        return step.next === 'session'
          ? { location: pages.home(org), setCookie: deps.cookie.write(step.token) }
          : { location: pages.question(), setCookie: questionCookie.write(step.token) }
      })
    },
  )
}

/** Whether another site sent the browser here, as browsers tell. Without the header, as by plain HTTP, nothing is known. */
function beganElsewhere(c: RequestContext): boolean {
  return /^(?:cross|same)-site$/.test(headerOf(c, 'sec-fetch-site') ?? '')
}
