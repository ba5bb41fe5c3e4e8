// The shelf: where the inbox shows a message, as one number that the index (user_no, shelf, seq) begins with.

import type { InboxState } from '../../../domain/message.ts'

export const SHELF = {
  /** In the list, with its dot. */
  unopened: 0,
  opened: 1,
  archived: 2,
  snoozed: 3,
  removed: 4,
  /** Never in an inbox: another channel, or not delivered. */
  none: 5,
} as const

/** The shelf of a message that is (or was) in an inbox. An archived one that is also snoozed stays with the archived. */
export function shelfOf(state: InboxState): number {
  if (state.removedAt !== null) return SHELF.removed
  if (state.archivedAt !== null) return SHELF.archived
  if (state.snoozedUntil !== null) return SHELF.snoozed
  return state.unopened ? SHELF.unopened : SHELF.opened
}
