// Wires single sign-on of organisations with the guarded calls to their providers.

import { createProviderClient } from '../auth/oidc-client.ts'
import { createManageSingleSignOn } from '../flow/people/manage-single-sign-on.ts'
import { signInPagesOf } from '../flow/people/one-time-address.ts'
import type { PersonSessions } from '../flow/people/person-sessions.ts'
import { createProveDomains } from '../flow/people/prove-domains.ts'
import { createSignInSingleSignOn } from '../flow/people/sign-in-single-sign-on.ts'
import { createTrySignOn } from '../flow/people/try-sign-on.ts'
import type { Services } from '../http/kernel/services.ts'
import type { AppCore } from './core.ts'
import type { Auth } from './wire-auth.ts'

type SingleSignOnParts = Pick<
  Services,
  'manageSingleSignOn' | 'proveDomains' | 'signInSingleSignOn' | 'signInPages' | 'onSignOnFailed'
>

export function wireSingleSignOn(
  core: AppCore,
  { outbound }: Pick<Auth, 'outbound'>,
  planSession: PersonSessions['plan'],
): SingleSignOnParts {
  const provider = createProviderClient(outbound)
  const pages = signInPagesOf(core.publicUrl)
  return {
    signInPages: pages,
    proveDomains: createProveDomains(core),
    manageSingleSignOn: createManageSingleSignOn({ ...core, provider }),
    signInSingleSignOn: createSignInSingleSignOn({
      ...core,
      provider,
      trySignOn: createTrySignOn({ ...core, planSession }),
      findName: async (id) => (await core.organisations.find(id))?.name,
      redirectUriOf: pages.redirectUri,
    }),
    onSignOnFailed({ code, extra: { reason = code }, cause }, correlationId) {
      core.log.warn('single sign-on failed', {
        reason,
        correlationId,
        ...(cause === undefined ? {} : { error: cause }),
      })
    },
  }
}
