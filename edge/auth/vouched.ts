// Whether what vouched for a widget session still stands: it ends with its credential and its Front API Key (contract section 2, last paragraph).

import type { Environment } from '../domain/environment.ts'
import type { WidgetSession } from '../domain/session.ts'
import type { Clock } from '../lib/clock.ts'
import { providerCredential, publicKeyCredential } from './jwt.ts'
import type { KeyRing } from './key-ring.ts'

/** Another node may have granted it on what this one has not read yet. Above the age of what memory holds, and what clocks may differ. */
const YOUNG_MS = 5000

/**
 * Asked at every call, from memory; so a session ends within a second of its key's end, also when that end was set days
 * ago (an overlap) and nobody is there to announce it.
 */
export function createIsVouched(
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

  async function stands(session: WidgetSession): Promise<boolean> {
    const environment = await ring.findEnvironment(session.environmentId)
    if (environment === undefined || environment.disabledAt !== null) return false
    if (!(await ring.isFrontKeyLive(environment.id, session.frontKeyId))) return false
    return isCredentialLive(environment, session.credential)
  }

  return async function isVouched(session: WidgetSession): Promise<boolean> {
    if (await stands(session)) return true
    if (clock.now() - session.createdAt > YOUNG_MS) return false
    await ring.refresh(session.environmentId)
    return stands(session)
  }
}
