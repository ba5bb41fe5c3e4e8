// Maps the state of a message to the list section that contains it: the column `section`, part of the index
// (user_no, section, seq).

import type { InboxState } from '../../../domain/message.ts'

export const SECTION = {
  /** In the list, marked as unopened. */
  unopened: 0,
  opened: 1,
  archived: 2,
  snoozed: 3,
  removed: 4,
  /** For messages that were never in an inbox: of another channel, or not delivered. */
  none: 5,
} as const

/** @returns The section of a message that is or was in an inbox. A message that is archived and snoozed is archived. */
export function sectionOf(state: InboxState): number {
  if (state.removedAt !== null) return SECTION.removed
  if (state.archivedAt !== null) return SECTION.archived
  if (state.snoozedUntil !== null) return SECTION.snoozed
  return state.unopened ? SECTION.unopened : SECTION.opened
}
