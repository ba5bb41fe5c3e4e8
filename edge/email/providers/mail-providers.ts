// Lists the providers of mail. No other file names them all.

import type { MailProvider, MailProviders } from '../../domain/mail/mail-provider.ts'
import { createSmtpProvider, type SmtpDeps } from './smtp.ts'

export function createMailProviders(deps: SmtpDeps): MailProviders {
  const providers: MailProvider[] = [createSmtpProvider(deps)]
  return new Map(providers.map((provider) => [provider.name, provider]))
}
