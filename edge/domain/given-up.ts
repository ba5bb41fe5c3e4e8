// Defines when a claim is given up before it is evaluated, and what was given up: kept, so that it can be run again.

import type { AuditEntry } from './audit.ts'
import type { ClaimKind, Mark, WorkMark } from './in-hand.ts'

/** More attempts than this are not begun, whether errors or ends of a process interrupted the earlier ones. */
export const MAX_ATTEMPTS = 10
/** A process may end once for another reason while it handles a claim. */
const MAX_CRASHES = 1

/**
 * What was in hand when a process ended is handled by a process that has run for so long. One that is killed again and again
 * as it starts must not be counted against work that it begins first, and slowly, because its code is not compiled yet.
 */
export const REST_AFTER_START_MS = 5000

/** A claim as far as it was tried. */
export interface Tried {
  /** This one included. */
  attempts: number
  /** How often a process ended while it evaluated the claim. */
  crashes: number
}

/** @returns Why the claim must not be evaluated any more; undefined while it may be. */
export function findReasonToGiveUp({ attempts, crashes }: Tried, maxAttempts = MAX_ATTEMPTS): string | undefined {
  if (crashes > MAX_CRASHES) {
    const times = crashes === 2 ? 'twice' : `${crashes} times`
    return `the process ended ${times} while this was handled`
  }
  if (attempts > maxAttempts) return `none of ${maxAttempts} attempts came to an end`
  return undefined
}

/** Whether the claim may be read: not where a process ended also while it gave the claim up. */
export const mayBeRead = ({ crashes }: Tried): boolean => crashes <= MAX_CRASHES + 1

/** A run, job or mail that was given up. */
export interface GivenUp {
  kind: ClaimKind
  id: number
  environmentId: number
  givenUpAt: number
  /** Why, in words. */
  reason: string
  /** The waiting step of a run, the step of a mail, the kind of a job. */
  what: string
  /** Of a run or a mail. */
  campaignId: number | null
  campaignKey: string | null
  campaignName: string | null
  userId: string | null
  userName: string | null
}

export interface GivenUps {
  /** Counts an end of the process for the marked work, as far as it is still to be done; it is not due before `dueAt`. */
  recordCrashes(marks: WorkMark[], dueAt: number): Promise<void>
  /** Newest first, of one environment, or of all (null). */
  list(environmentId: number | null, limit: number): Promise<GivenUp[]>
  /** Counts what was given up, up to 1,000 of each kind. */
  count(): Promise<Record<ClaimKind, number>>
  /** Makes it due now, as if it had never been tried. @returns false when nothing of that id was given up */
  runAgain(environmentId: number, mark: Mark, now: number, audit?: AuditEntry): Promise<boolean>
  /** Removes it for good; the record of what happened stays. @returns false when nothing of that id was given up */
  drop(environmentId: number, mark: Mark, audit?: AuditEntry): Promise<boolean>
}
