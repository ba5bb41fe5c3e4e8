// Generates recovery codes, and the hashes by which they are stored.

import { randomBytes } from 'node:crypto'
import { sha256Hex } from './hmac.ts'

/** Without letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CHARS = 16
const GROUP = /.{4}(?=.)/g

/** @returns A code of 80 random bits, in groups of four characters. */
export function newRecoveryCode(): string {
  const chars = [...randomBytes(CHARS)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return chars.join('').replace(GROUP, '$&-')
}

/** @returns The hash of a typed code for one person; undefined when it has not the form of a recovery code. */
export function hashRecoveryCode(personId: number, text: string): string | undefined {
  const code = text.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  if (code.length !== CHARS || ![...code].every((char) => ALPHABET.includes(char))) return undefined
  return sha256Hex(`${personId} ${code}`)
}
