// Serves single sign-on: its settings and domains for an organisation, and the way to the provider and back.

import { z } from '@hono/zod-openapi'
import {
  domainToProve,
  type SingleSignOnAnswer,
  type SingleSignOnSettings,
  singleSignOn,
  singleSignOnSettings,
} from '../../../contract/resources/single-sign-on.ts'
import { findDomainFaults } from '../../domain/people/sign-on-domains.ts'
import type { SingleSignOn } from '../../domain/people/single-sign-on.ts'
import { recordOf } from '../../flow/people/prove-domains.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { changedByPerson } from '../kernel/callers.ts'
import { headerOf, type RequestContext } from '../kernel/context.ts'
import { DELETED } from '../kernel/deleted.ts'
import type { Http } from '../kernel/http.ts'
import { ifMatchHeader, takesRevision, withEtag } from '../kernel/if-match.ts'
import { addRoute } from '../kernel/route.ts'
import type { CallHead } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'
import { originOf } from './begin-session.ts'

type Settings = Pick<Services, 'manageSingleSignOn' | 'signInPages'>
type Proof = Settings & Pick<Services, 'proveDomains' | 'attempts'>
type SignIn = Pick<
  Services,
  | 'signInSingleSignOn'
  | 'signInPages'
  | 'personSessions'
  | 'sessionCookie'
  | 'challengeCookies'
  | 'attempts'
  | 'onSignOnFailed'
>

const PATH = '/v1/dashboard/auth'
const SETTINGS_PATH = `${PATH}/organisations/:org/single-sign-on`
const MAX_BYTES = 16 * 1024
const BASE = { tag: 'Dashboard members', caller: 'member' } as const

export function addDashboardSingleSignOnRoutes(http: Http, services: Settings & Proof & SignIn): void {
  addSettingsRoutes(http, services)
  addProofRoute(http, services)
  addSignInRoutes(http, services)
}

/** @returns The settings without the client secret, with the addresses for the provider and browsers, and the records to set. */
async function answerOf(
  { manageSingleSignOn, signInPages: pages }: Settings,
  { organisationId, updatedAt, ...settings }: SingleSignOn,
): Promise<SingleSignOnAnswer> {
  const { issuer, clientId, domains, newMemberRole, revision } = settings
  const proved = await manageSingleSignOn.listProved(organisationId)
  const domainProofs = domains.map((domain) => {
    const proof = proved.find((one) => one.domain === domain)
    return {
      domain,
      record: recordOf(organisationId, domain),
      provedBy: proof?.by ?? null,
      provedAt: proof === undefined ? null : toIso(proof.provedAt),
      missingSince: proof?.missingSince == null ? null : toIso(proof.missingSince),
    }
  })
  const org = formatId('organisation', organisationId)
  const addresses = { redirectUri: pages.redirectUri(org), startUrl: pages.start(org) }
  return { issuer, clientId, domains, domainProofs, newMemberRole, ...addresses, updatedAt: toIso(updatedAt), revision }
}

function addSettingsRoutes(http: Http, services: Settings): void {
  const { manageSingleSignOn: manage } = services
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: SETTINGS_PATH,
      summary: 'Read the single sign-on of the organisation, without its client secret',
      role: 'admin',
      answer: { status: 200, schema: singleSignOn },
      errors: ['request/not-found'],
    },
    async (call) => withEtag(call, await answerOf(services, await manage.get(call.membership.organisationId))),
  )
  addRoute<'member', SingleSignOnSettings>(
    http,
    {
      ...BASE,
      method: 'put',
      path: SETTINGS_PATH,
      summary: 'Set the single sign-on of the organisation; without clientSecret the stored one stays',
      role: 'owner',
      headers: ifMatchHeader,
      body: singleSignOnSettings,
      faults: findDomainFaults,
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: singleSignOn },
      errors: ['request/conflict'],
    },
    async ({ membership, body, ...call }) => {
      const saved = await manage.put(membership.organisationId, body, changedByPerson(call), takesRevision(call.c))
      return withEtag(call, await answerOf(services, saved))
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

function addProofRoute(http: Http, services: Proof): void {
  const { manageSingleSignOn: manage, proveDomains, attempts } = services
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      path: `${SETTINGS_PATH}/prove-domain`,
      summary: 'Prove a listed domain by its TXT record, which is read now',
      role: 'owner',
      body: domainToProve,
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: singleSignOn },
      errors: ['request/not-found', 'request/conflict', 'request/rate-limited'],
    },
    async (call) => {
      const { organisationId } = call.membership
      const { domain } = call.body
      // The operator knows whose a domain is, also one that has no public DNS.
      if (call.operator !== undefined) await proveDomains.trust(organisationId, domain, call.operator)
      else {
        await attempts.begin(call.c)
        await proveDomains.prove(organisationId, domain, changedByPerson(call))
      }
      return answerOf(services, await manage.get(organisationId))
    },
  )
}

function addSignInRoutes(http: Http, services: SignIn): void {
  const { signInSingleSignOn: signOn, signInPages: pages, personSessions, sessionCookie, attempts } = services
  const { 'single-sign-on': cookie, 'single-sign-on-question': questionCookie } = services.challengeCookies
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
      services.onSignOnFailed(error, correlationId)
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
        const signedIn = await personSessions.find(sessionCookie.read(c))
        const step = await signOn.finish(org, { token: cookie.read(c), query }, signedIn, originOf(call))
        return step.next === 'session'
          ? { location: pages.home(org), setCookie: sessionCookie.write(step.token) }
          : { location: pages.question(), setCookie: questionCookie.write(step.token) }
      })
    },
  )
}

/** Whether another site sent the browser here, as browsers tell. Without the header, as by plain HTTP, nothing is known. */
function beganElsewhere(c: RequestContext): boolean {
  return /^(?:cross|same)-site$/.test(headerOf(c, 'sec-fetch-site') ?? '')
}
