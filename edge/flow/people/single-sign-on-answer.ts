// Builds the answer that describes an organisation's single sign-on, for routes and the command line.

import type { ProvedDomain, SingleSignOn } from '../../domain/people/single-sign-on.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import type { SignInPages } from './one-time-address.ts'
import { recordOf } from './prove-domains.ts'

/** @returns The settings without the client secret, with the addresses for the provider and browsers, and the records to set. */
export function toSingleSignOnAnswer(
  { organisationId, issuer, clientId, domains, newMemberRole, updatedAt, revision }: SingleSignOn,
  proved: readonly ProvedDomain[],
  pages: Pick<SignInPages, 'redirectUri' | 'start'>,
) {
  const org = formatId('organisation', organisationId)
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
  const addresses = { redirectUri: pages.redirectUri(org), startUrl: pages.start(org) }
  return { issuer, clientId, domains, domainProofs, newMemberRole, ...addresses, updatedAt: toIso(updatedAt), revision }
}
