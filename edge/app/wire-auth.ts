// Keys, tokens and sessions, wired.

import { performance } from 'node:perf_hooks'
import { findVouchingSecret } from '../auth/backend-token.ts'
import { createJwks } from '../auth/jwks.ts'
import { createJwtVerifier } from '../auth/jwt.ts'
import { createKeyRing } from '../auth/key-ring.ts'
import { createKeyUse } from '../auth/key-use.ts'
import { deriveSessionKey } from '../auth/master-key.ts'
import { keyRegion } from '../auth/new-secret.ts'
import { isOriginAllowed } from '../auth/origins.ts'
import { createIsVouched } from '../auth/vouched.ts'
import { createWidgetSessions } from '../auth/widget-session.ts'
import { createRelayNotices } from '../flow/relay-notices.ts'
import { createSettleRetired } from '../flow/settle-retired.ts'
import { createSignInUser } from '../flow/sign-in-user.ts'
import { createGuardedFetch } from '../lib/outbound/guarded-fetch.ts'
import { createSealer } from '../lib/seal.ts'
import { REALTIME_PATH } from '../realtime/gateway.ts'
import type { Core } from './core.ts'

export type Auth = ReturnType<typeof wireAuth>

export function wireAuth(core: Core) {
  const { settings, stores, clock, bus, ids } = core
  const sealer = createSealer(core.masterKeys)
  const noteUse = createKeyUse({ secrets: stores.secrets, clock })
  const { secrets, environments } = stores
  const keyRing = createKeyRing({ secrets, environments, sealer, clock, bus, noteUse })
  const outbound = createGuardedFetch({ allow: settings.outboundAllow })
  const verifier = createJwtVerifier({ jwks: createJwks({ fetch: outbound.fetch, clock }), clock })
  const isVouched = createIsVouched(keyRing, clock)
  const relay = createRelayNotices({ notices: stores.notices, bus, monotonicNow: () => performance.now() })
  const sessions = createWidgetSessions({
    sessions: stores.sessions,
    clock,
    bus,
    sessionKey: deriveSessionKey(core.masterKeys),
    lifetimeMs: settings.sessionLifetimeMs,
    ids,
    isVouched,
    confirmEndings: relay.confirm,
  })
  // Socket.IO takes a path in its address for a namespace: a prefix of the public address belongs to `path`.
  const realtime = {
    get url() {
      return new URL(core.publicUrl()).origin
    },
    get path() {
      return new URL(core.publicUrl()).pathname.replace(/\/$/, '') + REALTIME_PATH
    },
  }
  const signIn = createSignInUser({
    findByFrontKey: keyRing.findByFrontKey,
    keyRegion,
    region: settings.region,
    isOriginAllowed,
    async findVouchingSecret(environment, userId, token) {
      const secrets = await keyRing.listAuthSecrets(environment.id)
      const requireExpiring = environment.requireExpiringTokens
      const hash = findVouchingSecret({ token, userId, secrets, requireExpiring, now: clock.now() })
      const used = hash === undefined ? undefined : secrets.find((secret) => secret.hash === hash)
      if (used !== undefined) noteUse(used.id)
      return hash
    },
    refreshKeys: keyRing.refresh,
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
    relay,
    outbound,
    sessions,
    isVouched,
    signIn,
    settleRetired: createSettleRetired({
      rotations: stores.rotations,
      endSessions: sessions.endAllOfCredential,
      bus,
      clock,
    }),
    async isOriginAllowed(environmentId: number, origin: string) {
      const environment = await keyRing.findEnvironment(environmentId)
      return environment !== undefined && isOriginAllowed(environment.allowedOrigins, origin)
    },
  }
}
