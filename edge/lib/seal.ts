// Seals secrets at rest as JWE (`dir`, A256GCM) under a list of master keys: the first encrypts, all decrypt.

import { hkdfSync } from 'node:crypto'
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose'
import { sha256Hex } from './hmac.ts'

const HEADER = { alg: 'dir', enc: 'A256GCM' }
const ACCEPTED = { keyManagementAlgorithms: [HEADER.alg], contentEncryptionAlgorithms: [HEADER.enc] }
const KEY_ID = /^[0-9a-f]{8}$/
/** The derived keys are bound to this purpose, so that a text sealed for another one does not open. */
export const SECRET_PURPOSE = 'notification-center/secret'

export interface Sealer {
  /** @returns A JWE in compact serialization; `kid` in its protected header is the id of the first master key. */
  seal(text: string): Promise<string>
  /** Opens a JWE. Rejects, without any of the text, for an unknown key or a changed text. */
  open(sealed: string): Promise<string>
  /** Whether it is a JWE under the first master key. */
  isCurrent(sealed: string): boolean
  /** Ids of the master keys, the first one first; they reveal nothing of the keys. */
  keyIds: readonly string[]
}

interface SealingKey {
  id: string
  bytes: Uint8Array
}

/** @param masterKeys At least one, 32 bytes each. The sealing keys are derived: the master keys themselves encrypt nothing. */
export function createSealer(masterKeys: readonly Uint8Array[]): Sealer {
  const keys = masterKeys.map((masterKey): SealingKey => {
    const bytes = deriveKey(masterKey, SECRET_PURPOSE)
    return { id: sha256Hex(`${SECRET_PURPOSE}/id/${Buffer.from(bytes).toString('hex')}`).slice(0, 8), bytes }
  })
  const [first] = keys
  if (first === undefined) throw new Error('sealer not created: no master key')

  function keyOf(sealed: string): SealingKey {
    const id = sealedUnder(sealed)
    const key = keys.find((candidate) => candidate.id === id)
    if (id === '') throw new Error('sealed text refused: unknown format')
    if (key === undefined) throw new Error(`sealed text refused: MASTER_KEY lacks master key ${id}`)
    return key
  }

  async function open(sealed: string): Promise<string> {
    const { bytes } = keyOf(sealed)
    const { plaintext } = await compactDecrypt(sealed, bytes, ACCEPTED)
    return Buffer.from(plaintext).toString('utf8')
  }

  return {
    keyIds: keys.map(({ id }) => id),
    isCurrent: (sealed) => sealedUnder(sealed) === first.id,
    seal: (text) => sealWith(first, text),
    open,
  }
}

function sealWith({ id, bytes }: SealingKey, text: string): Promise<string> {
  return new CompactEncrypt(Buffer.from(text, 'utf8')).setProtectedHeader({ ...HEADER, kid: id }).encrypt(bytes)
}

/** @returns The id of the master key that sealed a text; empty when the text has not the form of a sealed one. */
export function sealedUnder(sealed: string): string {
  try {
    const { kid } = decodeProtectedHeader(sealed)
    return typeof kid === 'string' && KEY_ID.test(kid) ? kid : ''
  } catch {
    return ''
  }
}

/** Derives 32 bytes for one purpose from a master key (HKDF-SHA256): keys of two purposes reveal nothing of each other. */
export function deriveKey(masterKey: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', masterKey, 'notification-center', purpose, 32))
}
