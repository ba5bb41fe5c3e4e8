// Provides the usual environment of tests: `dev`, which keys may manage, without settings.

import type { EnvironmentDraft } from '../../flow/tenant/create-environment.ts'

export const DRAFT: EnvironmentDraft = {
  organisationId: 1,
  name: 'dev',
  isProduction: false,
  allowedOrigins: [],
  requireExpiringTokens: false,
  sdkKeyMayManage: true,
  requirePublishApproval: false,
  publishRole: 'editor',
  identityProvider: null,
  publicKey: null,
  disabledAt: null,
  notificationConfigId: null,
}
