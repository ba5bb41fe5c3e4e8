// Signs in the person of an identity that a provider has proved, or finds out what the person has to be asked first.

import { isPersonEmail, normaliseEmail } from '../../../contract/resources/person.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { SignedIn } from '../../domain/people/dashboard-session.ts'
import type { Account } from '../../domain/people/person.ts'
import { domainOf } from '../../domain/people/sign-on-domains.ts'
import type { ProvenIdentity, SignOnConsent, SignOnResult, SingleSignOn } from '../../domain/people/single-sign-on.ts'
import { parseName } from '../../domain/tenant/parse-name.ts'
import type { PersonSessions } from './person-sessions.ts'
import type { SignInOrigin } from './sign-in-person.ts'

/** What is known about the browser of a sign-in. */
export interface SignOnBrowser {
  consent: SignOnConsent
  /** The session that it has; undefined without one. */
  signedIn: SignedIn | undefined
  beganElsewhere: boolean
  origin: SignInOrigin
}

export type TrySignOn = ReturnType<typeof createTrySignOn>

/** @returns A function whose `token` is that of the session, if the result is `signed-in`. */
export function createTrySignOn({
  singleSignOns,
  planSession,
  ids,
  clock,
}: Pick<Core, 'singleSignOns' | 'ids' | 'clock'> & {
  planSession: PersonSessions['plan']
}) {
  /** @returns The account of a person who is not known yet. It has no password; a reset may set one. */
  function newAccountOf({ name }: ProvenIdentity, email: string): Account {
    const given = nameOf(name, email.split('@')[0] ?? '')
    return { id: ids.person.next(), email, name: given, passwordHash: '', createdAt: clock.now() }
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

  return async function trySignOn(
    settings: SingleSignOn,
    identity: ProvenIdentity,
    { consent, signedIn, beganElsewhere, origin }: SignOnBrowser,
  ): Promise<{ result: SignOnResult; token: string }> {
    const { organisationId, revision, issuer, newMemberRole } = settings
    const email = findListedEmail(identity, settings)
    const planned = planSession(0, origin.userAgent, organisationId)
    const { personId: _, ...session } = planned.session
    const result = await singleSignOns.signIn({
      organisationId,
      revision,
      issuer,
      subject: identity.subject,
      email,
      consent,
      signedInId: signedIn?.person.id ?? null,
      beganElsewhere,
      newMemberRole,
      newAccount: newAccountOf(identity, email ?? ''),
      session,
      tokenHash: planned.hash,
      audit: auditOf(settings, identity, email ?? identity.subject, origin.correlationId),
    })
    return { result, token: planned.token }
  }
}

/** @returns The address that the provider has verified, if the organisation lists its domain. */
export function findListedEmail(
  { email, isEmailVerified }: ProvenIdentity,
  { domains }: Pick<SingleSignOn, 'domains'>,
): string | null {
  if (email === null || !isEmailVerified) return null
  const normal = normaliseEmail(email)
  if (!domains.includes(domainOf(normal))) return null
  return isPersonEmail(normal) ? normal : null
}

function nameOf(name: string | null, local: string): string {
  try {
    return parseName((name ?? local).slice(0, 100))
  } catch {
    return local.slice(0, 100)
  }
}
