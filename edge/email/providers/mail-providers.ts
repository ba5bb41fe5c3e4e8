// Lists all providers of mail.

import type { MailProvider, MailProviders } from '../../domain/mail/mail-provider.ts'
import { createBrevo } from './brevo.ts'
import { createMailgun } from './mailgun.ts'
import { createMailjet } from './mailjet.ts'
import { createPostmark } from './postmark.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { createResend } from './resend.ts'
import { createSendgrid } from './sendgrid.ts'
import { createSes } from './ses.ts'
import { createSmtp } from './smtp.ts'

const CREATORS: ((deps: ProviderDeps) => MailProvider)[] = [
  createSmtp,
  createSendgrid,
  createPostmark,
  createMailgun,
  createSes,
  createResend,
  createBrevo,
  createMailjet,
]

/** Creates the only list of providers: a new one needs its file, its line here and its name in the contract. */
export function createMailProviders(deps: ProviderDeps): MailProviders {
  return new Map(CREATORS.map((create) => create(deps)).map((provider) => [provider.name, provider]))
}
