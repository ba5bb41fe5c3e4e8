// Implements `POST /v1/users/auth`: verifies a credential in the documented order of checks and grants a widget session
// (docs/api.md#sign-in).

import type { Appearance, AuthAnswer, AuthUser } from '../../../contract/api.ts'
import type { Environment, IdentityProvider, PublicKey } from '../../domain/environment.ts'
import type { Inboxes } from '../../domain/message.ts'
import type { WidgetSession } from '../../domain/session.ts'
import { describeForeignKey, type Regions } from '../../domain/tenant/region.ts'
import { isUserId, USER_ID_RULE } from '../../domain/tracking/user-id.ts'
import type { ProfileChange, User, Users } from '../../domain/user.ts'
import { ApiError } from '../../lib/api-error.ts'
import { type Clock, toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'

/** The user of a verified credential, and what verified it. */
interface VerifiedUser {
  userId: string
  /** From claims only: profile fields of the request body are never stored. */
  profile: ProfileChange
  credential: string
}

export interface SignInUserDeps {
  findByFrontKey(value: string): Promise<{ environment: Environment; secretId: number } | undefined>
  /** Returns the region in a key; undefined for another form. */
  keyRegion(value: string): string | undefined
  regions: Regions
  isOriginAllowed(allowed: readonly string[], origin: string): boolean
  /** Returns the hash of the live authSecretKey that signed a backend token; undefined when no key verifies it. */
  findSigningKey(environment: Environment, userId: string, token: string): Promise<string | undefined>
  /** Reads the environment's credentials again. */
  refreshKeys(environmentId: number): Promise<void>
  verifyByProvider(token: string, provider: IdentityProvider | null): Promise<VerifiedUser>
  verifyByPublicKey(token: string, publicKey: PublicKey | null): Promise<VerifiedUser>
  users: Users
  inboxes: Pick<Inboxes, 'head'>
  issueSession(grant: {
    environment: Environment
    user: User
    credential: string
    frontKeyId: number
  }): Promise<{ token: string; session: WidgetSession }>
  /** Returns the look of the element for a user; null where the environment has no notification config. */
  findAppearance(environmentId: number, user: User): Promise<Appearance | null>
  clock: Clock
  /** Where the widget opens its socket. */
  realtime: { url: string; path: string }
}

/** Errors of a credential whose key this node may not have read yet. */
const UNKNOWN_KEY_ERRORS: ReadonlySet<string> = new Set([
  'auth/no-public-key-registered',
  'auth/invalid-token-signature',
])

/** `origin` is the browser's header, null when there is none. Throws ApiError. */
export type SignInUser = (body: unknown, origin: string | null) => Promise<AuthAnswer>

export function createSignInUser(deps: SignInUserDeps): SignInUser {
  return async function signIn(body, origin) {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError('request/invalid-body')
    const fields = body as Record<string, unknown>
    const { environment, secretId } = await getEnvironment(deps, fields, origin)
    const verified = await verifyCredential(deps, environment, fields).catch(async (error: unknown) => {
      if (!(error instanceof ApiError && UNKNOWN_KEY_ERRORS.has(error.code))) throw error
      // The command line or another node may have created the key a moment ago.
      await deps.refreshKeys(environment.id)
      return verifyCredential(deps, (await getEnvironment(deps, fields, origin)).environment, fields)
    })
    const user = await deps.users.upsert(environment.id, verified.userId, verified.profile, deps.clock.now())
    const { credential } = verified
    const [{ token, session }, inbox, appearance] = await Promise.all([
      deps.issueSession({ environment, user, credential, frontKeyId: secretId }),
      deps.inboxes.head(user.userNo),
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

/** Returns the environment of the key. Throws for a disabled one, and for a forbidden origin before any credential is checked. */
async function getEnvironment(deps: SignInUserDeps, fields: Record<string, unknown>, origin: string | null) {
  const { apiKey } = fields
  // An empty text counts as an unknown key.
  if (typeof apiKey !== 'string') throw invalid('apiKey', 'This field is required: a string.')
  refuseForeign(deps, apiKey)
  const found = await deps.findByFrontKey(apiKey)
  if (found === undefined) throw new ApiError('auth/invalid-api-key')
  if (found.environment.disabledAt !== null) {
    throw new ApiError('auth/invalid-api-key', { message: 'The environment of this Front API Key is disabled.' })
  }
  if (origin !== null && !deps.isOriginAllowed(found.environment.allowedOrigins, origin)) {
    throw new ApiError('authorization/not-allowed', {
      message: 'This origin is not among the allowed origins of the environment.',
    })
  }
  return found
}

function refuseForeign(deps: SignInUserDeps, apiKey: string): void {
  const message = describeForeignKey('Front API Key', deps.keyRegion(apiKey), deps.regions)
  if (message !== undefined) throw new ApiError('auth/invalid-api-key', { message })
}

async function verifyCredential(deps: SignInUserDeps, environment: Environment, fields: Record<string, unknown>) {
  const authType = fields.authType ?? 'backendToken'
  switch (authType) {
    case 'backendToken':
      return verifyBackendToken(deps, environment, requireUserId(fields), requireText(fields, 'token'))
    case 'jwt':
      return deps.verifyByProvider(requireText(fields, 'token'), environment.identityProvider)
    case 'signedJwt':
      return deps.verifyByPublicKey(requireText(fields, 'token'), environment.publicKey)
    default:
      throw invalid('authType', 'One of backendToken, jwt and signedJwt.')
  }
}

async function verifyBackendToken(
  deps: SignInUserDeps,
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
  if (typeof value !== 'string' || value === '') throw invalid(path, 'This field is required: a string.')
  return value
}

function requireUserId(fields: Record<string, unknown>): string {
  const userId = requireText(fields, 'userId')
  if (!isUserId(userId)) throw invalid('userId', USER_ID_RULE)
  return userId
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('auth/invalid-inputs', { details: [{ path, message }] })
}

function toAuthUser({ userId, email, name, locale }: User): AuthUser {
  return {
    userId,
    ...(email !== null && { email }),
    ...(name !== null && { name }),
    ...(locale !== null && { locale }),
  }
}
