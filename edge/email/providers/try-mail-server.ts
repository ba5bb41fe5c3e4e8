// Tries a mail server, that of SMTP_URL or of an integration: connection, encryption and login, without a mail.

import { createTransport, type NodemailerError } from 'nodemailer'
import type { Credentials } from '../../domain/mail/mail-provider.ts'
import { OutboundError } from '../../lib/outbound/outbound-error.ts'
import { type SmtpProviderDeps, smtpOptions } from './smtp.ts'
import { readSmtpCredentials } from './smtp-credentials.ts'
import { secretForms, wordsOf } from './smtp-outcome.ts'

/** `address`: OUTBOUND_ALLOW does not contain it. `no-starttls`: it does not encrypt after the greeting. */
export interface MailServerFault {
  kind: 'address' | 'no-starttls' | 'other'
  /** What went wrong in one line, without the password. */
  words: string
}

/** @returns What keeps mails from the server; null when it would take them. Never rejects for reasons of the server. */
export async function tryMailServer(credentials: Credentials, deps: SmtpProviderDeps): Promise<MailServerFault | null> {
  const access = readSmtpCredentials(credentials)
  const transport = createTransport(smtpOptions(access, deps))
  try {
    await transport.verify()
    return null
  } catch (error) {
    return {
      kind: kindOf(error as NodemailerError),
      words: wordsOf(error as NodemailerError, secretForms(access.login)),
    }
  } finally {
    transport.close()
  }
}

function kindOf(error: NodemailerError): MailServerFault['kind'] {
  if (error instanceof OutboundError) return error.reason === 'forbidden-address' ? 'address' : 'other'
  // The server refuses the command, which it does not know.
  return error.code === 'ETLS' && (error.responseCode ?? 0) >= 500 ? 'no-starttls' : 'other'
}
