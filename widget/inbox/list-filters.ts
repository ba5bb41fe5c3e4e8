// What belongs into which list of the inbox.

import type { InboxFilter, InboxMessage } from '../../contract/api.ts'
import type { ListName } from './core-types.ts'

type Shows = (message: InboxMessage) => boolean

export const LIST_FILTERS: Record<InboxFilter, Shows> = {
  all: (m) => m.archivedAt === null && m.snoozedUntil === null,
  unopened: (m) => LIST_FILTERS.all(m) && m.unopened,
  archived: (m) => m.archivedAt !== null,
  snoozed: (m) => m.archivedAt === null && m.snoozedUntil !== null,
}

/** What belongs into a list. */
export function filterOf(name: ListName): Shows {
  if (name in LIST_FILTERS) return LIST_FILTERS[name as InboxFilter]
  return (message) => LIST_FILTERS.all(message) && `category:${message.category}` === name
}
