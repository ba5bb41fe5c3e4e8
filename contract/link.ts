// Validates links of messages by one rule: web addresses, paths, sections, mail, telephone, and schemes of apps. The edge checks
// at creation, the widget again.

const MAX_CHARS = 2048

/** Control characters, and invisible ones that change the text direction or end a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the purpose
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/
const SCHEME = /^[a-z][a-z0-9+.-]*(?=:.)/i
/** Those of web addresses, and those that run code, contain another link, or show what is on no site and in no app. */
const NOT_OF_APPS = /^(?:https?|wss?|ftp|intent|feed|jar|about)$|script|data|blob|file|source/
const MAIL = /^mailto:(?:[^@,;?]+@[^@,;?]+(?:[,;][^@,;?]+@[^@,;?]+)*(?:\?|$)|\?)/i

const schemeOf = (link: string) => SCHEME.exec(link)?.[0].toLowerCase() ?? ''

/**
 * Checks a link that the edge has checked by `safeLink`, with the schemes of its environment.
 * @returns The link without outer spaces and with inner spaces percent-encoded; null for what no setting allows
 */
export function checkedLink(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_CHARS) return null
  const link = value.trim().replaceAll(' ', '%20')
  // Browsers read a backslash as a slash: `/\evil.example` would leave the site.
  if (link.includes('\\') || INVISIBLE.test(link)) return null
  return /^#|^\/(?!\/)/.test(link) || isAppScheme(schemeOf(link)) || isWebAddress(link) ? link : null
}

/**
 * Returns the link without outer spaces and with inner spaces percent-encoded.
 * @param schemes Of apps, in lower case, that the environment allows. `true`: any, for a link that was checked before
 * @returns null unless it is an `https:` or `http:` URL with host and without credentials, a path that begins with a single
 * `/`, a `#section`, `mailto:` with addresses or fields, `tel:`, `sms:`, or has one of the schemes
 */
export function safeLink(value: unknown, schemes: readonly string[] | true = []): string | null {
  const link = checkedLink(value)
  const scheme = link === null ? '' : schemeOf(link)
  if (link === null || /^(?:https?|tel|sms)?$/.test(scheme)) return link
  if (scheme === 'mailto') return MAIL.test(link) ? link : null
  return schemes === true || schemes.includes(scheme) ? link : null
}

/** Returns true for a scheme, in lower case and without its colon, that a setting may allow. */
export function isAppScheme(scheme: string): boolean {
  return /^[a-z][a-z0-9+.-]+$/.test(scheme) && !NOT_OF_APPS.test(scheme)
}

/** Returns true for an `https:` or `http:` URL or a path: an image may be loaded from it. */
export function isImageLink(link: string): boolean {
  return link.startsWith('/') || isWebAddress(link)
}

/** Returns true for an `https:` or `http:` URL with host and without credentials. */
export function isWebAddress(link: string): boolean {
  if (!/^https?:\/\/[^/]/i.test(link)) return false
  try {
    const url = new URL(link)
    return url.hostname !== '' && url.username === '' && url.password === ''
  } catch {
    return false
  }
}
