// Makes one line for people out of the text of another party, without credentials.

import type { CredentialField, Credentials } from '../../domain/mail/mail-provider.ts'
import { scrubKeys } from '../../lib/log.ts'

const MAX_CHARS = 500
/** Shorter ones, such as a one-letter password, would blot out words. */
const MIN_SECRET_CHARS = 4

/** @returns the line, at most 500 characters; it keeps e-mail addresses */
export function toOneLine(text: string, secrets: readonly string[] = []): string {
  const known = secrets.filter((secret) => secret.length >= MIN_SECRET_CHARS)
  const clean = known.reduce((rest, secret) => rest.replaceAll(secret, '[scrubbed]'), text)
  // Cut before as well, which limits the text to scrub. A cut surrogate pair leaves half of it, which `\p{C}` contains.
  const line = clean.slice(0, 10 * MAX_CHARS).replace(/[\p{C}\p{Z}]+/gu, ' ')
  return scrubKeys(line)
    .trim()
    .slice(0, MAX_CHARS)
    .replace(/\p{Surrogate}/gu, '')
}

/** @returns the values of secret fields, and the forms in which servers may repeat them */
export function listSecrets(fields: readonly CredentialField[], credentials: Credentials): string[] {
  const secrets = fields.flatMap(({ name, isSecret }) => (isSecret ? (credentials[name] ?? []) : []))
  return secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)])
}
