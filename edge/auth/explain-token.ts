// Explains why a user token is refused, for the operator of an environment. Sign-in itself never tells it to callers.

import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose'
import { CLIENT_CLAIMS } from '../../contract/tenant.ts'
import type { Environment } from '../domain/environment.ts'
import { toIso } from '../lib/clock.ts'
import { isForClient } from './jwt.ts'

/** Seconds by which clocks may differ, as in the verification of JWTs. */
const LEEWAY_SECONDS = 60
const EXPIRING = /^v2\.(0|[1-9]\d{0,11})\.[0-9a-f]{64}$/
const PLAIN = /^[0-9a-f]{64}$/

export type TokenKind = 'backendToken' | 'jwt' | 'signedJwt'

/** @returns When the token itself expires (epoch ms); null for one that does not, or that cannot be read. */
export function expiryOf(kind: TokenKind, token: string): number | null {
  if (kind === 'backendToken') {
    const seconds = EXPIRING.exec(token)?.[1]
    return seconds === undefined ? null : Number(seconds) * 1000
  }
  const { exp } = claimsOf(token) ?? {}
  // Beyond it, no date can be formatted.
  return typeof exp === 'number' && exp < 8.64e12 ? Math.floor(exp * 1000) : null
}

/** @returns The most likely reason why a token is refused that has the required fields and a registered key. */
export function explainToken(kind: TokenKind, token: string, environment: Environment, now: number): string {
  if (kind === 'backendToken') return explainBackendToken(token, environment, now)
  const claims = claimsOf(token)
  const algorithm = algorithmOf(token)
  if (claims === undefined || algorithm === undefined) return explainForm(token)
  const { identityProvider: provider, publicKey } = environment
  const accepted = kind === 'jwt' ? (provider?.algorithms ?? []) : publicKey === null ? [] : [publicKey.algorithm]
  if (!accepted.includes(algorithm)) {
    return `Its algorithm (alg) is ${algorithm}; the environment accepts ${accepted.join(', ')}.`
  }
  const fault = explainTimes(claims, now) ?? (kind === 'jwt' ? explainIssuer(claims, environment) : undefined)
  return fault ?? 'Its signature does not match a registered key.'
}

/** Explains what is no signed JWT, such as the access tokens that some providers give for themselves alone. */
function explainForm(token: string): string {
  const [part = '', ...more] = token.trim().split('.')
  if (/^bearer\s/i.test(part)) return 'This is no JWT: it begins with Bearer. Give what follows.'
  if (more.length === 4) return 'This JWT is encrypted. Ask the provider for a signed one, such as its ID token.'
  if (more.length === 0 && part !== '') {
    return 'This is no JWT: it has no parts, so the provider alone can read it. Ask for a signed JWT, such as its ID token.'
  }
  return 'This is no JWT.'
}

function explainBackendToken(token: string, { requireExpiringTokens }: Environment, now: number): string {
  const expiresAt = expiryOf('backendToken', token)
  if (expiresAt !== null && expiresAt <= now) return expired(expiresAt)
  if (expiresAt === null && !PLAIN.test(token)) {
    return 'This is no backend token: neither 64 characters 0-9 and a-f, nor v2.<seconds>.<64 such characters>.'
  }
  if (expiresAt === null && requireExpiringTokens) return 'The environment accepts expiring tokens (v2) only.'
  return 'No live authSecretKey of this environment signed it for this user id.'
}

function explainTimes({ exp, nbf }: JWTPayload, now: number): string | undefined {
  if (typeof exp !== 'number') return 'It has no time of expiry (exp).'
  const seconds = Math.floor(now / 1000)
  if (exp <= seconds - LEEWAY_SECONDS) return expired(exp * 1000)
  if (typeof nbf === 'number' && nbf > seconds + LEEWAY_SECONDS) return 'It is not valid yet (nbf).'
}

function explainIssuer(claims: JWTPayload, { identityProvider }: Environment): string | undefined {
  if (identityProvider === null) return undefined
  const { issuer, audience, clientClaim } = identityProvider
  const { iss } = claims
  if (iss !== issuer) return `Its issuer (iss) is ${iss ?? 'missing'}; the environment accepts ${issuer}.`
  if (isForClient(claims, identityProvider)) return undefined
  const named = [claims[clientClaim] ?? 'missing'].flat().join(', ')
  const other = CLIENT_CLAIMS.find((name) => isForClient(claims, { audience, clientClaim: name }))
  const hint = other === undefined ? '' : ` Its ${other} is: choose ${other} as the claim that names the client.`
  return `The claim that names its client (${clientClaim}) is ${named}; the environment accepts ${audience}.${hint}`
}

const expired = (at: number) => `It expired at ${toIso(at)}.`

function claimsOf(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token)
  } catch {
    return undefined
  }
}

function algorithmOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).alg
  } catch {
    return undefined
  }
}
