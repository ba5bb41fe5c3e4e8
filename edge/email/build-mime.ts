// Builds a mail as it goes over the wire (RFC 5322), without sending it.

import { Readable } from 'node:stream'
import type { SendMailOptions } from 'nodemailer'
import * as base64 from 'nodemailer/lib/base64'
import MailComposer from 'nodemailer/lib/mail-composer'
import { encodeWord, foldLines } from 'nodemailer/lib/mime-funcs'
import type MimeNode from 'nodemailer/lib/mime-node'
import * as quotedPrintable from 'nodemailer/lib/qp'
import type { MailAddress, OutgoingMail, SendOutcome } from '../domain/mail/mail-provider.ts'
import { asciiDomain } from '../lib/mail-address.ts'
import { type DkimKey, signDkim } from './dkim.ts'

/** A connection takes the next piece when it has sent the last one, so that a long mail that was cut is known as such. */
const PIECE_BYTES = 64 * 1024

/** Reports a mail that cannot be built: it is the mail that fails, not its provider. */
class MimeError extends Error {
  override readonly name = 'MimeError'
}

/** @returns the outcome for an error of `buildMime`; undefined for all others */
export function renderErrorOf(error: unknown): SendOutcome | undefined {
  return error instanceof MimeError ? { outcome: 'render-error', error: error.message } : undefined
}

/** @throws MimeError */
export function buildMime(mail: OutgoingMail): Buffer {
  try {
    return build(mail)
  } catch (error) {
    throw new MimeError(`The mail cannot be built: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** nodemailer chooses structure, headers and encodings. Its streams would take three times as long as these strings. */
function build(mail: OutgoingMail): Buffer {
  const { from, to, cc = [], replyTo, subject, html, text, headers, attachments = [] } = mail
  const root = new MailComposer({
    from: toAddress(from),
    to: toAddress(to),
    // Hidden copies are in the envelope alone.
    ...(cc.length > 0 && { cc: cc.map(toAddress) }),
    ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
    subject: isEncodedWord(subject) ? encode(subject) : subject,
    html,
    text,
    headers,
    messageId: messageIdOf(mail),
    attachments: attachments.map((one) => ({ ...one, contentTransferEncoding: 'base64' as const })),
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  return Buffer.from(withNames(print(root), mail))
}

/** The longest encoded word, as nodemailer has it. */
const WORD_CHARS = 52

/** nodemailer passes encoded words in texts on, and programs decode them: a text that contains one is encoded as a whole. */
const isEncodedWord = (text: string | null) => text?.includes('=?') === true
const encode = (text: string) => encodeWord(text, 'Q', WORD_CHARS)

/** Adds names that contain encoded words, which nodemailer would only quote, to the headers of their addresses. */
function withNames(mime: string, { from, to }: OutgoingMail): string {
  let named = mime
  for (const [key, { name }] of Object.entries({ From: from, To: to })) {
    if (name === null || !isEncodedWord(name)) continue
    named = named.replace(new RegExp(`^${key}: <?([^\\r\\n<>]*)>?`, 'm'), (_, address: string) =>
      foldLines(`${key}: ${encode(name)} <${address}>`),
    )
  }
  return named
}

/** The built mail, signed with `dkim` where there is a key, and to whom it goes, for nodemailer's transports. */
export function toMailOptions(mail: OutgoingMail, dkim: DkimKey | null): SendMailOptions & { raw: Readable } {
  const { from, to, cc = [], bcc = [] } = mail
  const mime = buildMime(mail)
  return {
    raw: Readable.from(cut(dkim === null ? mime : signDkim(mime, dkim))),
    envelope: { from: toAddress(from), to: [to, ...cc, ...bcc].map(toAddress) },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** An address as an object: nothing of it is parsed again, so no name can add a recipient or a header. */
const toAddress = ({ name, address }: MailAddress) => ({
  name: name === null || isEncodedWord(name) ? '' : name,
  address,
})

/** The `Message-ID`: ours, at the domain of the sender in ASCII, as all headers are. */
export function messageIdOf({ messageId, from }: OutgoingMail): string {
  return `<${messageId}@${asciiDomain(from.address.slice(from.address.lastIndexOf('@') + 1))}>`
}

function cut(mime: Buffer): Buffer[] {
  const pieces = Math.ceil(mime.length / PIECE_BYTES)
  return Array.from({ length: pieces }, (_, at) => mime.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES))
}

function print(node: MimeNode): string {
  // Sets the boundary and the encoding, too.
  const headers = node.buildHeaders()
  if (node.childNodes.length === 0) return `${headers}\r\n\r\n${encodeBody(node)}`
  const parts = node.childNodes.map((part) => `--${node.boundary}\r\n${print(part)}\r\n`)
  return `${headers}\r\n\r\n${parts.join('')}--${node.boundary}--\r\n`
}

function encodeBody(node: MimeNode): string {
  if (Buffer.isBuffer(node.content)) return base64.wrap(base64.encode(node.content))
  const content = String(node.content ?? '').replace(/\r\n|\r|\n/g, '\r\n')
  switch (node.getTransferEncoding()) {
    case 'quoted-printable':
      return quotedPrintable.wrap(quotedPrintable.encode(content))
    case 'base64':
      return base64.wrap(base64.encode(content))
    default:
      return content
  }
}
