// Makes a mail safe for headers: no address, name, subject or header can begin another header.

import { domainToASCII } from 'node:url'
import type { MailAddress, OutgoingMail } from '../../domain/mail/mail-provider.ts'

export type SafeMail = { mail: OutgoingMail } | { refused: string }

/** RFC 5321, without angle brackets. */
const MAX_ADDRESS_BYTES = 254
const MAX_LOCAL_BYTES = 64

/** Headers that the sender or the provider writes. */
const RESERVED =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|return-path|received|mime-version|dkim-signature|content-.*)$/i
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,75}$/

/** @returns the mail with clean texts, or why an address cannot be used. Headers that are no headers are left out. */
export function toSafeMail(mail: OutgoingMail): SafeMail {
  for (const [what, address] of [
    ['recipient', mail.to.address],
    ['sender', mail.from.address],
    ['reply address', mail.replyTo],
  ] as const) {
    if (address !== null && !isAddress(address)) return { refused: `The address of the ${what} is not valid.` }
  }
  const headers = Object.entries(mail.headers)
    .filter(([name]) => HEADER_NAME.test(name) && !RESERVED.test(name))
    .map(([name, value]) => [name, withoutBreaks(value)])
  return {
    mail: {
      ...mail,
      from: withCleanName(mail.from),
      to: withCleanName(mail.to),
      subject: withoutBreaks(mail.subject),
      html: withoutSurrogates(mail.html),
      text: withoutSurrogates(mail.text),
      headers: Object.fromEntries(headers),
    },
  }
}

/** Permits letters of any script (EAI), but no quoted local part, comment, list or control character. */
export function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || Buffer.byteLength(text) > MAX_ADDRESS_BYTES || Buffer.byteLength(local) > MAX_LOCAL_BYTES) return false
  if (/[\p{C}\p{Z}<>()[\]\\,;:@"]/u.test(local) || /^\.|\.\.|\.$/.test(local)) return false
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) && domainToASCII(domain) !== ''
}

/** @returns the address with its domain in ASCII, as envelopes and APIs take it */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`
}

/** @returns `"Name" <address>`, for APIs that take one text */
export function formatAddress({ name, address }: MailAddress): string {
  return name === null ? address : `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`
}

function withCleanName({ name, address }: MailAddress): MailAddress {
  const clean = name === null ? '' : withoutBreaks(name).slice(0, 200)
  return { name: clean === '' ? null : withoutSurrogates(clean), address: withAsciiDomain(address) }
}

function withoutBreaks(text: string): string {
  // Joiners are part of emoji and of some scripts.
  return text.replace(/[^\P{C}\u200C\u200D]+/gu, ' ').trim()
}

function withoutSurrogates(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}
