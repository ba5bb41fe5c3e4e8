// What is kept in this browser over a reload. Other versions read it too: names here are never shortened.

import type { InboxChange, InboxHead, InboxMessage } from '../../contract/api.ts'

/** One user's inbox as it was last seen. */
export interface StoredInbox {
  /** As the service named the user: a token may have become another's. */
  userId: string | undefined
  head: InboxHead
  /** The last changes before `head`, oldest first. */
  changes: InboxChange[]
  list: StoredList
}

/** How far a list is loaded: everything down to this seq; `cursor` leads on, null at its end, empty when it was not kept. */
export interface ListEnd {
  floor: number
  cursor: string | null
}

/** What is kept over a reload. */
export interface StoredList {
  messages: InboxMessage[]
  end: ListEnd
}
