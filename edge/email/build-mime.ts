// Builds a mail as it goes over the wire (RFC 5322), without sending it.

import { createTransport, type SendMailOptions } from 'nodemailer'
import type { OutgoingMail } from '../domain/mail/mail-provider.ts'

/** Addresses as objects: nothing of them is parsed again, so no name can add a recipient or a header. */
export function toMailOptions(mail: OutgoingMail): SendMailOptions {
  const { from, to, replyTo, subject, html, text, headers } = mail
  return {
    from: { name: from.name ?? '', address: from.address },
    to: { name: to.name ?? '', address: to.address },
    ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
    subject,
    html,
    text,
    headers,
    messageId: messageIdOf(mail),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** The `Message-ID`: ours, at the domain of the sender. */
export function messageIdOf({ messageId, from }: OutgoingMail): string {
  return `<${messageId}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`
}

const builder = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

export async function buildMime(mail: OutgoingMail): Promise<Buffer> {
  const { message } = await builder.sendMail(toMailOptions(mail))
  return message as Buffer
}
