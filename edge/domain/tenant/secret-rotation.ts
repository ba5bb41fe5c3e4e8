// How the values of a secret follow each other: `single → overlap → single` (contract section 2).

import type { AuditEntry } from '../audit.ts'
import type { Secret, SecretKind } from '../secret.ts'

export interface OverlapEnd {
  environmentId: number
  kind: SecretKind
  /** `extend` takes later instants only, `retire` earlier ones only. */
  change: 'extend' | 'retire'
  retiresAt: number
}

/** Each change is one write operation, its audit entry included: a crash leaves all of it or nothing. */
export interface SecretRotations {
  /**
   * Adds the new value and sets the end of the old one. `overlap` when two values live already; with `oldRetiresAt` null
   * (emergency) all older values end at once, whatever their state.
   */
  rotate(secret: Secret, oldRetiresAt: number | null, audit: AuditEntry): Promise<'rotated' | 'overlap'>
  /** Moves the end of an overlap. `single` when there is none, `refused` when the instant is on the wrong side. */
  moveEnd(end: OverlapEnd, audit: AuditEntry): Promise<'moved' | 'single' | 'refused'>
  /** Values whose time is over and whose end nobody has tidied up after. */
  listRetired(now: number, limit: number): Promise<Secret[]>
  /** Marks it tidied up, and forgets its value. */
  settle(id: number, now: number): Promise<void>
  /** Values that are kept sealed, by id after `afterId`. */
  listSealed(afterId: number, limit: number): Promise<{ id: number; sealed: string }[]>
  /** Replaces a sealed text by another of the same value. False when it was changed meanwhile. */
  reseal(id: number, from: string, to: string): Promise<boolean>
  /** Which master keys (their ids) the server holds that runs now, or ran last. */
  noteKeys(keyIds: readonly string[]): Promise<void>
  listKeys(): Promise<string[]>
}
