// The SDK's client for one environment, as a customer's backend makes its own.

import { NotificationClient } from '../../sdk/node/index.ts'
import type { EnvironmentKeys } from './demo-file.ts'

/**
 * Without retries, unlike a backend of yours: somebody sits before the workbench, and wants to see a refusal at once and
 * not after three seconds.
 */
export function createClient(edgeUrl: string, keys: EnvironmentKeys): NotificationClient {
  const { authSecretKey, sdkSecretKey, webhookSigningSecret } = keys
  return new NotificationClient({
    authSecretKey,
    sdkSecretKey,
    webhookSigningSecret,
    baseUrl: edgeUrl,
    retryDelaysMs: [],
  })
}
