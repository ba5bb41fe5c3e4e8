// Seals a text in the format before JWE, which stores of the previous release contain.

import { createCipheriv, randomBytes } from 'node:crypto'
import { createSealer, deriveKey, SECRET_PURPOSE } from '../../lib/seal.ts'

/** Seals the text. @returns `s1.<key id>.<data>` */
export function sealFormerly(masterKey: Uint8Array, text: string): string {
  const [id] = createSealer([masterKey]).keyIds
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(masterKey, SECRET_PURPOSE), nonce)
  cipher.setAAD(Buffer.from(`${SECRET_PURPOSE}/s1/${id}`))
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return `s1.${id}.${Buffer.concat(parts).toString('base64url')}`
}
