// Signs a person in by the identity provider of an organisation. The session reaches that organisation alone.

import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import { CHALLENGE_MS, type Challenges } from '../../domain/people/challenge.ts'
import { normaliseEmail, parseEmail } from '../../domain/people/parse-person.ts'
import type { Account } from '../../domain/people/person.ts'
import type {
  ProvenIdentity,
  ProviderClient,
  SignOnRequest,
  SignOnResult,
  SingleSignOn,
  SingleSignOns,
} from '../../domain/people/single-sign-on.ts'
import { parseName } from '../../domain/tenant/parse-name.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { hmacHex } from '../../lib/hmac.ts'
import { type IdSource, parseId } from '../../lib/id.ts'
import { hashToken, newToken } from '../../lib/one-time-token.ts'
import { signOnMissing } from './manage-single-sign-on.ts'
import type { PersonSessions } from './person-sessions.ts'
import { challengeEnded, type SignInOrigin } from './sign-in-person.ts'

export interface SignInSingleSignOnDeps {
  signOns: Pick<SingleSignOns, 'find' | 'signIn'>
  challenges: Pick<Challenges, 'create' | 'use'>
  provider: ProviderClient
  openSecret(sealed: string): Promise<string>
  planSession: PersonSessions['plan']
  /** @returns The address to which the provider sends the browser back. */
  redirectUriOf(organisationId: string): string
  ids: { person: IdSource }
  clock: Clock
}

export type SignInSingleSignOn = ReturnType<typeof createSignInSingleSignOn>

export function createSignInSingleSignOn(deps: SignInSingleSignOnDeps) {
  const { signOns, challenges, provider, clock } = deps

  /** @throws ApiError `request/not-found` with `reason` `not-set-up`, the same for an unknown organisation. */
  async function getSettings(organisationId: string): Promise<SingleSignOn> {
    const id = parseId('organisation', organisationId)
    const settings = id === undefined ? undefined : await signOns.find(id)
    if (settings === undefined) throw signOnMissing()
    return settings
  }

  const providerOf = async ({ issuer, clientId, sealed }: SingleSignOn) => ({
    issuer,
    clientId,
    clientSecret: await deps.openSecret(sealed),
  })

  /** Derives the secrets of the request from the token in the cookie, so that the store has none of them. */
  function requestOf(organisationId: string, token: string): SignOnRequest {
    const derive = (purpose: string) => hmacHex(token, `single-sign-on ${purpose}`)
    const redirectUri = deps.redirectUriOf(organisationId)
    return { redirectUri, state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
  }

  /** @returns The account of a person who is not known yet. It has no password; a reset may set one. */
  function newAccountOf({ name }: ProvenIdentity, email = ''): Account {
    const given = nameOf(name, email.split('@')[0] ?? '')
    return { id: deps.ids.person.next(), email, name: given, passwordHash: '', createdAt: clock.now() }
  }

  function auditOf(
    { organisationId, issuer }: SingleSignOn,
    { subject }: ProvenIdentity,
    who: string,
    correlationId: string,
  ): { link: AuditEntry; join: AuditEntry } {
    const by: ChangedBy = { actor: 'dashboard', who, correlationId }
    const target = { at: clock.now(), ...by, environmentId: null, organisationId, subject: who }
    return {
      link: { ...target, action: 'member.link-single-sign-on', detail: { issuer, identity: subject } },
      join: { ...target, action: 'member.join-single-sign-on', detail: { issuer } },
    }
  }

  return {
    /**
     * Begins a sign-in.
     * @returns The address of the provider's page, and the token of the challenge for its cookie.
     * @throws ApiError `request/not-found`, `service/unavailable`.
     */
    async begin(organisationId: string): Promise<{ url: string; token: string }> {
      const settings = await getSettings(organisationId)
      const { token, hash } = newToken('challenge')
      const url = await provider.authorizationUrl(await providerOf(settings), requestOf(organisationId, token))
      const kind = 'single-sign-on'
      const expiresAt = clock.now() + CHALLENGE_MS[kind]
      const owner = { personId: null, organisationId: settings.organisationId, passwordHash: null }
      await challenges.create({ kind, ...owner, expiresAt }, hash)
      return { url, token }
    },

    /**
     * Ends a sign-in that the provider answered. @param query The query of that answer, with its `?`.
     * @returns The token of the session.
     * @throws ApiError `auth/unauthenticated`, `authorization/not-allowed`, `request/not-found`, `service/unavailable`.
     */
    async finish(
      organisationId: string,
      token: string | undefined,
      query: string,
      origin: SignInOrigin,
    ): Promise<string> {
      const hash = hashToken('challenge', token)
      const challenge = hash === undefined ? undefined : await challenges.use(hash, 'single-sign-on', clock.now())
      const settings = await getSettings(organisationId)
      if (token === undefined || challenge?.organisationId !== settings.organisationId) throw challengeEnded()
      const request = requestOf(organisationId, token)
      const answer = new URL(request.redirectUri + query)
      const identity = await provider.readIdentity(await providerOf(settings), request, answer)
      const email = findTrustedEmail(identity, settings)
      const planned = deps.planSession(0, origin.userAgent, settings.organisationId)
      const { personId: _, ...session } = planned.session
      const result = await signOns.signIn({
        organisationId: settings.organisationId,
        revision: settings.revision,
        issuer: settings.issuer,
        subject: identity.subject,
        email,
        newMemberRole: settings.newMemberRole,
        newAccount: newAccountOf(identity, email ?? ''),
        session,
        tokenHash: planned.hash,
        audit: auditOf(settings, identity, email ?? identity.subject, origin.correlationId),
      })
      requireSignedIn(result)
      return planned.token
    },
  }
}

/** @returns The address by which a person may be linked: verified by the provider, and of a domain that the organisation lists. */
function findTrustedEmail({ email, isEmailVerified }: ProvenIdentity, { domains }: SingleSignOn): string | null {
  if (email === null || !isEmailVerified) return null
  const normal = normaliseEmail(email)
  if (!domains.includes(normal.slice(normal.lastIndexOf('@') + 1))) return null
  try {
    return parseEmail(normal)
  } catch {
    return null
  }
}

function nameOf(name: string | null, local: string): string {
  try {
    return parseName((name ?? local).slice(0, 100))
  } catch {
    return local.slice(0, 100)
  }
}

const REFUSALS: Record<Exclude<SignOnResult, 'signed-in' | 'changed'>, string> = {
  'not-linked': 'The identity provider has not verified an e-mail address of a domain that the organisation lists.',
  'not-member': 'You are no member of this organisation. Ask an admin for an invitation.',
  'linked-otherwise':
    'Another account of the identity provider is linked to your address. Ask an admin to remove and invite you.',
}

function requireSignedIn(result: SignOnResult): void {
  if (result === 'signed-in') return
  if (result === 'changed') throw challengeEnded()
  throw new ApiError('authorization/not-allowed', { message: REFUSALS[result], reason: result })
}
