// Wires single sign-on of organisations with the guarded calls to their providers.

import { createFindTexts } from '../auth/find-texts.ts'
import { createProviderClient } from '../auth/oidc-client.ts'
import { createManageSingleSignOn } from '../flow/people/manage-single-sign-on.ts'
import { signInPagesOf } from '../flow/people/one-time-address.ts'
import type { PersonSessions } from '../flow/people/person-sessions.ts'
import { createProveDomains, type ProveDomains } from '../flow/people/prove-domains.ts'
import { createSignInSingleSignOn } from '../flow/people/sign-in-single-sign-on.ts'
import { createTrySignOn } from '../flow/people/try-sign-on.ts'
import type { DashboardSingleSignOnDeps } from '../http/dashboard/single-sign-on.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'

type SingleSignOnParts = Pick<
  DashboardSingleSignOnDeps,
  'manageSingleSignOn' | 'proveDomains' | 'signInSingleSignOn' | 'pages' | 'onSignOnFailed'
>

export function wireSingleSignOn(
  core: Core,
  { sealer, outbound }: Pick<Auth, 'sealer' | 'outbound'>,
  planSession: PersonSessions['plan'],
): SingleSignOnParts {
  const { stores, ids, clock, log, publicUrl } = core
  const provider = createProviderClient(outbound)
  const pages = signInPagesOf(publicUrl)
  const { singleSignOns: signOns, challenges } = stores
  return {
    pages,
    proveDomains: wireProveDomains(core),
    manageSingleSignOn: createManageSingleSignOn({ singleSignOns: signOns, provider, seal: sealer.seal, audit: stores.audit, clock }),
    signInSingleSignOn: createSignInSingleSignOn({
      singleSignOns: signOns,
      challenges,
      provider,
      open: sealer.open,
      trySignOn: createTrySignOn({ singleSignOns: signOns, planSession, ids, clock }),
      findName: async (id) => (await stores.organisations.find(id))?.name,
      redirectUriOf: pages.redirectUri,
      clock,
    }),
    onSignOnFailed({ code, extra: { reason = code }, cause }, correlationId) {
      log.warn('single sign-on failed', { reason, correlationId, ...(cause === undefined ? {} : { error: cause }) })
    },
  }
}

/** Reads the name servers of the system, unless others are given. */
export const wireProveDomains = ({ stores, clock, findTexts = createFindTexts() }: Core): ProveDomains =>
  createProveDomains({ singleSignOns: stores.singleSignOns, findTexts, clock })
