// Decides what the error of an SMTP connection says about a mail, and says it in one line without credentials.

import type { NodemailerError } from 'nodemailer'
import type { SendOutcome } from '../../domain/mail/mail-provider.ts'
import { OutboundError, type OutboundReason } from '../../lib/outbound/outbound-error.ts'

const MAX_WORDS = 500
// Commands whose refusal concerns the message. `API`: the client itself finds an address that it cannot send.
const OF_MESSAGE = new Set(['MAIL FROM', 'RCPT TO', 'DATA', 'API'])
// Of the login, and of a wrong order of commands: the mail has no part in it.
const OF_PROVIDER = new Set([503, 530, 534, 535, 538])
const OUTBOUND_WORDS: Partial<Record<OutboundReason, string>> = {
  'forbidden-address': 'The address of the mail server is not public, and OUTBOUND_ALLOW does not contain it.',
  timeout: 'The mail server did not answer in time.',
  unreachable: 'The mail server could not be reached.',
}

/** Of a recipient: no such mailbox (5.1.1), no mail taken there (5.1.10), mailbox disabled (5.2.1). */
const NO_MAILBOX = /^5\d\d[ -]5\.(?:1\.10?|2\.1)(?![\d.])/

/**
 * @param wasHandedOver whether the whole message went to the connection, so that the server may have taken it
 * @param secrets texts that the words must not contain
 */
export function toSendOutcome(error: NodemailerError, wasHandedOver: boolean, secrets: string[]): SendOutcome {
  const words = wordsOf(error, secrets)
  const { responseCode = 0, response, code, command = '', rejectedErrors } = error
  const recipient = error.recipient ?? rejectedErrors?.[0]?.recipient
  if (responseCode >= 400 && responseCode < 600) {
    const isOfMessage = responseCode >= 500 && OF_MESSAGE.has(command) && !OF_PROVIDER.has(responseCode)
    if (!isOfMessage) return { outcome: 'unavailable', error: words }
    const isUnknown = command === 'RCPT TO' && recipient !== undefined && NO_MAILBOX.test(response ?? '')
    return { outcome: 'refused', error: words, ...(isUnknown && { unknownAddress: recipient }) }
  }
  if (wasHandedOver) return { outcome: 'unknown', error: words }
  // Without an answer the client itself refuses an address or the size. An answer without a code of SMTP says nothing.
  const isOfClient = response === undefined || response === ''
  const isRefused = isOfClient && (code === 'EENVELOPE' || code === 'EMESSAGE') && OF_MESSAGE.has(command)
  return { outcome: isRefused ? 'refused' : 'unavailable', error: words }
}

/** @returns What went wrong, in one line without these texts */
export function wordsOf(error: NodemailerError, secrets: string[]): string {
  return toLine(describe(error), secrets)
}

/** One line of the server's words, without these texts. */
export function toLine(text: string, secrets: string[]): string {
  return redact(text, secrets)
    .replace(/\p{Cc}+|\s+/gu, ' ')
    .trim()
    .slice(0, MAX_WORDS)
}

/** Every form in which a login puts the password on the wire. */
export function secretForms(login: { user: string; pass: string } | null): string[] {
  if (login === null) return []
  const { user, pass } = login
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return [base64(`\0${user}\0${pass}`), base64(pass), pass]
}

function describe(error: NodemailerError): string {
  if (error instanceof OutboundError) return OUTBOUND_WORDS[error.reason] ?? error.message
  if (error.response) return `The mail server answers: ${error.response}`
  if (error.code === 'ETIMEDOUT') return 'The mail server did not answer in time.'
  if (error.code === 'ETLS') return `No encrypted connection to the mail server: ${error.message}`
  if (error.code === 'ECONNECTION') return 'The connection to the mail server ended before its answer.'
  // The words of OpenSSL are its own, with a place in its source.
  if (/wrong version number/.test(error.message)) return 'The mail server speaks no TLS where it was expected.'
  if (/certificate/.test(error.message)) return `The certificate of the mail server is not accepted: ${error.message}.`
  return error.message
}

function redact(text: string, secrets: string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
}
