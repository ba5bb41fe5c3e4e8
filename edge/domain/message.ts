// Defines the message: one recipient on one channel, with its inbox state and its share in the counts.

import type { InboxFilter, InboxHead, InboxMessage, MessageContent, MessagePatch } from '../../contract/api.ts'
import { toIso } from '../lib/clock.ts'
import { formatId } from '../lib/id.ts'

/** The changing state of a message, which decides its list section and its counts. Instants are epoch milliseconds. */
export interface InboxState {
  unopened: boolean
  readAt: number | null
  openedAt: number | null
  clickedAt: number | null
  archivedAt: number | null
  snoozedUntil: number | null
  /** Removed from the inbox: deleted by the user, expired, replaced or purged. */
  removedAt: number | null
}

/** A message as the inbox returns it. */
export interface StoredMessage extends InboxState {
  id: number
  seq: number
  content: MessageContent
  createdAt: number
  expiresAt: number | null
}

/** Returns the share of this message in the badge (`unread`) and in the "Unread" tab (`unopened`). */
export function countsOf(state: InboxState): { unread: 0 | 1; unopened: 0 | 1 } {
  const visible = state.archivedAt === null && state.snoozedUntil === null && state.removedAt === null
  const unopened = visible && state.unopened
  return { unread: unopened && state.readAt === null ? 1 : 0, unopened: unopened ? 1 : 0 }
}

/** Returns the wire patch between two states: the changed fields only. */
export function patchBetween(before: InboxState, after: InboxState): MessagePatch {
  const patch: MessagePatch = {}
  if (before.unopened !== after.unopened) patch.unopened = after.unopened
  for (const key of ['readAt', 'openedAt', 'clickedAt', 'archivedAt', 'snoozedUntil'] as const) {
    if (before[key] !== after[key]) patch[key] = toIso(after[key])
  }
  return patch
}

/** Returns the message in its wire shape. */
export function toWire(stored: StoredMessage): InboxMessage {
  return {
    id: formatId('message', stored.id),
    seq: stored.seq,
    ...stored.content,
    createdAt: toIso(stored.createdAt),
    expiresAt: toIso(stored.expiresAt),
    unopened: stored.unopened,
    readAt: toIso(stored.readAt),
    openedAt: toIso(stored.openedAt),
    clickedAt: toIso(stored.clickedAt),
    archivedAt: toIso(stored.archivedAt),
    snoozedUntil: toIso(stored.snoozedUntil),
  }
}

/** The user whose inbox it is. User numbers are unique in the store. */
export interface InboxOwner {
  environmentId: number
  userNo: number
}

export interface InboxPosition extends InboxOwner {
  filter: InboxFilter
  category: string | null
  /** The seq at which the page ends (exclusive); null for the newest page. */
  before: number | null
  limit: number
  now: number
}

/** A change as stored; `add` contains the current message. */
export type StoredChange =
  | { seq: number; op: 'add'; message: StoredMessage }
  | { seq: number; op: 'update'; messageId: number; patch: MessagePatch }
  | { seq: number; op: 'remove'; messageId: number }

/** A message whose snooze (`wake`) or lifetime (`expire`) is over. */
export interface DueMessage extends InboxOwner {
  messageId: number
  due: 'expire' | 'end-snooze'
}

export interface Inboxes {
  /** Zeroes for a user who never had a message. */
  head(owner: InboxOwner): Promise<InboxHead>
  /** Reads many heads in one query, for the broadcast every 25 s. @returns the heads by user number */
  heads(owners: InboxOwner[]): Promise<Map<number, InboxHead>>
  /**
   * Reads a page, newest first, with the head of the same read transaction: up to `limit` messages of about 1 MiB.
   * `hasMore`: older ones follow.
   */
  page(position: InboxPosition): Promise<{ messages: StoredMessage[]; hasMore: boolean; head: InboxHead }>
  /** Reads the changes after `since` in order; `reset` when it is too old, in the future, of another epoch, or too much to read. */
  changes(
    owner: InboxOwner,
    since: number,
    epoch: string | null,
  ): Promise<{ head: InboxHead; changes: StoredChange[]; reset: boolean }>
  find(owner: InboxOwner, messageId: number): Promise<StoredMessage | undefined>
  /** Reads messages whose snooze or lifetime ends by `now`, which the expiry task turns into changes. */
  listDue(now: number, limit: number): Promise<DueMessage[]>
  /** Returns the ids of a user's messages of an entity (for `mark-read`). */
  listOfEntity(owner: InboxOwner, entity: string, limit: number): Promise<number[]>
  /**
   * Returns for each run the ids of steps whose inbox message the user has read, or that was marked as read. Runs
   * without one are absent.
   */
  findSeenSteps(runIds: number[]): Promise<Map<number, Set<string>>>
}
