// Reads an inbox: pages, changes since a seq with their ETag, the head.

import type { InboxChanges, InboxFilter, InboxHead, InboxPage } from '../../../contract/api.ts'
import type { Core } from '../../domain/core.ts'
import { toChanges } from '../../domain/delivery/inbox-change.ts'
import { type InboxOwner, toWire } from '../../domain/message.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'

const listOf = (userNo: number) => ({ list: 'inbox', of: userNo })

export interface PageQuery {
  filter: InboxFilter
  category?: string | undefined
  cursor?: string | undefined
  limit: number
}

export interface ChangesQuery {
  since: number
  epoch?: string | undefined
  /** The header `If-None-Match`. */
  ifNoneMatch?: string | undefined
}

export interface ReadInbox {
  /** @throws `request/invalid-query` for a cursor of another list */
  page(owner: InboxOwner, query: PageQuery): Promise<InboxPage>
  /** `body: null` when the caller's ETag is still valid (304). */
  changes(owner: InboxOwner, query: ChangesQuery): Promise<{ etag: string; body: InboxChanges | null }>
  head(owner: InboxOwner): Promise<InboxHead>
}

export function createReadInbox(deps: Pick<Core, 'inboxes' | 'clock'>): ReadInbox {
  const { inboxes, clock } = deps
  return {
    async page({ environmentId, userNo }, { filter, category, cursor, limit }) {
      const before = parseCursor(listOf(userNo), cursor)
      const position = { environmentId, userNo, filter, category: category ?? null, before, limit, now: clock.now() }
      const { messages, hasMore, head } = await inboxes.page(position)
      const last = messages.at(-1)
      const nextCursor = hasMore && last !== undefined ? encodeCursor(listOf(userNo), last.seq) : null
      return { data: messages.map(toWire), nextCursor, inbox: head }
    },

    async changes(owner, { since, epoch, ifNoneMatch }) {
      // The answer only changes with a new seq, so the head alone decides whether it is read.
      if (ifNoneMatch !== undefined) {
        const etag = etagOf(await inboxes.head(owner), since, epoch)
        if (isMatch(ifNoneMatch, etag)) return { etag, body: null }
      }
      const read = await inboxes.changes(owner, since, epoch ?? null)
      return { etag: etagOf(read.head, since, epoch), body: toChanges(read) }
    },

    head: (owner) => inboxes.head(owner),
  }
}

/** Includes the request's position: a tag for an older `since` or another epoch is never valid. */
function etagOf(head: InboxHead, since: number, epoch: string | undefined): string {
  const asked = epoch === undefined || epoch === head.epoch ? String(since) : 'reset'
  return `"${head.epoch}.${head.seq}.${asked}"`
}

function isMatch(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
