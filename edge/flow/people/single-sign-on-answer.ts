// Builds the answer that describes an organisation's single sign-on, for routes and the command line.

import type { SingleSignOn } from '../../domain/people/single-sign-on.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import type { SignInPages } from './one-time-address.ts'

/** @returns The settings without the client secret, with the addresses for the provider and for browsers. */
export function toSingleSignOnAnswer(
  { organisationId, issuer, clientId, domains, newMemberRole, updatedAt }: SingleSignOn,
  pages: Pick<SignInPages, 'redirectUri' | 'start'>,
) {
  const org = formatId('organisation', organisationId)
  const addresses = { redirectUri: pages.redirectUri(org), startUrl: pages.start(org) }
  return { issuer, clientId, domains, newMemberRole, ...addresses, updatedAt: toIso(updatedAt) }
}
