// The sdkSecretKey of a call, in the order of checks of contract section 3. The header part runs before the body is parsed.

import type { Environment } from '../domain/environment.ts'
import { ApiError } from '../lib/api-error.ts'
import { keyRegion } from './new-secret.ts'

const BEARER = /^Bearer +([^\s]+)$/i

/** A key that stands for its environment. */
export interface ResolvedKey {
  environment: Environment
  secretId: number
}

export interface TrackingKeyDeps {
  findBySdkKey(value: string): Promise<ResolvedKey | undefined>
  /** The region that this deployment's keys carry. */
  region: string
}

/** The credential of an `Authorization` header; undefined when it is not `Bearer` and one credential without white space. */
export function findBearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
}

/** First part: the header alone. Throws `auth/tracking-secret-key`. */
export function requireBearer(authorization: string | undefined): string {
  const credential = findBearer(authorization)
  if (credential === undefined) throw new ApiError('auth/tracking-secret-key')
  return credential
}

/**
 * Second part, when the body is known to be an object: the body names the same key. White space alone apart is 403, so
 * that a badly copied key is told from a missing one.
 */
export function requireSameKey(credential: string, inBody: unknown): void {
  if (inBody === credential) return
  const isCopySlip = typeof inBody === 'string' && inBody.replace(/\s+/g, '') === credential
  throw new ApiError(isCopySlip ? 'auth/invalid-authorization' : 'auth/tracking-secret-key')
}

/** Third part: the key resolves. 403 when it matches no live key, naming a foreign region; 401 when its environment is disabled. */
export function createResolveKey({ findBySdkKey, region }: TrackingKeyDeps) {
  return async function resolveKey(value: string): Promise<ResolvedKey> {
    refuseForeign(value, region)
    const found = await findBySdkKey(value)
    if (found === undefined) throw new ApiError('auth/invalid-authorization')
    if (found.environment.disabledAt !== null) {
      throw new ApiError('auth/tracking-secret-key', { message: 'The environment of this sdkSecretKey is disabled.' })
    }
    return found
  }
}

/** Also where its store was moved to another region, or REGION is not what it was: keys work in their own alone. */
function refuseForeign(value: string, region: string): void {
  const named = keyRegion(value)
  if (named === undefined || named === region) return
  throw new ApiError('auth/invalid-authorization', {
    message: `This sdkSecretKey belongs to region "${named}"; this is region "${region}".`,
  })
}
