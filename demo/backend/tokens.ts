// Mints the credentials of the widget like a customer's backend: a token of the SDK, or a JWT.

import { importJWK, SignJWT } from 'jose'
import type { NotificationClient } from '../../sdk/node/index.ts'
import type { DemoFile } from './demo-file.ts'
import { PEOPLE } from './people.ts'

export const STRATEGIES = ['backendToken', 'backendTokenV2', 'jwt', 'signedJwt'] as const
export type Strategy = (typeof STRATEGIES)[number]

/** Lifetime of expiring tokens (s). Short, so that renewal can be watched. */
const TOKEN_LIFETIME_SECONDS = 600

/**
 * Creates the credential of a strategy. `prod` has neither identity provider nor public key: its JWTs are signed with
 * dev's keys, so that the page shows the edge's refusal (`auth/no-public-key-registered`).
 * @throws TypeError for an invalid user id
 */
export async function mintToken(
  demo: DemoFile,
  client: NotificationClient,
  strategy: Strategy,
  userId: string,
  nowMs: number,
): Promise<string> {
  const { identityProvider, signedJwt } = demo.environments.dev
  const expiresAtSeconds = Math.floor(nowMs / 1000) + TOKEN_LIFETIME_SECONDS
  switch (strategy) {
    case 'backendToken':
      return client.generateHashedToken(userId)
    case 'backendTokenV2':
      return client.generateHashedToken(userId, { expiresAt: expiresAtSeconds })
    case 'jwt':
      return claims(userId, nowMs, expiresAtSeconds)
        .setProtectedHeader({ alg: identityProvider.algorithm, kid: identityProvider.kid })
        .setIssuer(identityProvider.issuer)
        .setAudience(identityProvider.audience)
        .sign(await importJWK(identityProvider.privateKeyJwk, identityProvider.algorithm))
    case 'signedJwt':
      return claims(userId, nowMs, expiresAtSeconds)
        .setProtectedHeader({ alg: signedJwt.algorithm })
        .sign(await importJWK(signedJwt.privateKeyJwk, signedJwt.algorithm))
  }
}

function claims(userId: string, nowMs: number, expiresAtSeconds: number): SignJWT {
  const person = PEOPLE.find((one) => one.userId === userId)
  const profile = person === undefined ? {} : { name: person.name, email: person.email, locale: person.locale }
  return new SignJWT(profile)
    .setSubject(userId)
    .setIssuedAt(Math.floor(nowMs / 1000))
    .setExpirationTime(expiresAtSeconds)
}
