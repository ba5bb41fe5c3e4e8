// Signs mails by DKIM (RFC 6376): relaxed canonicalization, RSA with SHA-256.

import { createHash, createSign } from 'node:crypto'

export interface DkimKey {
  domain: string
  selector: string
  /** RSA, as PEM. */
  privateKey: string
}

/** Signed once more than they occur: another one that somebody adds on the way breaks the signature. */
const OVERSIGNED = ['From', 'Subject', 'To', 'Cc', 'Reply-To', 'Date', 'MIME-Version', 'Content-Type']
/** Signed where they occur. RFC 8058 demands both headers of unsubscribing. */
const SIGNED = ['Content-Transfer-Encoding', 'Message-ID', 'List-Unsubscribe', 'List-Unsubscribe-Post']
const LINE_CHARS = 72

/** @returns The mail with its signature in front. @param mime with CRLF line ends */
export function signDkim(mime: Buffer, { domain, selector, privateKey }: DkimKey): Buffer {
  const text = mime.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const headers = readHeaders(text.slice(0, end))
  const names = [...SIGNED, ...OVERSIGNED].flatMap((name) => (headers.get(name.toLowerCase()) ?? []).map(() => name))
  const tags = [
    'v=1; a=rsa-sha256; c=relaxed/relaxed',
    `d=${domain}; s=${selector}`,
    fold(`h=${[...names, ...OVERSIGNED].join(':')}`),
    `bh=${bodyHash(text.slice(end + 4))}`,
    'b=',
  ]
  const unsigned = `DKIM-Signature: ${tags.join(';\r\n ')}`
  // Of a header that occurs several times, the last one is signed first.
  const signed = names.map((name, nth) => {
    const earlier = names.slice(0, nth).filter((one) => one === name).length
    return headers.get(name.toLowerCase())?.at(-1 - earlier) ?? ''
  })
  const input = [...signed.map(relax), relax(unsigned)].join('\r\n')
  const signature = createSign('sha256').update(input, 'latin1').sign(privateKey, 'base64')
  return Buffer.concat([Buffer.from(`${unsigned}${cut(signature)}\r\n`, 'latin1'), mime])
}

/** @returns The headers as they are written, by their names in lower case */
function readHeaders(text: string): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  for (const line of text.split(/\r\n(?![ \t])/)) {
    const name = line.slice(0, line.indexOf(':')).trim().toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), line])
  }
  return headers
}

/** @returns A header in its relaxed form (RFC 6376, 3.4.2) */
function relax(header: string): string {
  const colon = header.indexOf(':')
  const value = header
    .slice(colon + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/g, '')
  return `${header.slice(0, colon).trim().toLowerCase()}:${value}`
}

/** @returns The hash of a body in its relaxed form (RFC 6376, 3.4.4) */
function bodyHash(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''))
  while (lines.at(-1) === '') lines.pop()
  const relaxed = lines.map((line) => `${line}\r\n`).join('')
  return createHash('sha256').update(relaxed, 'latin1').digest('base64')
}

/** Breaks a list of names behind colons, where white space means nothing. */
const fold = (list: string) => list.replace(new RegExp(`(.{1,${LINE_CHARS}}:)(?=.)`, 'g'), '$1\r\n ')
const cut = (text: string) => text.replace(new RegExp(`.{1,${LINE_CHARS}}`, 'g'), '\r\n $&')
