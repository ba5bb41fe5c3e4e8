// Declares the read of changes that sockets have missed: for many at a time, so that no socket costs a query.

import type { InboxOwner } from '../message.ts'
import type { ReadChanges } from './inbox-change.ts'

/** Reads the changes after `since`, of this store's epoch. */
export interface MissedQuery extends InboxOwner {
  since: number
  /** How many changes that are, as far as the caller knows: the messages of many are weighed before they are read. */
  count: number
}

export interface CatchUps {
  /** Reads all in one statement. @returns the results of `Inboxes.changes`, in the order of the positions */
  missed(asks: MissedQuery[]): Promise<ReadChanges[]>
}
