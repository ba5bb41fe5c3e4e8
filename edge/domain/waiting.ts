// Defines what waits to be done though its time has come: a provider that is away, or work that fails, makes it grow.

import type { ClaimKind } from './in-hand.ts'

export interface WaitingWork {
  /** Counted up to 1,000. */
  count: number
  /** Milliseconds that the oldest of them has waited, over all its attempts; 0 when nothing waits. */
  oldestMs: number
  /** What the last attempt of the oldest one that failed says; null when none failed. */
  error: string | null
}

export interface Waitings {
  read(now: number): Promise<Record<ClaimKind, WaitingWork>>
}
