// Opens the credentials of an integration for its provider.

import type { Core } from '../../domain/core.ts'
import type { MailIntegration } from '../../domain/mail/mail-integration.ts'
import type { Credentials, MailProvider } from '../../domain/mail/mail-provider.ts'

export interface OpenedIntegration {
  provider: MailProvider
  credentials: Credentials
}

/**
 * @returns The provider and its credentials; undefined when this program has no such provider.
 * @throws Error when the sealed text opens under no master key.
 */
export async function openCredentials(
  { mailProviders, open }: Pick<Core, 'mailProviders' | 'open'>,
  integration: Pick<MailIntegration, 'provider' | 'sealed'>,
): Promise<OpenedIntegration | undefined> {
  const provider = mailProviders.get(integration.provider)
  if (provider === undefined) return undefined
  // Only `manage-integrations.ts` seals these texts.
  const stored = JSON.parse(await open(integration.sealed)) as Credentials
  return { provider, credentials: withDefaults(provider, stored) }
}

/** @returns The fields that are no secrets, such as host, port and user; without those of an account that cannot be opened */
export async function readAccount(
  ports: Pick<Core, 'mailProviders' | 'open'>,
  integration: Pick<MailIntegration, 'provider' | 'sealed'>,
): Promise<Credentials> {
  const opened = await openCredentials(ports, integration).catch(() => undefined)
  const names = opened?.provider.fields.filter(({ isSecret }) => !isSecret).map(({ name }) => name) ?? []
  const given = names.flatMap((name) => {
    const value = opened?.credentials[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given)
}

/** @returns The credentials with the default of each absent field. */
export function withDefaults({ fields }: Pick<MailProvider, 'fields'>, credentials: Credentials): Credentials {
  const filled = { ...credentials }
  for (const { name, byDefault } of fields) if (byDefault !== undefined) filled[name] ??= byDefault
  return filled
}
