// Decides from an error of nodemailer what became of a mail.

import type { NodemailerError } from 'nodemailer'
import type { SendOutcome } from '../../domain/mail/mail-provider.ts'
import { OutboundError } from '../../lib/outbound/outbound-error.ts'
import { toOneLine } from './foreign-text.ts'

/** Asked to sign in, or refused: codes of the account at any command. */
const ACCOUNT_CODES = [503, 530, 534, 535, 538]
/** The same, a daily limit, and a server out of service, in the words of RFC 3463. */
const ACCOUNT_STATUS = /^\d{3}[ -]5\.(?:3\.2|4\.5|7\.(?:0|8|9|11))\b/
/** The mail is larger than the server takes. */
const TOO_LARGE = 552
/** Errors that nodemailer itself has about a mail, before anything is sent. */
const BUILD_CODES = ['EENVELOPE', 'EMESSAGE', 'ESTREAM', 'EFILEACCESS', 'EURLACCESS']

/**
 * An answer to RCPT or DATA of 5xx refuses the mail; any other answer that refuses is about the server or the account.
 * Without an answer the mail is `unknown` once all of it was handed over.
 */
export function readSmtpError(
  thrown: unknown,
  { wasHandedOver, secrets }: { wasHandedOver: boolean; secrets: readonly string[] },
): SendOutcome {
  if (thrown instanceof OutboundError) return { outcome: 'unavailable', error: thrown.message }
  const error: NodemailerError = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { response, responseCode = 0 } = error
  const words = toOneLine(response === undefined ? error.message : `The server answered: ${response}`, secrets)
  if (responseCode >= 400) return { outcome: isAboutMail(error) ? 'refused' : 'unavailable', error: words }
  if (wasHandedOver) return { outcome: 'unknown', error: words }
  const isBuildError = response === undefined && BUILD_CODES.includes(error.code ?? '')
  return { outcome: isBuildError ? 'refused' : 'unavailable', error: words }
}

function isAboutMail({ command, response = '', responseCode = 0 }: NodemailerError): boolean {
  if (responseCode < 500 || ACCOUNT_CODES.includes(responseCode) || ACCOUNT_STATUS.test(response)) return false
  if (command === 'MAIL FROM') return responseCode === TOO_LARGE
  return command === 'RCPT TO' || command === 'DATA'
}
