// Converts changes of an inbox to wire shapes: those read from the log, and those of a commit.

import type { InboxChange, InboxChanges, InboxHead, InboxMessage, MessageContent } from '../../../contract/api.ts'
import type { InboxFrame } from '../../../contract/frames.ts'
import { formatId } from '../../lib/id.ts'
import { type StoredChange, toWire } from '../message.ts'
import type { InboxPush, NewMessage } from '../plan.ts'

/** The result of `Inboxes.changes`. */
export interface ReadChanges {
  head: InboxHead
  changes: StoredChange[]
  reset: boolean
}

/** Builds the answer of `GET /v1/inbox/changes`, which is also the acknowledgement of `sync`. */
export function toChanges({ head, changes, reset }: ReadChanges): InboxChanges {
  return { ...head, changes: changes.map(toWireChange), reset }
}

/** Builds a frame of the changes that were read after `since`. */
export function frameOfRead({ head, changes, reset }: ReadChanges, since: number): InboxFrame {
  return reset ? resetFrame(head) : { ...head, from: since, changes: changes.map(toWireChange) }
}

/** Builds a frame that makes the client read the pages again. */
export function resetFrame({ epoch, seq, unread, unopened }: InboxHead): InboxFrame {
  return { epoch, seq, unread, unopened, from: seq, changes: [], reset: true }
}

/** Builds a frame without changes; a client that is behind notices it by the head. */
export function headFrame({ epoch, seq, unread, unopened }: InboxHead): InboxFrame {
  return { epoch, seq, unread, unopened, from: seq, changes: [] }
}

/** Builds the frame of a commit; a reset when the message of an `add` is missing. */
export function frameOfPush(push: InboxPush, added: NewMessage[]): InboxFrame {
  if (push.reset) return resetFrame(push)
  const { epoch, from, seq, unread, unopened } = push
  const changes: InboxChange[] = []
  for (const change of push.changes) {
    if (change.op === 'remove') {
      changes.push({ seq: change.seq, op: 'remove', id: formatId('message', change.messageId) })
    } else if (change.op === 'update') {
      const id = formatId('message', change.messageId)
      changes.push({ seq: change.seq, op: 'update', id, patch: change.patch })
    } else {
      const message = added.find(({ id }) => id === change.messageId)
      if (message === undefined) return resetFrame(push)
      changes.push({ seq: change.seq, op: 'add', message: newToWire(message, change.seq) })
    }
  }
  return { epoch, from, seq, unread, unopened, changes }
}

/** Returns the part of a frame after `seq`. */
export function cutFrame(frame: InboxFrame, seq: number): InboxFrame {
  return { ...frame, from: seq, changes: frame.changes.filter((change) => change.seq > seq) }
}

function toWireChange(change: StoredChange): InboxChange {
  const { seq } = change
  if (change.op === 'add') return { seq, op: 'add', message: toWire(change.message) }
  const id = formatId('message', change.messageId)
  return change.op === 'update' ? { seq, op: 'update', id, patch: change.patch } : { seq, op: 'remove', id }
}

function newToWire(message: NewMessage, seq: number): InboxMessage {
  return toWire({
    id: message.id,
    seq,
    content: JSON.parse(message.snapshot) as MessageContent,
    createdAt: message.createdAt,
    expiresAt: message.expiresAt,
    unopened: true,
    readAt: null,
    openedAt: null,
    clickedAt: null,
    archivedAt: null,
    snoozedUntil: null,
    removedAt: null,
  })
}
