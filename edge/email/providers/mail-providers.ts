// Lists the providers of mail. No other file names them all.

import type { MailProvider, MailProviders } from '../../domain/mail/mail-provider.ts'
import type { GuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import { createBrevoProvider } from './brevo.ts'
import { createMailjetProvider } from './mailjet.ts'
import { createSesProvider } from './ses.ts'
import { createSmtpProvider, type SmtpProviderDeps } from './smtp.ts'

export interface MailProvidersDeps extends SmtpProviderDeps {
  fetch: GuardedFetch['fetch']
}

export function createMailProviders(deps: MailProvidersDeps): MailProviders {
  const providers: MailProvider[] = [
    createSmtpProvider(deps),
    createBrevoProvider(deps),
    createMailjetProvider(deps),
    createSesProvider(deps),
  ]
  return new Map(providers.map((provider) => [provider.name, provider]))
}
