// Implements `POST /v1/users/auth`: verifies a credential in the documented order of checks and grants a widget session
// (docs/api.md#sign-in).

import type { Appearance, AuthAnswer, AuthUser } from '../../../contract/api.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import type { WidgetSession } from '../../domain/session.ts'
import { refuseClosed } from '../../domain/tenant/closed.ts'
import { describeForeignKey } from '../../domain/tenant/region.ts'
import type { User, UserProfile } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { doubtProfile } from '../doubts/profile-doubts.ts'
import { invalidInput, mayHaveNewKey, type VerifyCredentialDeps, verifyCredential } from './verify-credential.ts'

type Taken = VerifyCredentialDeps &
  Pick<Core, 'regions' | 'users' | 'inboxes' | 'recordDoubt' | 'clock'> & {
    /** @param userId As the body names it. */
    findByFrontKey(value: string, userId: unknown): Promise<{ environment: Environment; secretId: number } | undefined>
    /** Returns the region in a key; undefined for another form. */
    keyRegion(value: string): string | undefined
    isOriginAllowed(allowed: readonly string[], origin: string): boolean
    /** Reads the environment's credentials again. */
    refreshKeys(environmentId: number): Promise<void>
    issueSession(grant: {
      environment: Environment
      user: User
      credential: string
      frontKeyId: number
    }): Promise<{ token: string; session: WidgetSession }>
    /** Returns the look of the element for a user; null where the environment has no notification config. */
    findAppearance(environmentId: number, user: User): Promise<Appearance | null>
    /** Where the widget opens its socket. */
    realtime: { url: string; path: string }
  }

/** `origin` is the browser's header, null when there is none. Throws ApiError. */
export type SignInUser = (body: unknown, origin: string | null) => Promise<AuthAnswer>

export function createSignInUser(deps: Taken): SignInUser {
  return async function signIn(body, origin) {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError('request/invalid-body')
    const fields = body as Record<string, unknown>
    const { environment, secretId } = await getEnvironment(deps, fields, origin)
    const verified = await verifyCredential(deps, environment, fields).catch(async (error: unknown) => {
      if (!mayHaveNewKey(error)) throw error
      // The command line or another node may have created the key a moment ago.
      await deps.refreshKeys(environment.id)
      return verifyCredential(deps, (await getEnvironment(deps, fields, origin)).environment, fields)
    })
    const user = await deps.users.upsert(environment.id, verified.userId, verified.profile, deps.clock.now())
    doubtProfile(deps.recordDoubt, environment.id, verified.userId, verified.profile)
    const { credential } = verified
    const [{ token, session }, inbox, appearance] = await Promise.all([
      deps.issueSession({ environment, user, credential, frontKeyId: secretId }),
      deps.inboxes.head(user),
      deps.findAppearance(environment.id, user),
    ])
    return {
      sessionToken: token,
      expiresAt: toIso(session.expiresAt),
      expiresIn: Math.floor((session.expiresAt - session.createdAt) / 1000),
      user: toAuthUser(user),
      environment: {
        id: formatId('environment', environment.id),
        name: environment.name,
        isProduction: environment.isProduction,
      },
      realtime: deps.realtime,
      inbox,
      appearance,
    }
  }
}

/** Returns the environment of the key. Throws for a disabled or closed one, and for a forbidden origin before any credential is checked. */
async function getEnvironment(deps: Taken, fields: Record<string, unknown>, origin: string | null) {
  const { apiKey, userId } = fields
  // An empty text counts as an unknown key.
  if (typeof apiKey !== 'string') throw invalidInput('apiKey', 'This field is required: a string.')
  refuseForeign(deps, apiKey)
  const found = await deps.findByFrontKey(apiKey, userId)
  if (found === undefined) throw new ApiError('auth/invalid-api-key')
  if (found.environment.disabledAt !== null) {
    throw new ApiError('auth/invalid-api-key', { message: 'The environment of this Front API Key is disabled.' })
  }
  if (origin !== null && !deps.isOriginAllowed(found.environment.allowedOrigins, origin)) {
    throw new ApiError('authorization/not-allowed', {
      message: 'This origin is not among the allowed origins of the environment.',
    })
  }
  refuseClosed(found.environment)
  return found
}

function refuseForeign(deps: Taken, apiKey: string): void {
  const message = describeForeignKey('Front API Key', deps.keyRegion(apiKey), deps.regions)
  if (message !== undefined) throw new ApiError('auth/invalid-api-key', { message })
}

/** @returns The user as the widget gets it. */
export function toAuthUser({ userId, email, name, locale }: UserProfile & { userId: string }): AuthUser {
  return {
    userId,
    ...(email !== null && { email }),
    ...(name !== null && { name }),
    ...(locale !== null && { locale }),
  }
}
