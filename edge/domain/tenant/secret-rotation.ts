// Declares the transitions of a secret's values: `single → overlap → single`.

import type { AuditEntry } from '../audit.ts'
import type { Secret, StoredSecretKind } from '../secret.ts'

/**
 * The tables with a sealed text: secrets of environments and of their sources, of one-time codes, of clients of single sign-on, and of
 * accounts with providers of mail. A master key may go when none of them needs it.
 */
export const SEALED_TABLES = ['secret', 'totp', 'single_sign_on', 'mail_integration'] as const
export type SealedTable = (typeof SEALED_TABLES)[number]

/** The key of a sealed text; the environment is 0 where keys of the table have none. */
export interface SealedPlace {
  environmentId: number
  id: number
}

export interface SealedText extends SealedPlace {
  sealed: string
}

export interface OverlapEnd {
  environmentId: number
  kind: StoredSecretKind
  /** `extend` takes later instants only, `retire` earlier ones only. */
  change: 'extend' | 'retire'
  retiresAt: number
}

/** Each change is one write operation with its audit entry: a crash leaves all of it or nothing. */
export interface SecretRotations {
  /**
   * Adds the new value and sets the end of the old one. `overlap` when two values live already; with `oldRetiresAt`
   * null (emergency) all older values end at once, whatever their state.
   */
  rotate(secret: Secret, oldRetiresAt: number | null, audit: AuditEntry): Promise<'rotated' | 'overlap'>
  /** Moves the end of an overlap. `single` when there is none, `refused` when the instant is on the wrong side. */
  moveEnd(end: OverlapEnd, audit: AuditEntry): Promise<'moved' | 'single' | 'refused'>
  /** Lists retired values that are not yet settled. */
  listRetired(now: number, limit: number): Promise<Secret[]>
  /** Marks a retired value as settled, and deletes its text. */
  settle(environmentId: number, id: number, now: number): Promise<void>
  /** Lists sealed values of a table (default: secrets) by environment and id; after `after`. */
  listSealed(after: SealedPlace | null, limit: number, table?: SealedTable): Promise<SealedText[]>
  /** Replaces a sealed text by another of the same value. False when it was changed meanwhile. */
  reseal(text: SealedText, to: string, table?: SealedTable): Promise<boolean>
  /** Ids of the master keys that the current or last server holds. */
  saveKeyIds(keyIds: readonly string[]): Promise<void>
  listKeys(): Promise<string[]>
}
