// Verifies the credential of a sign-in: a backend token, a JWT of the identity provider, or one of the registered key.

import type { ErrorDetail } from '../../../contract/errors.ts'
import type { IdentityProvider, PublicKey } from '../../../contract/resources/token-keys.ts'
import { isUserId, USER_ID_RULE } from '../../../contract/user-id.ts'
import type { Environment } from '../../domain/environment.ts'
import type { ProfileChange } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'

/** The user of a verified credential, and what verified it. */
export interface VerifiedUser {
  userId: string
  /** From claims only: profile fields of the request body are never stored. */
  profile: ProfileChange
  /** Configured claims that are absent or cannot be taken. */
  leftOut?: ErrorDetail[]
  credential: string
}

export interface VerifyCredentialDeps {
  /** Returns the hash of the live authSecretKey that signed a backend token; undefined when no key verifies it. */
  findSigningKey(environment: Environment, userId: string, token: string): Promise<string | undefined>
  verifyByProvider(token: string, provider: IdentityProvider | null): Promise<VerifiedUser>
  verifyByPublicKey(token: string, publicKey: PublicKey | null): Promise<VerifiedUser>
}

/** Errors of a credential whose key this node may not have read yet. */
const UNKNOWN_KEY_ERRORS: ReadonlySet<string> = new Set([
  'auth/no-public-key-registered',
  'auth/invalid-token-signature',
])

/** @returns Whether a credential may be valid after the keys of the environment were read again. */
export function mayHaveNewKey(error: unknown): boolean {
  return error instanceof ApiError && UNKNOWN_KEY_ERRORS.has(error.code)
}

/**
 * Verifies the credential of a sign-in (docs/api.md#sign-in).
 * @throws ApiError `auth/invalid-inputs`, `auth/no-public-key-registered`, `auth/invalid-token-signature` or
 * `service/unavailable`.
 */
export async function verifyCredential(
  deps: VerifyCredentialDeps,
  environment: Environment,
  fields: Record<string, unknown>,
): Promise<VerifiedUser> {
  const authType = fields.authType ?? 'backendToken'
  switch (authType) {
    case 'backendToken':
      return verifyBackendToken(deps, environment, requireUserId(fields), requireText(fields, 'token'))
    case 'jwt':
      return deps.verifyByProvider(requireText(fields, 'token'), environment.identityProvider)
    case 'signedJwt':
      return deps.verifyByPublicKey(requireText(fields, 'token'), environment.publicKey)
    default:
      throw invalidInput('authType', 'One of backendToken, jwt and signedJwt.')
  }
}

async function verifyBackendToken(
  deps: VerifyCredentialDeps,
  environment: Environment,
  userId: string,
  token: string,
): Promise<VerifiedUser> {
  const credential = await deps.findSigningKey(environment, userId, token)
  if (credential === undefined) throw new ApiError('auth/invalid-token-signature')
  return { userId, profile: {}, credential }
}

function requireText(fields: Record<string, unknown>, path: string): string {
  const value = fields[path]
  if (typeof value !== 'string' || value === '') throw invalidInput(path, 'This field is required: a string.')
  return value
}

function requireUserId(fields: Record<string, unknown>): string {
  const userId = requireText(fields, 'userId')
  if (!isUserId(userId)) throw invalidInput('userId', USER_ID_RULE)
  return userId
}

/** @returns The error of a field that is missing or malformed. */
export function invalidInput(path: string, message: string): ApiError {
  return new ApiError('auth/invalid-inputs', { details: [{ path, message }] })
}
