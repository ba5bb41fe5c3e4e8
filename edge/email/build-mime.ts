// Builds a mail as it goes over the wire (RFC 5322), without sending it.

import { Readable } from 'node:stream'
import { setImmediate as afterOthers } from 'node:timers/promises'
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

/** The encoding of a longer text takes milliseconds: other requests are served between its parts. */
const LONG_CHARS = 64 * 1024

/** Reports a mail that cannot be built: it is the mail that fails, not its provider. */
class MimeError extends Error {
  override readonly name = 'MimeError'
}

/** @returns the outcome for an error of `buildMime`; undefined for all others */
export function renderErrorOf(error: unknown): SendOutcome | undefined {
  return error instanceof MimeError ? { outcome: 'render-error', error: error.message } : undefined
}

/** @throws MimeError */
export async function buildMime(mail: OutgoingMail): Promise<Buffer> {
  try {
    return await build(mail)
  } catch (error) {
    throw new MimeError(`The mail cannot be built: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** nodemailer chooses structure, headers and encodings. Its streams would take three times as long as these strings. */
async function build(mail: OutgoingMail): Promise<Buffer> {
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
  return Buffer.from(withNames(await print(root), mail))
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
export async function toMailOptions(
  mail: OutgoingMail,
  dkim: DkimKey | null,
): Promise<SendMailOptions & { raw: Readable }> {
  const { from, to, cc = [], bcc = [] } = mail
  const mime = await buildMime(mail)
  if (dkim !== null && mime.length > LONG_CHARS) await afterOthers()
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

async function print(node: MimeNode): Promise<string> {
  const isLong = typeof node.content === 'string' && node.content.length > LONG_CHARS
  // nodemailer counts the letters of a whole text to choose its encoding.
  if (isLong) node.textEncoding = chooseEncoding(String(node.content).slice(0, LONG_CHARS))
  // Sets the boundary and the encoding, too.
  const headers = node.buildHeaders()
  if (node.childNodes.length === 0) return `${headers}\r\n\r\n${await encodeBody(node, isLong)}`
  const parts: string[] = []
  for (const part of node.childNodes) parts.push(`--${node.boundary}\r\n${await print(part)}\r\n`)
  return `${headers}\r\n\r\n${parts.join('')}--${node.boundary}--\r\n`
}

const count = (text: string, letters: RegExp) => text.match(letters)?.length ?? 0
const chooseEncoding = (text: string) => (count(text, /\P{ASCII}/gu) < count(text, /[a-z]/gi) ? 'Q' : 'B')

async function encodeBody(node: MimeNode, isLong: boolean): Promise<string> {
  if (Buffer.isBuffer(node.content)) return base64.wrap(base64.encode(node.content))
  if (isLong) await afterOthers()
  const content = String(node.content ?? '').replace(/\r\n|\r|\n/g, '\r\n')
  const coding = { 'quoted-printable': quotedPrintable, base64 }[node.getTransferEncoding() as string]
  if (coding === undefined) return content
  const encoded = coding.encode(content)
  if (isLong) await afterOthers()
  return coding.wrap(encoded)
}
