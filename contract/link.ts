// Validates links of messages: `https:`, `http:`, `mailto:` or a path. The edge checks at creation, the widget again.

const MAX_CHARS = 2048

/** Control characters, and invisible ones that change the text direction or end a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the purpose
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

/**
 * Returns the link without outer spaces and with inner spaces percent-encoded.
 * @returns null unless it is an `https:` or `http:` URL with host and without credentials, a `mailto:` address,
 * or a path that begins with a single `/`
 */
export function safeLink(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_CHARS) return null
  const link = value.trim().replaceAll(' ', '%20')
  // Browsers read a backslash as a slash: `/\evil.example` would leave the site.
  if (link === '' || link.includes('\\') || INVISIBLE.test(link)) return null
  if (link.startsWith('/')) return link.startsWith('//') ? null : link
  if (/^mailto:[^@\s]+@[^@\s]+$/i.test(link) || /^mailto:\?/i.test(link)) return link
  return isWebAddress(link) ? link : null
}

/** Returns true for an `https:` or `http:` URL or a path: an image may be loaded from it. */
export function isImageLink(link: string): boolean {
  return link.startsWith('/') || isWebAddress(link)
}

function isWebAddress(link: string): boolean {
  if (!/^https?:\/\/[^/]/i.test(link)) return false
  try {
    const url = new URL(link)
    return url.hostname !== '' && url.username === '' && url.password === ''
  } catch {
    return false
  }
}
