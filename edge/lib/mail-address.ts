// Checks addresses of mail.

const MAX_ADDRESS_CHARS = 320
/** Any script is allowed (RFC 6531). */
const ADDRESS = /^[^\s@<>,;:"\\]+@[^\s@<>,;:"\\]+\.[^\s@<>,;:"\\]+$/
const CONTROL = /\p{Cc}/u

/** Whether a text is one plain address, without a display name. */
export function isAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS_CHARS && ADDRESS.test(text) && !CONTROL.test(text)
}
