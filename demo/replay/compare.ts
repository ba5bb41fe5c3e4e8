// Compares the messages named by traces with the inboxes. Returns each difference as a sentence.

import type { Inbox } from './inbox.ts'
import type { Sent, Trace } from './send.ts'

export interface UserCounts {
  userId: string
  /** Number of messages that the traces of this run name. */
  promised: number
  /** Number of these that are in the inbox exactly once. */
  found: number
  head: { unread: number; unopened: number }
  /** Both counts, computed from the messages. */
  counted: { unread: number; unopened: number }
  differences: string[]
}

export function compareUser(userId: string, sent: readonly Sent[], traces: readonly Trace[], inbox: Inbox): UserCounts {
  const promised = sent.flatMap((one, index) => (one.userId === userId ? (traces[index]?.messageIds ?? []) : []))
  const occurrences = new Map<string, number>()
  for (const id of [...inbox.messages.map((message) => message.id), ...inbox.asideIds])
    occurrences.set(id, (occurrences.get(id) ?? 0) + 1)
  const found = promised.filter((id) => occurrences.get(id) === 1).length
  const counted = {
    unread: inbox.messages.filter((message) => message.unopened && message.readAt === null).length,
    unopened: inbox.messages.filter((message) => message.unopened).length,
  }
  const differences = [
    ...(new Set(promised).size === promised.length ? [] : ['a message belongs to two events']),
    ...(found === promised.length ? [] : [`${promised.length - found} promised messages are not there exactly once`]),
    ...(counted.unread === inbox.head.unread
      ? []
      : [`unread: the server says ${inbox.head.unread}, its pages ${counted.unread}`]),
    ...(counted.unopened === inbox.head.unopened
      ? []
      : [`unopened: the server says ${inbox.head.unopened}, its pages ${counted.unopened}`]),
  ]
  return {
    userId,
    promised: promised.length,
    found,
    head: { unread: inbox.head.unread, unopened: inbox.head.unopened },
    counted,
    differences,
  }
}

/** Finds messages that a reader would not understand: no title, gaps for missing values, no link or no picture. */
export function findUnreadable(inboxes: readonly Inbox[]): string[] {
  return inboxes.flatMap(({ messages }) =>
    messages
      .filter((message) => isGappy(message.title) || message.link === null || message.icon === null)
      .map(({ id, title }) => `${id} “${title}”`),
  )
}

function isGappy(text: string): boolean {
  return text.trim() === '' || / {2}|^\s|\s$|#(?!\d)|: ?$|\[object|undefined|null\b/.test(text)
}
