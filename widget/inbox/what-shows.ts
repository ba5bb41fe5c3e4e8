// What belongs into which list of the inbox.

import type { InboxFilter, InboxMessage } from '../../contract/api.ts'
import type { ListName } from './core-types.ts'

type Shows = (message: InboxMessage) => boolean

export const SHOWS: Record<InboxFilter, Shows> = {
  all: (m) => m.archivedAt === null && m.snoozedUntil === null,
  unopened: (m) => SHOWS.all(m) && m.unopened,
  archived: (m) => m.archivedAt !== null,
  snoozed: (m) => m.archivedAt === null && m.snoozedUntil !== null,
}

/** What belongs into a list. */
export function showsOf(name: ListName): Shows {
  if (name in SHOWS) return SHOWS[name as InboxFilter]
  return (message) => SHOWS.all(message) && `category:${message.category}` === name
}
