// Defines a doubt, what was accepted and cannot have been meant, and the port that keeps doubts.

import type { DoubtKind, DoubtSubject } from '../../contract/doubt.ts'

/** A doubt as it arises. Doubts of one kind, subject and message are counted as one. */
export interface Doubt {
  kind: DoubtKind
  subject: { type: DoubtSubject; id: string }
  /** Without values of events and profiles: those are in the example. */
  message: string
  /** A value's path and kind, or a short value; null without one. */
  example: string | null
  /** Whose data the example has; an erasure of this user removes it. */
  userId: string | null
}

/** A doubt that arose `count` times. */
export interface CountedDoubt extends Doubt {
  environmentId: number
  count: number
  /** Epoch ms. */
  firstAt: number
  lastAt: number
}

export interface KeptDoubt extends Omit<CountedDoubt, 'userId'> {
  /** Such as `dbt_` and 32 hex digits. */
  id: string
  /** The place in the list: rises with `lastAt`. */
  place: number
}

export interface DoubtFilter {
  kind?: DoubtKind | undefined
  subjectType?: DoubtSubject | undefined
  subjectId?: string | undefined
}

/** Of an environment; beyond it, those go that arose longest ago. */
export const DOUBTS_KEPT = 1000
/** A doubt that did not arise again ends. */
export const DOUBTS_KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Records a doubt. Never waits and never fails: nothing depends on the count. */
export type RecordDoubt = (environmentId: number, doubt: Doubt) => void

export interface Doubts {
  /**
   * Adds to the counts of doubts that are there. The example of a user who is gone is left out, and so is a doubt about
   * such a user.
   */
  add(doubts: CountedDoubt[]): Promise<void>
  /** Newest first; `before`: the place of the last one read (null at the newest). */
  listPage(environmentId: number, filter: DoubtFilter, before: number | null, limit: number): Promise<KeptDoubt[]>
  /** Of one environment, or of all (null). */
  count(environmentId: number | null): Promise<number>
  /** @returns false when there is no such doubt in the environment */
  dismiss(environmentId: number, id: string): Promise<boolean>
  /** Removes those that arose last before then (epoch ms). */
  purge(before: number): Promise<void>
}
