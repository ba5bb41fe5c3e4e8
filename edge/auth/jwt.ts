// Verifies tokens of authTypes `jwt` (identity provider) and `signedJwt` (registered public key) with jose.

import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  importJWK,
  importSPKI,
  type JWK,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import type { IdentityProvider, PublicKey } from '../../contract/resources/token-keys.ts'
import { JWT_ALGORITHMS } from '../../contract/tenant.ts'
import type { Core } from '../domain/core.ts'
import { ApiError } from '../lib/api-error.ts'
import { createCache } from '../lib/cache.ts'
import { sha256Hex } from '../lib/hmac.ts'
import { parseJson } from '../lib/read-json.ts'
import { type ClaimedUser, parseClaims } from './claims.ts'
import type { Jwks, KeySet } from './jwks.ts'

/** Least length of an RSA key for jose (RFC 7518, section 3.3). */
const RSA_BITS = 2048
const LEEWAY_SECONDS = 60
const MAX_TOKEN_CHARS = 16 * 1024
/** Limit of keys tried for a token without a `kid`. */
const MAX_TRIES = 5

type VerifyKey = Awaited<ReturnType<typeof importJWK>>

/** The user of a verified token, and the credential that verified it (`idp:<hash>` or `key:<hash>`). */
export interface VerifiedJwt extends ClaimedUser {
  credential: string
}

/**
 * Both throw `auth/no-public-key-registered`, `auth/invalid-token-signature`, `auth/invalid-inputs` (a claim) or
 * `service/unavailable` (JWKS). Keys inside a token (`jwk`, `jku`, `x5u`, `x5c`) are ignored.
 */
export interface JwtVerifier {
  verifyByProvider(token: string, provider: IdentityProvider | null): Promise<VerifiedJwt>
  verifyByPublicKey(token: string, publicKey: PublicKey | null): Promise<VerifiedJwt>
}

/** Creates the verifier; imported public keys are cached for an hour. */
export function createJwtVerifier({
  jwks,
  clock,
}: Pick<Core, 'clock'> & {
  jwks: Jwks
}): JwtVerifier {
  const imported = createCache<string, VerifyKey>({ clock, maxSize: 1000, ttlMs: 60 * 60 * 1000 })

  async function importKey(publicKey: PublicKey): Promise<VerifyKey> {
    const name = `${publicKey.algorithm}\n${publicKey.key}`
    const known = imported.get(name)
    if (known !== undefined) return known
    const key = await readKey(publicKey).catch((cause: unknown) => {
      throw new ApiError(
        'auth/no-public-key-registered',
        { message: 'The registered public key cannot be read.' },
        { cause },
      )
    })
    imported.set(name, key)
    return key
  }

  function optionsFor(algorithms: string[]): JWTVerifyOptions {
    return { algorithms, requiredClaims: ['exp'], clockTolerance: LEEWAY_SECONDS, currentDate: new Date(clock.now()) }
  }

  return {
    async verifyByProvider(token, provider) {
      const algorithms = permitted(provider?.algorithms ?? [])
      if (provider === null || algorithms.length === 0) throw new ApiError('auth/no-public-key-registered')
      const options = { ...optionsFor(algorithms), issuer: provider.issuer }
      refuseForm(token, algorithms)
      refuseForeign(token, provider, clock.now())
      await verifyWithSet(token, await jwks.get(provider.jwksUrl), options).catch(async (error) => {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw refusal(error)
        const newer = await jwks.refresh(provider.jwksUrl)
        if (newer === undefined) throw refusal(error)
        return verifyWithSet(token, newer, options).catch((again: unknown) => Promise.reject(refusal(again)))
      })
      const claims = claimsOf(token)
      if (!isForClient(claims, provider)) throw new ApiError('auth/invalid-token-signature')
      return { ...parseClaims(claims, provider.claims), credential: providerCredential(provider) }
    },
    async verifyByPublicKey(token, publicKey) {
      const algorithms = permitted(publicKey === null ? [] : [publicKey.algorithm])
      if (publicKey === null || algorithms.length === 0) throw new ApiError('auth/no-public-key-registered')
      const key = await importKey(publicKey)
      refuseForm(token, algorithms)
      await jwtVerify(token, key, optionsFor(algorithms)).catch((error: unknown) => Promise.reject(refusal(error)))
      return { ...parseClaims(claimsOf(token), publicKey.claims), credential: publicKeyCredential(publicKey) }
    },
  }
}

/** Identifies a registered provider by issuer, client and JWKS address; other claim paths are the same credential. */
export function providerCredential({ issuer, audience, clientClaim, jwksUrl }: IdentityProvider): string {
  const parts = [issuer, audience, jwksUrl]
  return `idp:${sha256Hex(JSON.stringify(clientClaim === 'aud' ? parts : [...parts, clientClaim]))}`
}

/** Whether the claim that names the client names that of the provider, alone or in a list. */
export function isForClient(claims: Record<string, unknown>, { audience, clientClaim }: ClientOfProvider): boolean {
  const named = Object.hasOwn(claims, clientClaim) ? claims[clientClaim] : undefined
  return Array.isArray(named) ? named.includes(audience) : named === audience
}

type ClientOfProvider = Pick<IdentityProvider, 'audience' | 'clientClaim'>

/** Checks a key before it is registered. @throws Error with a text for the user when it cannot verify tokens. */
export async function checkPublicKey(publicKey: PublicKey): Promise<void> {
  if (permitted([publicKey.algorithm]).length === 0)
    throw new Error(`The algorithm must be one of ${JWT_ALGORITHMS.join(', ')}.`)
  const key = await readKey(publicKey).catch((cause: unknown) => {
    const message = `This is no public key for ${publicKey.algorithm}: a PEM text (BEGIN PUBLIC KEY) or a public JWK is wanted.`
    throw new Error(message, { cause })
  })
  // Answers contain the registered text, so it must not be a secret.
  if (isPrivateJwk(publicKey.key)) throw new Error('This is a private key. Register its public part.')
  // A shorter key can be imported, but every token signed with it would be refused.
  if (bitsOf(key) < RSA_BITS) throw new Error(`An RSA key must have ${RSA_BITS} bits at least.`)
}

function isPrivateJwk(key: string): boolean {
  return key.trimStart().startsWith('{') && Object.hasOwn(JSON.parse(key) as object, 'd')
}

/** @returns The length of an RSA key; infinity for kinds whose algorithm fixes the length. */
function bitsOf(key: VerifyKey): number {
  const { modulusLength } = (key as { algorithm?: { modulusLength?: number } }).algorithm ?? {}
  return modulusLength ?? Number.POSITIVE_INFINITY
}

/** Identifies a registered public key. */
export function publicKeyCredential({ algorithm, key }: PublicKey): string {
  return `key:${sha256Hex(JSON.stringify([algorithm, key]))}`
}

function permitted(algorithms: readonly string[]): string[] {
  const known: readonly string[] = JWT_ALGORITHMS
  return algorithms.filter((algorithm) => known.includes(algorithm))
}

/** Refuses tokens for which no key is needed: too long, or with another algorithm. */
function refuseForm(token: string, algorithms: readonly string[]): void {
  if (token.length > MAX_TOKEN_CHARS) throw new ApiError('auth/invalid-token-signature')
  const algorithm = decoded(() => decodeProtectedHeader(token)).alg
  if (algorithm === undefined || !algorithms.includes(algorithm)) throw new ApiError('auth/invalid-token-signature')
}

/** Refuses foreign and expired tokens before any key is fetched, also while the provider is unreachable. */
function refuseForeign(token: string, provider: IdentityProvider, now: number): void {
  const { iss, exp } = decoded(() => decodeJwt(token))
  if (iss !== provider.issuer || typeof exp !== 'number') throw new ApiError('auth/invalid-token-signature')
  if (exp <= Math.floor(now / 1000) - LEEWAY_SECONDS) throw refusal(new errors.JWTExpired('exp', { exp }))
}

function decoded<T>(decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    throw refusal(error)
  }
}

/** Maps every error of a token to one code: the failed check helps only those who forge tokens. */
function refusal(cause: unknown): ApiError {
  const message = cause instanceof errors.JWTExpired ? 'The user token has expired.' : undefined
  return new ApiError('auth/invalid-token-signature', message === undefined ? {} : { message }, { cause })
}

/** Returns the claims of a verified token, read anew: a number as user id keeps its digits. */
function claimsOf(token: string): Record<string, unknown> {
  return parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>
}

async function verifyWithSet(token: string, keySet: KeySet, options: JWTVerifyOptions): Promise<void> {
  try {
    await jwtVerify(token, keySet, options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    await verifyWithAny(token, error, options)
  }
}

async function verifyWithAny(token: string, several: errors.JWKSMultipleMatchingKeys, options: JWTVerifyOptions) {
  let tries = 0
  for await (const key of several) {
    if (++tries > MAX_TRIES) break
    try {
      await jwtVerify(token, key, options)
      return
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    }
  }
  throw new errors.JWSSignatureVerificationFailed()
}

const PUBLIC_FIELDS = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const

/** Imports a PEM (SPKI), or the public fields of a JWK in JSON. */
async function readKey({ algorithm, key }: PublicKey): Promise<VerifyKey> {
  if (!key.trimStart().startsWith('{')) return importSPKI(key.trim(), algorithm)
  const given = JSON.parse(key) as Record<string, unknown>
  const jwk: Record<string, unknown> = {}
  for (const field of PUBLIC_FIELDS) if (given[field] !== undefined) jwk[field] = given[field]
  if (jwk.kty === 'oct') throw new Error('A shared secret is no public key.')
  return importJWK(jwk as JWK, algorithm)
}
