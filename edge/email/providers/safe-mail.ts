// Keeps addresses, names, subjects and headers of a mail from beginning another header, or naming another recipient.

import type { MailAttachment } from '../../domain/mail/attachment.ts'
import type { MailAddress, MailProvider, OutgoingMail } from '../../domain/mail/mail-provider.ts'
import { headerText } from '../../lib/header-text.ts'
import { isSendable, withAsciiDomain } from '../../lib/mail-address.ts'
import { asciiHeader } from '../ascii-header.ts'

const MAX_NAME_CHARS = 200
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,75}$/
/** Headers that the sender or the provider writes. */
const RESERVED =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|return-path|received|mime-version|dkim-signature|content-.*)$/i

/** @returns the provider, whose senders refuse mails with an address that is none, and clean all others */
export function sendingSafeMails(provider: MailProvider): MailProvider {
  return {
    ...provider,
    createSender(credentials) {
      const sender = provider.createSender(credentials)
      return {
        async send(mail) {
          const fault = findFault(mail)
          if (fault !== undefined) return { outcome: 'refused', error: fault }
          const safe = toSafeMail(mail)
          return sender.send(BUILT_HERE.has(provider.name) ? safe : withoutEncodedWords(safe))
        },
        close: () => sender.close(),
      }
    },
  }
}

function findFault({ to, cc = [], bcc = [], from, replyTo }: OutgoingMail): string | undefined {
  if (!isSendable(to.address)) return 'The address of the recipient is not valid.'
  if (!isSendable(from.address)) return 'The address of the sender is not valid.'
  if (![...cc, ...bcc].every(({ address }) => isSendable(address))) return 'The address of a copy is not valid.'
  return replyTo === null || isSendable(replyTo) ? undefined : 'The address for replies is not valid.'
}

/** Providers whose mails we build: there an encoded word in a text is encoded again. */
const BUILT_HERE: ReadonlySet<string> = new Set(['smtp', 'ses'])

/**
 * An API takes texts, and some pass an encoded word such as `=?utf-8?B?…?=` on, which is then decoded. An invisible
 * character within makes it none.
 */
function withoutEncodedWords(mail: OutgoingMail): OutgoingMail {
  const broken = (text: string) => text.replaceAll('=?', '=\u2060?')
  const named = ({ name, address }: MailAddress) => ({ name: name === null ? null : broken(name), address })
  const files = mail.attachments?.map((one) => ({ ...one, filename: broken(one.filename) }))
  return {
    ...mail,
    from: named(mail.from),
    to: named(mail.to),
    subject: broken(mail.subject),
    ...(files !== undefined && { attachments: files }),
  }
}

/** Leaves out headers that are none, and those that belong to the sender. */
function toSafeMail(mail: OutgoingMail): OutgoingMail {
  const headers = Object.entries(mail.headers)
    .filter(([name]) => HEADER_NAME.test(name) && !RESERVED.test(name))
    .map(([name, value]) => [name, asciiHeader(name, headerText(value).replaceAll('=?', '=\u2060?'))])
    .filter(([, value]) => value !== '')
  const { cc, bcc, attachments } = mail
  return {
    ...mail,
    from: toSafeAddress(mail.from),
    to: toSafeAddress(mail.to),
    ...(cc !== undefined && { cc: cc.map(toSafeAddress) }),
    ...(bcc !== undefined && { bcc: bcc.map(toSafeAddress) }),
    ...(attachments !== undefined && { attachments: attachments.map(toSafeFile) }),
    replyTo: mail.replyTo === null ? null : withAsciiDomain(mail.replyTo),
    subject: headerText(mail.subject),
    headers: Object.fromEntries(headers),
  }
}

function toSafeAddress({ name, address }: MailAddress): MailAddress {
  const clean = headerText((name ?? '').slice(0, MAX_NAME_CHARS))
  return { name: clean === '' ? null : clean, address: withAsciiDomain(address) }
}

/** @returns the file with its name and its type in one line each */
function toSafeFile({ filename, contentType, content }: MailAttachment): MailAttachment {
  return { filename: headerText(filename), contentType: headerText(contentType), content }
}

/** @returns the field, or nothing for an empty list, which some APIs refuse */
export function listField<T, Item>(name: string, items: readonly T[] | undefined, map: (item: T) => Item) {
  return items === undefined || items.length === 0 ? {} : { [name]: items.map(map) }
}

/** @returns `"Name" <address>`, for APIs that take one text */
export function formatAddress({ name, address }: MailAddress): string {
  return name === null || name === '' ? address : `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`
}
