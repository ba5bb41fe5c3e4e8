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
import { refuseClosed } from '../domain/tenant/closed.ts'
import { createRelayNotices } from '../flow/tenant/relay-notices.ts'
import { createSettleRetired } from '../flow/tenant/settle-retired.ts'
import { createGuardedFetch } from '../lib/outbound/guarded-fetch.ts'
import type { AppCore } from './core.ts'

export type Auth = ReturnType<typeof wireAuth>

/** Creates key ring, session verification, JWT verification and guarded calls from one set of master keys. */
export function wireAuth(core: AppCore) {
  const { settings, clock } = core
  const recordUse = createKeyUse(core)
  const keyRing = createKeyRing({ ...core, recordUse })
  const outbound = createGuardedFetch({ allow: settings.outboundAllow })
  const verifier = createJwtVerifier({ jwks: createJwks({ fetch: outbound.fetch, clock }), clock })
  const isSessionValid = createIsSessionValid(keyRing, clock, core.sessions.isStored)
  const relay = createRelayNotices({ ...core, monotonicNow: () => performance.now() })
  const sessions = createWidgetSessions({
    ...core,
    sessionKey: deriveSessionKey(core.masterKeys),
    lifetimeMs: settings.sessionLifetimeMs,
    isSessionValid,
    confirmEndings: relay.confirm,
  })
  return {
    passwords: createPasswords(core.passwordCost),
    keyRing,
    relay,
    outbound,
    sessions,
    isSessionValid,
    verifier,
    recordUse,
    settleRetired: createSettleRetired({ ...core, endSessions: sessions.endAllOfCredential }),
    /** @throws ApiError `environment/closed` */
    async requireOpen(environmentId: number) {
      const environment = await keyRing.findEnvironment(environmentId)
      if (environment !== undefined) refuseClosed(environment)
    },
    async isOriginAllowed(environmentId: number, origin: string) {
      const environment = await keyRing.findEnvironment(environmentId)
      return environment !== undefined && isOriginAllowed(environment.allowedOrigins, origin)
    },
  }
}
