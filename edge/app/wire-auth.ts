// Wires keys, tokens and sessions.

import { performance } from 'node:perf_hooks'
import { createJwks } from '../auth/jwks.ts'
import { createJwtVerifier } from '../auth/jwt.ts'
import { createKeyRing } from '../auth/key-ring.ts'
import { createKeyUse } from '../auth/key-use.ts'
import { deriveSessionKey } from '../auth/master-key.ts'
import { isOriginAllowed } from '../auth/origins.ts'
import { createPasswords } from '../auth/password.ts'
import { createIsSessionValid } from '../auth/session-validity.ts'
import { createWidgetSessions } from '../auth/widget-session.ts'
import { createRelayNotices } from '../flow/tenant/relay-notices.ts'
import { createSettleRetired } from '../flow/tenant/settle-retired.ts'
import { createGuardedFetch } from '../lib/outbound/guarded-fetch.ts'
import { createSealer } from '../lib/seal.ts'
import type { Core } from './core.ts'

export type Auth = ReturnType<typeof wireAuth>

/** Creates key ring, session verification, JWT verification and guarded calls from one set of master keys. */
export function wireAuth(core: Core) {
  const { settings, stores, clock, bus, ids } = core
  const sealer = createSealer(core.masterKeys)
  const recordUse = createKeyUse({ secrets: stores.secrets, clock })
  const { secrets, environments } = stores
  const keyRing = createKeyRing({ secrets, environments, sealer, clock, bus, recordUse })
  const outbound = createGuardedFetch({ allow: settings.outboundAllow })
  const verifier = createJwtVerifier({ jwks: createJwks({ fetch: outbound.fetch, clock }), clock })
  const isSessionValid = createIsSessionValid(keyRing, clock)
  const relay = createRelayNotices({ notices: stores.notices, bus, monotonicNow: () => performance.now() })
  const sessions = createWidgetSessions({
    sessions: stores.sessions,
    clock,
    bus,
    sessionKey: deriveSessionKey(core.masterKeys),
    lifetimeMs: settings.sessionLifetimeMs,
    ids,
    isSessionValid,
    confirmEndings: relay.confirm,
  })
  return {
    passwords: createPasswords(core.passwordCost),
    sealer,
    keyRing,
    relay,
    outbound,
    sessions,
    isSessionValid,
    verifier,
    recordUse,
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
