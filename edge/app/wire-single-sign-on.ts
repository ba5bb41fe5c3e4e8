// Wires single sign-on of organisations with the guarded calls to their providers.

import { createProviderClient } from '../auth/oidc-client.ts'
import { createManageSingleSignOn } from '../flow/people/manage-single-sign-on.ts'
import { signInPagesOf } from '../flow/people/one-time-address.ts'
import type { PersonSessions } from '../flow/people/person-sessions.ts'
import { createSignInSingleSignOn } from '../flow/people/sign-in-single-sign-on.ts'
import type { DashboardSingleSignOnDeps } from '../http/dashboard/single-sign-on.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'

type SingleSignOnParts = Pick<
  DashboardSingleSignOnDeps,
  'manageSingleSignOn' | 'signInSingleSignOn' | 'pages' | 'onSignOnFailed'
>

export function wireSingleSignOn(
  { stores, ids, clock, log, publicUrl }: Core,
  { sealer, outbound }: Pick<Auth, 'sealer' | 'outbound'>,
  planSession: PersonSessions['plan'],
): SingleSignOnParts {
  const provider = createProviderClient(outbound)
  const pages = signInPagesOf(publicUrl)
  const { singleSignOns: signOns, challenges } = stores
  return {
    pages,
    manageSingleSignOn: createManageSingleSignOn({ signOns, provider, seal: sealer.seal, clock }),
    signInSingleSignOn: createSignInSingleSignOn({
      signOns,
      challenges,
      provider,
      openSecret: sealer.open,
      planSession,
      redirectUriOf: pages.redirectUri,
      ids,
      clock,
    }),
    onSignOnFailed({ code, extra: { reason = code }, cause }, correlationId) {
      log.warn('single sign-on failed', { reason, correlationId, ...(cause === undefined ? {} : { error: cause }) })
    },
  }
}
