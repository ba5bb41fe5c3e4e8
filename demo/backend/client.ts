// Creates the SDK's client for one environment.

import { NotificationClient } from '../../sdk/node/index.ts'
import type { EnvironmentKeys } from './demo-file.ts'

/** Creates a client without retries, unlike a production backend: a person watches the workbench and should see a refusal at once. */
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
