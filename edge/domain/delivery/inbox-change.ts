// Changes of an inbox on their way to the wire: what was read from the log, and what a commit has just pushed (contract section 5).

import type { InboxChange, InboxChanges, InboxHead, InboxMessage, MessageContent } from '../../../contract/api.ts'
import type { InboxFrame } from '../../../contract/frames.ts'
import { formatId } from '../../lib/id.ts'
import { type StoredChange, toWire } from '../message.ts'
import type { InboxPush, NewMessage } from '../plan.ts'

/** What `Inboxes.changes` reads. */
export interface ReadChanges {
  head: InboxHead
  changes: StoredChange[]
  reset: boolean
}

/** `GET /v1/inbox/changes` and the acknowledgement of `sync`. */
export function toChanges({ head, changes, reset }: ReadChanges): InboxChanges {
  return { ...head, changes: changes.map(toWireChange), reset }
}

/** The frame that brings what was read after `since`. */
export function frameOfRead({ head, changes, reset }: ReadChanges, since: number): InboxFrame {
  return reset ? resetFrame(head) : { ...head, from: since, changes: changes.map(toWireChange) }
}

/** Read the pages anew. */
export function resetFrame({ epoch, seq, unread, unopened }: InboxHead): InboxFrame {
  return { epoch, seq, unread, unopened, from: seq, changes: [], reset: true }
}

/** The heads alone: nothing changed, but a client that is behind will notice. */
export function headFrame({ epoch, seq, unread, unopened }: InboxHead): InboxFrame {
  return { epoch, seq, unread, unopened, from: seq, changes: [] }
}

/** The frame of a commit. A reset also when an `add` came without its message. */
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

/** The part of a frame that comes after `seq`. */
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
