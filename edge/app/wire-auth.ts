// Keys, tokens and sessions, wired.

import { findVouchingSecret } from '../auth/backend-token.ts'
import { createJwks } from '../auth/jwks.ts'
import { createJwtVerifier } from '../auth/jwt.ts'
import { createKeyRing } from '../auth/key-ring.ts'
import { deriveSessionKey } from '../auth/master-key.ts'
import { keyRegion } from '../auth/new-secret.ts'
import { isOriginAllowed } from '../auth/origins.ts'
import { createIsVouched } from '../auth/vouched.ts'
import { createWidgetSessions } from '../auth/widget-session.ts'
import { createSignInUser } from '../flow/sign-in-user.ts'
import { createGuardedFetch } from '../lib/outbound/guarded-fetch.ts'
import { createSealer } from '../lib/seal.ts'
import { REALTIME_PATH } from '../realtime/gateway.ts'
import type { Core } from './core.ts'

export type Auth = ReturnType<typeof wireAuth>

export function wireAuth(core: Core) {
  const { settings, stores, clock, bus, ids } = core
  const sealer = createSealer(core.masterKeys)
  const keyRing = createKeyRing({ secrets: stores.secrets, environments: stores.environments, sealer, clock, bus })
  const outbound = createGuardedFetch({ allow: settings.outboundAllow })
  const verifier = createJwtVerifier({ jwks: createJwks({ fetch: outbound.fetch, clock }), clock })
  const isVouched = createIsVouched(keyRing)
  const sessions = createWidgetSessions({
    sessions: stores.sessions,
    clock,
    bus,
    sessionKey: deriveSessionKey(core.masterKeys),
    lifetimeMs: settings.sessionLifetimeMs,
    ids,
    isVouched,
  })
  const realtime = {
    get url() {
      return core.publicUrl()
    },
    path: REALTIME_PATH,
  }
  const signIn = createSignInUser({
    findByFrontKey: keyRing.findByFrontKey,
    keyRegion,
    region: settings.region,
    isOriginAllowed,
    async findVouchingSecret(environment, userId, token) {
      const secrets = await keyRing.listAuthSecrets(environment.id)
      return findVouchingSecret({
        token,
        userId,
        secrets,
        requireExpiring: environment.requireExpiringTokens,
        now: clock.now(),
      })
    },
    ...verifier,
    users: stores.users,
    inboxes: stores.inboxes,
    issueSession: sessions.issue,
    clock,
    realtime,
  })
  return {
    sealer,
    keyRing,
    outbound,
    sessions,
    isVouched,
    signIn,
    async isOriginAllowed(environmentId: number, origin: string) {
      const environment = await keyRing.findEnvironment(environmentId)
      return environment !== undefined && isOriginAllowed(environment.allowedOrigins, origin)
    },
  }
}
