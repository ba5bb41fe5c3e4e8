// Writes the addresses, ids and links of a header in ASCII: only words for people may be encoded words.

import { asciiDomain, withAsciiDomain } from '../lib/mail-address.ts'

const NOT_ASCII = /[^\0-\x7f]/
/** Headers that consist of ids of mails: nodemailer sends them as they are, and an id cannot be encoded. */
const OF_IDS = /^(?:references|in-reply-to)$/i

/** @returns the value with all that stands in angle brackets in ASCII; empty for ids that have no form in ASCII */
export function asciiHeader(name: string, value: string): string {
  if (!NOT_ASCII.test(value)) return value
  const ascii = value.replace(/<([^<>]*)>/g, (_, inner: string) => `<${asciiOf(inner)}>`)
  return OF_IDS.test(name) && NOT_ASCII.test(ascii) ? '' : ascii
}

function asciiOf(text: string): string {
  if (!NOT_ASCII.test(text)) return text
  if (URL.canParse(text)) return new URL(text).href
  return text.includes('@') ? withAsciiDomain(text) : asciiDomain(text)
}
