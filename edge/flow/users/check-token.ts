// Checks a user token as a sign-in would, and explains a refusal. Creates neither a session nor a user.

import type { CheckedToken } from '../../../contract/resources/token-check.ts'
import type { AuthType } from '../../../contract/tenant.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import { EMPTY_PROFILE, mergeProfile } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { toAuthUser } from './sign-in-user.ts'
import { mayHaveNewKey, type VerifyCredentialDeps, verifyCredential } from './verify-credential.ts'

type Taken = VerifyCredentialDeps &
  Pick<Core, 'users' | 'clock'> & {
    /** Reads the environment's credentials again. */
    refreshKeys(environmentId: number): Promise<void>
    /** Returns when the token itself expires (epoch ms); null for one that does not. */
    expiryOf(authType: AuthType, token: string): number | null
    explain(authType: AuthType, token: string, environment: Environment, now: number): string
  }

export type CheckToken = (
  environment: Environment,
  input: { authType: AuthType; userId?: string | undefined; token: string },
) => Promise<CheckedToken>

export function createCheckToken(deps: Taken): CheckToken {
  async function verify(environment: Environment, input: Record<string, unknown>) {
    return verifyCredential(deps, environment, input).catch(async (error: unknown) => {
      if (!mayHaveNewKey(error)) throw error
      await deps.refreshKeys(environment.id)
      return verifyCredential(deps, environment, input)
    })
  }

  return async function checkToken(environment, input) {
    const { authType, token } = input
    const expiresAt = deps.expiryOf(authType, token)
    const times = expiresAt === null ? {} : { expiresAt: toIso(expiresAt) }
    if (environment.disabledAt !== null) {
      return { ok: false, code: 'auth/invalid-api-key', reason: 'The environment is disabled.', ...times }
    }
    try {
      const { userId, profile, leftOut = [] } = await verify(environment, { ...input })
      const stored = await deps.users.find(environment.id, userId)
      const user = toAuthUser({ ...mergeProfile(stored ?? EMPTY_PROFILE, profile), userId })
      return { ok: true, user, ...(leftOut.length > 0 && { leftOut }), ...times }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { ok: false, code: error.code, reason: reasonOf(deps, error, input, environment), ...times }
    }
  }
}

function reasonOf(
  { explain, clock }: Taken,
  error: ApiError,
  { authType, token }: { authType: AuthType; token: string },
  environment: Environment,
): string {
  if (error.code === 'auth/invalid-token-signature') return explain(authType, token, environment, clock.now())
  const [detail] = error.extra.details ?? []
  return detail === undefined ? error.message : `${detail.path}: ${detail.message}`
}
