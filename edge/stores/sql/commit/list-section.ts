// Maps the state of a message to the list section that contains it: the column `section`, part of the index
// (user_no, section, seq).

import type { InboxState } from '../../../domain/message.ts'

export const SECTION = {
  /** Opened or not: a report must not change what an index contains. */
  listed: 0,
  archived: 1,
  snoozed: 2,
  removed: 3,
  /** For messages that were never in an inbox: of another channel, or not delivered. */
  none: 4,
} as const

/** @returns The section of a message that is or was in an inbox. A message that is archived and snoozed is archived. */
export function sectionOf(state: InboxState): number {
  if (state.removedAt !== null) return SECTION.removed
  if (state.archivedAt !== null) return SECTION.archived
  if (state.snoozedUntil !== null) return SECTION.snoozed
  return SECTION.listed
}

/** @returns When the snooze or the lifetime of a message in an inbox ends, whichever is first; null when neither does. */
export function dueAtOf(state: InboxState, expiresAt: number | null): number | null {
  if (state.removedAt !== null) return null
  const ends = [expiresAt, state.snoozedUntil].filter((at) => at !== null)
  return ends.length === 0 ? null : Math.min(...ends)
}
