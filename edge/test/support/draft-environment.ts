// An environment as most tests have it: `dev`, open to its keys, with nothing set.

import type { EnvironmentDraft } from '../../flow/create-environment.ts'

export const DRAFT: EnvironmentDraft = {
  organisationId: 1,
  name: 'dev',
  isProduction: false,
  allowedOrigins: [],
  requireExpiringTokens: false,
  sdkKeyMayManage: true,
  identityProvider: null,
  publicKey: null,
  disabledAt: null,
}
