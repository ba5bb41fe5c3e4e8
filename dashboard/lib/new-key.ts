// Makes a random key by which a call is known, so that its repeat does nothing more.

/** @returns 32 hexadecimal digits, also on pages without HTTPS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
