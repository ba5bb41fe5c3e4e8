// Derives the key under which secrets travel between two deployments, from a text that the operator gives to both.

import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { hmacHex } from './hmac.ts'
import { createSealer, deriveKey, type Sealer } from './seal.ts'

/** A shorter text can be guessed by whoever has the file. */
export const MIN_KEY_CHARS = 20
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)

export interface TransportKey extends Pick<Sealer, 'seal' | 'open'> {
  /** Names the key; reveals nothing of the text. */
  id: string
  /** Authenticates a text, as hexadecimal. */
  sign(text: string): string
}

export const newSalt = (): string => randomBytes(16).toString('base64url')

/** @param salt Of `newSalt`; each file has its own. */
export async function createTransportKey(text: string, salt: string): Promise<TransportKey> {
  const key = new Uint8Array(await derive(text, Buffer.from(salt, 'base64url'), 32, COST))
  const { seal, open, keyIds } = createSealer([key])
  const signing = Buffer.from(deriveKey(key, 'notification-center/environment-file'))
  return { seal, open, id: keyIds[0] ?? '', sign: (signed) => hmacHex(signing, signed) }
}
