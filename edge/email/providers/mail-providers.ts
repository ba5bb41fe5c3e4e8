// Lists the mail providers.

import type { MailProviders } from '../../domain/mail/mail-provider.ts'
import { createSmtpProvider, type SmtpProviderDeps } from './smtp.ts'

export function createMailProviders(deps: SmtpProviderDeps): MailProviders {
  const providers = [createSmtpProvider(deps)]
  return new Map(providers.map((provider) => [provider.name, provider]))
}
