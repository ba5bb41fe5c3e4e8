// Opens the credentials of an integration for its provider.

import type { MailIntegration } from '../../domain/mail/mail-integration.ts'
import type { Credentials, MailProvider, MailProviders } from '../../domain/mail/mail-provider.ts'
import type { Sealer } from '../../lib/seal.ts'

export interface OpenedIntegration {
  provider: MailProvider
  credentials: Credentials
}

/**
 * @returns The provider and its credentials; undefined when this program has no such provider.
 * @throws Error when the sealed text opens under no master key.
 */
export async function openCredentials(
  { providers, open }: { providers: MailProviders; open: Sealer['open'] },
  integration: Pick<MailIntegration, 'provider' | 'sealed'>,
): Promise<OpenedIntegration | undefined> {
  const provider = providers.get(integration.provider)
  if (provider === undefined) return undefined
  // Only `manage-integrations.ts` seals these texts.
  const stored = JSON.parse(await open(integration.sealed)) as Credentials
  return { provider, credentials: withDefaults(provider, stored) }
}

/** @returns The credentials with the default of each absent field. */
export function withDefaults({ fields }: Pick<MailProvider, 'fields'>, credentials: Credentials): Credentials {
  const filled = { ...credentials }
  for (const { name, byDefault } of fields) if (byDefault !== undefined) filled[name] ??= byDefault
  return filled
}
