// Defines the second factor of a person: one-time codes (TOTP), and recovery codes that replace a lost device.

import type { AuditEntry } from '../audit.ts'

/** Time in which a new secret may be confirmed. */
export const ENROLMENT_MS = 15 * 60 * 1000
export const RECOVERY_CODES = 10

/** Attempts without success after which the next one has to wait. */
const FREE_ATTEMPTS = 5
const MAX_WAIT_MS = 15 * 60 * 1000

/** @returns Milliseconds to wait after a number of attempts without success: doubled by each, up to 15 minutes. */
export function waitAfter(attempts: number): number {
  return attempts < FREE_ATTEMPTS ? 0 : Math.min(MAX_WAIT_MS, 1000 * 2 ** Math.min(attempts - FREE_ATTEMPTS, 20))
}

/** The secret of one-time codes. `createdAt` distinguishes it from a later one of the person. */
export interface Totp {
  personId: number
  /** Sealed by a master key. */
  sealed: string
  /** The time step of the last accepted code, so that no code is accepted twice. */
  lastStep: number
  createdAt: number
  /** Null until the first code: it is not asked for at sign-in. */
  confirmedAt: number | null
}

/** A verified code, which is used up in the transaction that it permits. */
export type FactorProof =
  | { kind: 'totp'; createdAt: number; step: number }
  | { kind: 'recovery-code'; codeHash: string }

/** What a person has proved before a change of the second factor. */
export interface FactorChange {
  passwordHash: string
  factor: FactorProof
}

/** `code-used`: the code was accepted before, also by another node. `changed`: password or secret changed meanwhile. */
export type FactorResult = 'done' | 'code-used' | 'changed'

export interface SecondFactors {
  find(personId: number): Promise<Totp | undefined>
  countRecoveryCodes(personId: number): Promise<number>
  /** Stores a secret to confirm, in place of an earlier one. False when the person has a confirmed one. */
  begin(totp: Totp): Promise<boolean>
  /** Confirms the secret, stores the recovery codes and ends all other sessions. False when it was replaced meanwhile. */
  confirm(
    totp: Pick<Totp, 'personId' | 'createdAt'>,
    confirmation: { step: number; codeHashes: string[]; keptSessionId: number; now: number },
    audit: AuditEntry,
  ): Promise<boolean>
  /**
   * Counts an attempt before its code is verified; those in browsers of the person (`isKnown`) apart from all others.
   * @returns When the next one is allowed (epoch ms); null: this one is.
   */
  takeAttempt(personId: number, now: number, isKnown: boolean): Promise<number | null>
  /** Removes the secret and the recovery codes. */
  remove(personId: number, change: FactorChange, audit: AuditEntry): Promise<FactorResult>
  replaceRecoveryCodes(
    personId: number,
    change: FactorChange & { codeHashes: string[] },
    audit: AuditEntry,
  ): Promise<FactorResult>
  /** Removes both by the operator of the store. False when the person has none. */
  reset(personId: number, audit: AuditEntry): Promise<boolean>
}
