// Builds the MIME form of a mail by nodemailer, from objects: no text of a user becomes a header by itself.

import { domainToASCII } from 'node:url'
import type { SendMailOptions } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { OutgoingMail } from '../../domain/mail/mail-provider.ts'

/** @returns the id of the mail, without angle brackets: `msg_…@domain of the sender` */
export function messageIdOf({ messageId, from }: OutgoingMail): string {
  return `${messageId}@${domainToASCII(from.address.slice(from.address.lastIndexOf('@') + 1))}`
}

/** @returns what nodemailer takes. `mail` is one of `toSafeMail`. */
export function toMimeOptions(mail: OutgoingMail): SendMailOptions {
  return {
    from: toParty(mail.from),
    to: toParty(mail.to),
    ...(mail.replyTo !== null && { replyTo: { name: '', address: mail.replyTo } }),
    envelope: { from: mail.from.address, to: [mail.to.address] },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: mail.headers,
    messageId: `<${messageIdOf(mail)}>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** @returns the whole mail in bytes */
export function buildMime(mail: OutgoingMail): Promise<Buffer> {
  return new MailComposer(toMimeOptions(mail)).compile().build()
}

function toParty({ name, address }: { name: string | null; address: string }) {
  return { name: name ?? '', address }
}
