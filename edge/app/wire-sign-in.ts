// Wires the sign-in of the widget's users.

import { findSigningKey } from '../auth/backend-token.ts'
import { expiryOf, explainToken } from '../auth/explain-token.ts'
import { keyRegion } from '../auth/new-secret.ts'
import { isOriginAllowed } from '../auth/origins.ts'
import { regionsOf } from '../config.ts'
import type { Environment } from '../domain/environment.ts'
import { createFindAppearance } from '../flow/tenant/find-appearance.ts'
import { type CheckToken, createCheckToken } from '../flow/users/check-token.ts'
import { createSignInUser, type SignInUser } from '../flow/users/sign-in-user.ts'
import { REALTIME_PATH } from '../realtime/gateway.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'
import type { Flows } from './wire-flows.ts'

/** @returns The sign-in, which answers the realtime address of `PUBLIC_URL`. */
export function wireSignIn(core: Core, auth: Auth, flows: Pick<Flows, 'live'>): SignInUser {
  const { settings, stores, clock } = core
  // Adds a path of the public address to `path`, because Socket.IO reads a path in `url` as a namespace.
  const realtime = {
    get url() {
      return new URL(core.publicUrl()).origin
    },
    get path() {
      return new URL(core.publicUrl()).pathname.replace(/\/$/, '') + REALTIME_PATH
    },
  }
  return createSignInUser({
    findByFrontKey: auth.keyRing.findByFrontKey,
    keyRegion,
    regions: regionsOf(settings, core.publicUrl),
    isOriginAllowed,
    async findSigningKey(environment, userId, token) {
      const used = await findSecret(core, auth, environment, userId, token)
      if (used !== undefined) auth.recordUse(used.id)
      return used?.hash
    },
    refreshKeys: auth.keyRing.refresh,
    ...auth.verifier,
    users: stores.users,
    inboxes: stores.inboxes,
    findAppearance: createFindAppearance(flows.live),
    issueSession: auth.sessions.issue,
    recordDoubt: core.countDoubts.record,
    clock,
    realtime,
  })
}

/** @returns The check of tokens for operators. It records no use of a key. */
export function wireCheckToken(core: Core, auth: Auth): CheckToken {
  return createCheckToken({
    findSigningKey: async (...asked) => (await findSecret(core, auth, ...asked))?.hash,
    refreshKeys: auth.keyRing.refresh,
    ...auth.verifier,
    users: core.stores.users,
    expiryOf,
    explain: explainToken,
    clock: core.clock,
  })
}

/** @returns The live authSecretKey that signed a backend token. */
async function findSecret(
  { clock }: Core,
  { keyRing }: Auth,
  { id, requireExpiringTokens: requireExpiring }: Environment,
  userId: string,
  token: string,
) {
  const secrets = await keyRing.listAuthSecrets(id)
  const hash = findSigningKey({ token, userId, secrets, requireExpiring, now: clock.now() })
  return hash === undefined ? undefined : secrets.find((secret) => secret.hash === hash)
}
