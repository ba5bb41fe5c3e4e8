// Lists the providers of mail.

import type { MailProvider, MailProviders } from '../../domain/mail/mail-provider.ts'
import type { GuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import { createBrevoProvider } from './brevo.ts'
import { createMailgunProvider } from './mailgun.ts'
import { createMailjetProvider } from './mailjet.ts'
import { createPostmarkProvider } from './postmark.ts'
import { createResendProvider } from './resend.ts'
import { sendingSafeMails } from './safe-mail.ts'
import { createSendgridProvider } from './sendgrid.ts'
import { createSesProvider } from './ses.ts'
import { createSmtpProvider, type SmtpProviderDeps } from './smtp.ts'

export interface MailProvidersDeps extends SmtpProviderDeps {
  fetch: GuardedFetch['fetch']
}

export function createMailProviders(deps: MailProvidersDeps): MailProviders {
  const providers: MailProvider[] = [
    createSmtpProvider(deps),
    createSendgridProvider(deps),
    createPostmarkProvider(deps),
    createMailgunProvider(deps),
    createSesProvider(deps),
    createResendProvider(deps),
    createBrevoProvider(deps),
    createMailjetProvider(deps),
  ]
  return new Map(providers.map((provider) => [provider.name, sendingSafeMails(provider)]))
}
