// Generates random tokens of sessions and one-time links, and the hashes by which they are stored.

import { randomBytes } from 'node:crypto'
import { sha256Hex } from './hmac.ts'

const TOKEN_BYTES = 32

/** The log removes tokens of sessions and challenges by this form; links may be shown in it (docs/dashboard.md#links). */
export const TOKEN_PREFIXES = {
  session: 'nc_dash',
  challenge: 'nc_chal',
  invitation: 'nc_invite',
  reset: 'nc_reset',
} as const

/** @returns A token of 256 random bits, and its hash. */
export function newToken(kind: keyof typeof TOKEN_PREFIXES): { token: string; hash: string } {
  const token = `${TOKEN_PREFIXES[kind]}_${randomBytes(TOKEN_BYTES).toString('base64url')}`
  return { token, hash: sha256Hex(token) }
}

/** @returns The hash of a received token; undefined when it has not the form of this kind. */
export function hashToken(kind: keyof typeof TOKEN_PREFIXES, token: string | undefined): string | undefined {
  const prefix = `${TOKEN_PREFIXES[kind]}_`
  if (token?.length !== prefix.length + 43 || !token.startsWith(prefix)) return undefined
  return sha256Hex(token)
}
