// Defines passkeys (WebAuthn): key pairs of a person's devices, which sign in without a password.

import type { AuditEntry } from '../audit.ts'

export const MAX_PASSKEYS = 20

export interface Passkey {
  id: number
  personId: number
  /** Chosen by the person. */
  name: string
  createdAt: number
  lastUsedAt: number | null
}

export interface StoredPasskey extends Passkey {
  /** Base64url, as browsers send it. */
  credentialId: string
  /** The COSE key as base64url. */
  publicKey: string
  /** Signatures so far as the device counts them; 0 for ever where it does not count. */
  counter: number
  /** How browsers reach the device, such as `internal` or `usb`. */
  transports: string[]
}

/** `known`: some person has this passkey. `full`: the person has as many as allowed. `session-ended`: meanwhile. */
export type PasskeyResult = 'added' | 'known' | 'full' | 'session-ended'

export interface Passkeys {
  /** @param sessionId Of the person who adds it. A reset that ends the session must leave no passkey of it behind. */
  add(passkey: StoredPasskey, sessionId: number, audit: AuditEntry): Promise<PasskeyResult>
  /** Newest first. */
  list(personId: number): Promise<StoredPasskey[]>
  findByCredential(credentialId: string): Promise<StoredPasskey | undefined>
  /** False when the person has no such passkey of that former name. */
  rename(personId: number, id: number, names: { from: string; to: string }, audit: AuditEntry): Promise<boolean>
  /** False when the person has no such passkey. */
  remove(personId: number, id: number, audit: AuditEntry): Promise<boolean>
}
