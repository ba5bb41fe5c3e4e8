// Wires the sign-in of the widget's users.

import { findSigningKey } from '../auth/backend-token.ts'
import { expiryOf, explainToken } from '../auth/explain-token.ts'
import { keyRegion } from '../auth/new-secret.ts'
import { isOriginAllowed } from '../auth/origins.ts'
import type { Environment } from '../domain/environment.ts'
import { isTestUserId } from '../domain/people/test-user.ts'
import { createFindAppearance } from '../flow/tenant/find-appearance.ts'
import { type CheckToken, createCheckToken } from '../flow/users/check-token.ts'
import { createSignInUser, type SignInUser } from '../flow/users/sign-in-user.ts'
import { REALTIME_PATH } from '../realtime/gateway.ts'
import type { AppCore } from './core.ts'
import type { Auth } from './wire-auth.ts'
import type { Flows } from './wire-flows.ts'

/** @returns The sign-in, which answers the realtime address of `PUBLIC_URL`. */
export function wireSignIn(core: AppCore, auth: Auth, flows: Pick<Flows, 'live'>): SignInUser {
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
    ...core,
    // `lastUsedAt` of a key tells of the pages of customers, not of trials.
    findByFrontKey: (value, userId) => auth.keyRing.findByFrontKey(value, { isCounted: !isTestUserId(userId) }),
    keyRegion,
    isOriginAllowed,
    async findSigningKey(environment, userId, token) {
      const used = await findSecret(core, auth, environment, userId, token)
      if (used !== undefined && !isTestUserId(userId)) auth.recordUse({ environmentId: environment.id, id: used.id })
      return used?.hash
    },
    refreshKeys: auth.keyRing.refresh,
    ...auth.verifier,
    findAppearance: createFindAppearance(flows.live),
    issueSession: auth.sessions.issue,
    realtime,
  })
}

/** @returns The check of tokens for operators. It records no use of a key. */
export function wireCheckToken(core: AppCore, auth: Auth): CheckToken {
  return createCheckToken({
    ...core,
    findSigningKey: async (...asked) => (await findSecret(core, auth, ...asked))?.hash,
    refreshKeys: auth.keyRing.refresh,
    ...auth.verifier,
    expiryOf,
    explain: explainToken,
  })
}

/** @returns The live authSecretKey that signed a backend token. */
async function findSecret(
  { clock }: AppCore,
  { keyRing }: Auth,
  { id, requireExpiringTokens: requireExpiring }: Environment,
  userId: string,
  token: string,
) {
  const secrets = await keyRing.listAuthSecrets(id)
  const hash = findSigningKey({ token, userId, secrets, requireExpiring, now: clock.now() })
  return hash === undefined ? undefined : secrets.find((secret) => secret.hash === hash)
}
