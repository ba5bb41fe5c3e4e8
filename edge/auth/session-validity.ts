// Decides whether a widget session is still valid: it ends with its environment, its credential and its Front API Key.

import type { Environment } from '../domain/environment.ts'
import type { WidgetSession } from '../domain/session.ts'
import type { Clock } from '../lib/clock.ts'
import { providerCredential, publicKeyCredential } from './jwt.ts'
import type { KeyRing } from './key-ring.ts'

/** Another node may have granted a session of this age by keys that this node has not read yet; longer than caches and clocks differ. */
const NEW_SESSION_MS = 5000

/**
 * Creates the check of every call, which reads from memory. A session so ends within a second of its key, also when the end of an
 * overlap was set days ago and no notice announces it.
 */
export function createIsSessionValid(
  ring: Pick<KeyRing, 'findEnvironment' | 'isFrontKeyLive' | 'listAuthSecrets' | 'refresh'>,
  clock: Clock,
) {
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
