// Decides whether a widget session is still valid: it ends with its environment, its credential and its Front API Key.

import type { Environment } from '../domain/environment.ts'
import type { Sessions, WidgetSession } from '../domain/session.ts'
import { refuseClosed } from '../domain/tenant/closed.ts'
import { createCache } from '../lib/cache.ts'
import type { Clock } from '../lib/clock.ts'
import { providerCredential, publicKeyCredential } from './jwt.ts'
import type { KeyRing } from './key-ring.ts'

/**
 * A session of this age may have been granted by keys that this node has not read yet. The time is longer than the
 * differences of caches and clocks.
 */
const NEW_SESSION_MS = 5000
const MAX_GRANTED = 50_000

/**
 * Creates the check that every call makes, from memory. A session ends within a second of its key, even when no notice
 * announces that end, such as that of an overlap. The check throws `environment/closed` while its environment is closed:
 * the session goes on afterwards.
 */
export function createIsSessionValid(
  ring: Pick<KeyRing, 'findEnvironment' | 'isFrontKeyLive' | 'listAuthSecrets' | 'refresh'>,
  clock: Clock,
  isStored: Sessions['isStored'],
) {
  const granted = createCache<string, true>({ clock, maxSize: MAX_GRANTED })

  /** Two deployments with one master key number users apart: a session of the other one would be another user's. */
  async function isGrantedHere(session: WidgetSession): Promise<boolean> {
    const key = `${session.id}:${session.userNo}`
    if (granted.get(key) !== undefined) return true
    if (!(await isStored(session))) return false
    granted.set(key, true, session.expiresAt)
    return true
  }

  async function isCredentialLive(environment: Environment, credential: string): Promise<boolean> {
    const { identityProvider, publicKey } = environment
    if (credential.startsWith('idp:')) {
      return identityProvider !== null && providerCredential(identityProvider) === credential
    }
    if (credential.startsWith('key:')) return publicKey !== null && publicKeyCredential(publicKey) === credential
    return (await ring.listAuthSecrets(environment.id)).some((secret) => secret.hash === credential)
  }

  async function isValidNow(session: WidgetSession): Promise<boolean> {
    const environment = await ring.findEnvironment(session.environmentId)
    if (environment === undefined || environment.disabledAt !== null) return false
    refuseClosed(environment)
    if (environment.movedAt != null && !(await isGrantedHere(session))) return false
    if (!(await ring.isFrontKeyLive(environment.id, session.frontKeyId))) return false
    return isCredentialLive(environment, session.credential)
  }

  return async function isSessionValid(session: WidgetSession): Promise<boolean> {
    if (await isValidNow(session)) return true
    if (clock.now() - session.createdAt > NEW_SESSION_MS) return false
    await ring.refresh(session.environmentId)
    return isValidNow(session)
  }
}
