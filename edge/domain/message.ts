// The message: one recipient on one channel; its inbox state and how state becomes counts (contract section 5).

import type { InboxFilter, InboxHead, InboxMessage, MessageContent, MessagePatch } from '../../contract/api.ts'
import { toIso } from '../lib/clock.ts'
import { formatId } from '../lib/id.ts'

/** What of a message changes and decides its place and its share in the counts. Instants are epoch milliseconds. */
export interface InboxState {
  unopened: boolean
  readAt: number | null
  openedAt: number | null
  clickedAt: number | null
  archivedAt: number | null
  snoozedUntil: number | null
  /** Gone from the inbox: deleted by the user, expired, replaced or purged. */
  removedAt: number | null
}

/** A message as the inbox reads it. */
export interface StoredMessage extends InboxState {
  id: number
  seq: number
  content: MessageContent
  createdAt: number
  expiresAt: number | null
}

/** How many this message adds to the badge (`unread`) and to the "Unread" tab (`unopened`). */
export function countsOf(state: InboxState): { unread: 0 | 1; unopened: 0 | 1 } {
  const visible = state.archivedAt === null && state.snoozedUntil === null && state.removedAt === null
  const unopened = visible && state.unopened
  return { unread: unopened && state.readAt === null ? 1 : 0, unopened: unopened ? 1 : 0 }
}

/** The wire patch between two states: only what differs. */
export function patchBetween(before: InboxState, after: InboxState): MessagePatch {
  const patch: MessagePatch = {}
  if (before.unopened !== after.unopened) patch.unopened = after.unopened
  for (const key of ['readAt', 'openedAt', 'clickedAt', 'archivedAt', 'snoozedUntil'] as const) {
    if (before[key] !== after[key]) patch[key] = toIso(after[key])
  }
  return patch
}

/** The message as the wire shows it. */
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

export interface InboxPosition {
  userNo: number
  filter: InboxFilter
  category: string | null
  /** The seq that the page ends at (exclusive); null at the newest. */
  before: number | null
  limit: number
  now: number
}

/** A change as stored; `add` carries the message as it is now. */
export type StoredChange =
  | { seq: number; op: 'add'; message: StoredMessage }
  | { seq: number; op: 'update'; messageId: number; patch: MessagePatch }
  | { seq: number; op: 'remove'; messageId: number }

/** A message whose snooze (`wake`) or life (`expire`) is over. */
export interface DueMessage {
  environmentId: number
  userNo: number
  messageId: number
  due: 'expire' | 'wake'
}

export interface Inboxes {
  /** Zeroes for a user who never had a message. */
  head(userNo: number): Promise<InboxHead>
  /** One query for many (the 25 s tick). */
  heads(userNos: number[]): Promise<Map<number, InboxHead>>
  /** Newest first; the head is of the same read transaction. */
  page(position: InboxPosition): Promise<{ messages: StoredMessage[]; head: InboxHead }>
  /** In order, all after `since`; `reset` when that is too old, from the future or of another epoch. */
  changes(
    userNo: number,
    since: number,
    epoch: string | null,
  ): Promise<{ head: InboxHead; changes: StoredChange[]; reset: boolean }>
  find(userNo: number, messageId: number): Promise<StoredMessage | undefined>
  /** Messages whose snooze or life ends by `now`: what the expiry job turns into changes. */
  listDue(now: number, limit: number): Promise<DueMessage[]>
  /** Ids of a user's messages of an entity (for `mark-read`). */
  listOfEntity(userNo: number, entity: string, limit: number): Promise<number[]>
  /** Of each run, the ids of the steps whose inbox message its user has seen: read, or marked as read here or elsewhere. Runs without one are absent. */
  findSeenSteps(runIds: number[]): Promise<Map<number, Set<string>>>
}
