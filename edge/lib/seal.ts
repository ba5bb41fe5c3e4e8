// Seals secrets at rest: AES-256-GCM under a list of master keys, the first encrypts, all decrypt (contract sections 2 and 12).

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { sha256Hex } from './hmac.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const VERSION = 's1'
const SHAPE = /^s1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/
// Bound into every sealed text, so that one which another purpose of ours sealed does not open here.
const PURPOSE = 'notification-center/secret'

export interface Sealer {
  /** `s1.<key id>.<base64url of nonce, ciphertext and tag>`. */
  seal(text: string): string
  /** Throws when the key is not among ours or the text was changed; the error holds none of it. */
  open(sealed: string): string
  /** Whether it is sealed under the first master key. */
  isCurrent(sealed: string): boolean
  /** Names of the master keys, the first one first; they tell nothing of the keys. */
  keyIds: readonly string[]
}

/** `masterKeys`: 32 bytes each, at least one. The sealing keys are derived: the master keys themselves encrypt nothing. */
export function createSealer(masterKeys: readonly Uint8Array[]): Sealer {
  const keys = masterKeys.map((masterKey) => {
    const bytes = deriveKey(masterKey, PURPOSE)
    return { id: sha256Hex(`${PURPOSE}/id/${Buffer.from(bytes).toString('hex')}`).slice(0, 8), bytes }
  })
  const [first] = keys
  if (first === undefined) throw new Error('A sealer needs a master key.')
  return {
    keyIds: keys.map(({ id }) => id),
    isCurrent: (sealed) => SHAPE.exec(sealed)?.[1] === first.id,
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', first.bytes, nonce).setAAD(boundTo(first.id))
      const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return `${VERSION}.${first.id}.${Buffer.concat(parts).toString('base64url')}`
    },
    open(sealed) {
      const [, id, body] = SHAPE.exec(sealed) ?? []
      const key = keys.find((candidate) => candidate.id === id)
      if (id === undefined || body === undefined) throw new Error('A sealed text has not the form of one.')
      if (key === undefined) throw new Error(`A text is sealed under master key ${id}, which MASTER_KEY does not hold.`)
      return decrypt(key.bytes, id, Buffer.from(body, 'base64url'))
    },
  }
}

/** The name of the master key that a text is sealed under; empty when it has not the form of a sealed one. */
export function sealedUnder(sealed: string): string {
  return SHAPE.exec(sealed)?.[1] ?? ''
}

function decrypt(key: Uint8Array, id: string, bytes: Buffer): string {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('A sealed text is too short.')
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), options)
  decipher.setAAD(boundTo(id)).setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
}

function boundTo(keyId: string): Buffer {
  return Buffer.from(`${PURPOSE}/${VERSION}/${keyId}`, 'utf8')
}

/** 32 bytes for one purpose out of a master key (HKDF-SHA256): keys of two purposes tell nothing of each other. */
export function deriveKey(masterKey: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', masterKey, 'notification-center', purpose, 32))
}
