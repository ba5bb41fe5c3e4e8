// Catching up with inboxes: what sockets have missed, asked for many at a time so that no socket costs a query (contract section 5).

import type { ReadChanges } from './inbox-change.ts'

/** All after `since`, of this store's epoch. */
export interface MissedAsk {
  userNo: number
  since: number
}

export interface CatchUps {
  /** One statement for all, in their order. As `Inboxes.changes` answers each. */
  missed(asks: MissedAsk[]): Promise<ReadChanges[]>
}
