// Who calls: the bearer credential, the environment of an sdkSecretKey, the widget session of a token (contract sections 1, 3 and 5).

import type { Environment } from '../domain/environment.ts'
import type { WidgetSession } from '../domain/session.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Callers, KeyCaller } from './http.ts'

export interface CallersDeps {
  findBySdkKey(value: string): Promise<{ environment: Environment; secretId: number } | undefined>
  /** Throws `auth/invalid-session`. */
  verifySession(token: string | undefined): Promise<WidgetSession>
  /** The region that this deployment's keys carry. */
  region: string
}

const BEARER = /^Bearer +([^\s]+)$/i
const SDK_KEY_REGION = /^nc_sdk_([a-z0-9-]{1,32})_/

/** The credential of an `Authorization` header; undefined when it is not `Bearer` and one credential. */
export function findBearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
}

/** The credential of a key caller's header. Throws `auth/tracking-secret-key`. */
export function requireBearer(authorization: string | undefined): string {
  const credential = findBearer(authorization)
  if (credential === undefined) throw new ApiError('auth/tracking-secret-key')
  return credential
}

/**
 * Resolves a key's value: 403 when it matches no environment, 401 when its environment is disabled.
 * Tracking calls it after its own comparison of header and body.
 */
export function createResolveKey(deps: Pick<CallersDeps, 'findBySdkKey' | 'region'>) {
  return async function resolveKey(value: string): Promise<KeyCaller> {
    const found = await deps.findBySdkKey(value)
    if (found === undefined) {
      const region = SDK_KEY_REGION.exec(value)?.[1]
      const foreign = region !== undefined && region !== deps.region
      throw new ApiError(
        'auth/invalid-authorization',
        foreign ? { message: `This sdkSecretKey belongs to region "${region}"; this is "${deps.region}".` } : {},
      )
    }
    if (found.environment.disabledAt !== null) {
      throw new ApiError('auth/tracking-secret-key', { message: 'The environment of this sdkSecretKey is disabled.' })
    }
    return found
  }
}

export function createCallers(deps: CallersDeps): Callers {
  const resolveKey = createResolveKey(deps)
  return {
    // Async, so that a refusal is always a rejection.
    key: async (authorization) => resolveKey(requireBearer(authorization)),
    widget: (authorization) => deps.verifySession(findBearer(authorization)),
  }
}

/** Refuses a key whose environment keeps campaigns, enrichers and e-mail settings from keys (contract section 1, "Callers"). */
export function requireMayManage(caller: KeyCaller): void {
  if (!caller.environment.sdkKeyMayManage) {
    throw new ApiError('authorization/not-allowed', {
      message: 'This environment does not let an sdkSecretKey change campaigns.',
    })
  }
}
