// Sends one mail with addresses beyond ASCII over a connection of its own, when the server takes them (SMTPUTF8, RFC 6531).

import type { Readable } from 'node:stream'
import type { NodemailerError, SMTPPoolOptions } from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailAddress, OutgoingMail } from '../../domain/mail/mail-provider.ts'
import { needsUtf8 } from '../../lib/mail-address.ts'

/** One line of the answer to EHLO. The first one is a greeting. */
const OFFERS_UTF8 = /\n250[ -]SMTPUTF8\b/i

const recipientsOf = ({ to, cc = [], bcc = [] }: OutgoingMail): readonly MailAddress[] => [to, ...cc, ...bcc]

/** Whether a local part of the mail's addresses is beyond ASCII; domains have a form in ASCII. */
export function isUtf8Mail(mail: OutgoingMail): boolean {
  return isUtf8Envelope(mail) || (mail.replyTo !== null && needsUtf8(mail.replyTo))
}

function isUtf8Envelope(mail: OutgoingMail): boolean {
  return [mail.from, ...recipientsOf(mail)].some(({ address }) => needsUtf8(address))
}

/**
 * The pool cannot do it: it asks the server for its extensions and sends the address in any case.
 * @param message is read from when the server asks for the mail
 * @returns The server's last answer, and the refusals of single recipients where another one took the mail
 * @throws NodemailerError
 */
export async function sendUtf8Mail(
  options: SMTPPoolOptions,
  mail: OutgoingMail,
  message: Readable,
): Promise<{ response: string; rejectedErrors: NodemailerError[] }> {
  // nodemailer tells the server of addresses in the envelope alone.
  if (!isUtf8Envelope(mail)) throw refusal('The address for replies has letters beyond ASCII before its @.')
  const connection = new SMTPConnection({ ...options, ...(await openSocket(options)) })
  try {
    await done(connection, (callback) => connection.connect(callback))
    if (!OFFERS_UTF8.test(connection.lastServerResponse || '')) {
      throw refusal('The mail server takes no address with letters beyond ASCII before its @ (it has no SMTPUTF8).')
    }
    const { user = '', pass = '' } = options.auth ?? {}
    if (user !== '') await done(connection, (callback) => connection.login({ credentials: { user, pass } }, callback))
    const to = recipientsOf(mail).map(({ address }) => address)
    let answer = { response: '', rejectedErrors: [] as NodemailerError[] }
    await done(connection, (callback) =>
      connection.send({ from: mail.from.address, to }, message, (error, info) => {
        answer = { response: info?.response ?? '', rejectedErrors: info?.rejectedErrors ?? [] }
        callback(error)
      }),
    )
    connection.quit()
    return answer
  } catch (error) {
    connection.close()
    throw error
  }
}

/** An error of the client itself: it is the mail that cannot be sent. */
function refusal(words: string): NodemailerError {
  return Object.assign(new Error(words), { code: 'EENVELOPE', command: 'API' })
}

function openSocket(options: SMTPPoolOptions): Promise<object> {
  return new Promise((resolve, reject) => {
    options.getSocket?.(options, (error, socket) => (error === null ? resolve(socket || {}) : reject(error)))
  })
}

/** Waits for the end of a step; a connection that breaks may only emit its error. */
function done(connection: SMTPConnection, step: (callback: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once('error', reject)
    connection.once('end', () => reject(Object.assign(new Error('Connection closed'), { code: 'ECONNECTION' })))
    step((error) => (error ? reject(error) : resolve()))
  })
}
