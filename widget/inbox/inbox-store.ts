// The messages that this page knows, its lists by filter, and the changes that wait for the server's word (contract section 5). No DOM, no network.

import type { InboxChange, InboxFilter, InboxMessage, InboxPage, MessagePatch } from '../../contract/api.ts'
import type { Counts } from './change-log.ts'
import type { ListName } from './core-types.ts'

/** How far a list is loaded: everything down to this seq; `cursor` leads on, null at its end. */
interface ListEnd {
  floor: number
  cursor: string | null
}

/** What is kept over a reload. */
export interface StoredList {
  messages: InboxMessage[]
  end: ListEnd
}

/** A change that is shown before the server has confirmed it. */
interface Pending {
  patches: ReadonlyMap<string, MessagePatch | 'removed'>
  /** Set by "mark all as read": everything up to this seq counts no more. */
  upTo: number | null
}

export interface InboxStore {
  /** What arrived, oldest first; `isStale` when a change names a message that a list lacks. */
  apply(changes: InboxChange[]): { arrived: InboxMessage[]; isStale: boolean }
  /** Adds a page; `isFirst` replaces what the list had. */
  addPage(filter: ListName, page: InboxPage, isFirst: boolean): void
  /** Newest first, as the user shall see them. Undefined before its first page. */
  list(filter: ListName): InboxMessage[] | undefined
  cursor(filter: ListName): string | null
  find(id: string): InboxMessage | undefined
  /** Shows a change at once; answers its handle. */
  begin(ids: string[], patch: MessagePatch | 'removed', upTo?: number): number
  /** The server took it: it becomes the truth, but for what a frame has told since. `seq` is where the answer stands. */
  confirm(handle: number, answer?: { seq: number; message?: InboxMessage | undefined }): void
  /** The server refused it: as before. */
  rollback(handle: number): void
  /** The server's counts with what is still on its way. */
  counts(server: Counts): Counts
  toStored(maxMessages: number): StoredList | undefined
  restore(stored: StoredList): void
  /** What is there stays in view until the next first page takes its place (a reset). */
  expire(): void
  clear(): void
}

const SHOWS: Record<InboxFilter, (message: InboxMessage) => boolean> = {
  all: (m) => m.archivedAt === null && m.snoozedUntil === null,
  unopened: (m) => SHOWS.all(m) && m.unopened,
  archived: (m) => m.archivedAt !== null,
  snoozed: (m) => m.archivedAt === null && m.snoozedUntil !== null,
}

/** What belongs into a list. */
function showsOf(name: ListName): (message: InboxMessage) => boolean {
  if (name in SHOWS) return SHOWS[name as InboxFilter]
  return (message) => SHOWS.all(message) && `category:${message.category}` === name
}

export function createInboxStore(): InboxStore {
  const known = new Map<string, InboxMessage>()
  /** The last change of a message: a page that was read before it must not undo it. */
  const changedAt = new Map<string, number>()
  const ends = new Map<ListName, ListEnd[]>()
  const pending = new Map<number, Pending>()
  let lastHandle = 0
  let isExpired = false

  const shown = (message: InboxMessage): InboxMessage | undefined => {
    let result = message
    for (const { patches, upTo } of pending.values()) {
      const patch = patches.get(message.id)
      if (patch === 'removed') return undefined
      if (patch !== undefined) result = { ...result, ...patch }
      if (upTo !== null && message.seq <= upTo && result.unopened) result = { ...result, unopened: false }
    }
    return result
  }

  const apply = (change: InboxChange): { arrived?: InboxMessage; isStale?: boolean } => {
    if (change.op === 'add') {
      const isNew = !known.has(change.message.id)
      known.set(change.message.id, change.message)
      changedAt.set(change.message.id, change.seq)
      return isNew ? { arrived: change.message } : {}
    }
    // An answer has brought the message as it is after this change: its frame comes late.
    if (change.op === 'update' && (changedAt.get(change.id) ?? 0) >= change.seq) return {}
    changedAt.set(change.id, change.seq)
    if (change.op === 'remove') known.delete(change.id)
    const before = known.get(change.id)
    if (change.op === 'update' && before !== undefined) known.set(change.id, { ...before, ...change.patch })
    // Back from the archive or from a snooze: it belongs into a list, but this page has never seen it.
    const returns = change.op === 'update' && (change.patch.archivedAt === null || change.patch.snoozedUntil === null)
    return { isStale: returns && before === undefined }
  }

  const list = (filter: ListName): InboxMessage[] | undefined => {
    const end = ends.get(filter)?.at(-1)
    if (end === undefined) return undefined
    return [...known.values()]
      .filter((message) => message.seq >= end.floor)
      .flatMap((message) => shown(message) ?? [])
      .filter(showsOf(filter))
      .sort((a, b) => b.seq - a.seq)
  }

  return {
    list,
    cursor: (filter) => ends.get(filter)?.at(-1)?.cursor ?? null,
    find: (id) => {
      const message = known.get(id)
      return message && shown(message)
    },
    apply: (changes) => {
      const results = changes.map(apply)
      return { arrived: results.flatMap((r) => r.arrived ?? []), isStale: results.some((r) => r.isStale === true) }
    },
    addPage: (filter, page, isFirst) => {
      if (isExpired && isFirst) {
        isExpired = false
        ends.clear()
        // What arrived while the page was on its way is newer than the page.
        for (const id of known.keys()) if ((changedAt.get(id) ?? 0) <= page.inbox.seq) known.delete(id)
      }
      for (const message of page.data) {
        if ((changedAt.get(message.id) ?? 0) <= page.inbox.seq) known.set(message.id, message)
      }
      const floor = page.nextCursor === null ? 0 : (page.data.at(-1)?.seq ?? 0)
      ends.set(filter, [...(isFirst ? [] : (ends.get(filter) ?? [])), { floor, cursor: page.nextCursor }])
    },
    begin: (ids, patch, upTo) => {
      pending.set(++lastHandle, { patches: new Map(ids.map((id) => [id, patch])), upTo: upTo ?? null })
      return lastHandle
    },
    confirm: (handle, { seq, message } = { seq: Number.POSITIVE_INFINITY }) => {
      const change = pending.get(handle)
      pending.delete(handle)
      const isTold = (id: string): boolean => (changedAt.get(id) ?? 0) > seq
      for (const [id, patch] of change?.patches ?? []) {
        const before = known.get(id)
        if (patch === 'removed') known.delete(id)
        else if (before !== undefined && !isTold(id)) known.set(id, { ...before, ...patch })
      }
      const upTo = change?.upTo ?? -1
      for (const [id, before] of known) {
        if (before.seq <= upTo && before.unopened && !isTold(id)) known.set(id, { ...before, unopened: false })
      }
      if (message === undefined || !known.has(message.id) || isTold(message.id)) return
      known.set(message.id, message)
      changedAt.set(message.id, seq)
    },
    rollback: (handle) => {
      pending.delete(handle)
    },
    counts: (server) => adjusted(server, known, pending, shown),
    toStored: (maxMessages) => {
      const all = [...known.values()].sort((a, b) => b.seq - a.seq)
      const end = ends.get('all')?.findLast(({ floor }) => all.filter((m) => m.seq >= floor).length <= maxMessages)
      return end && { messages: all.filter((message) => message.seq >= end.floor), end }
    },
    restore: ({ messages, end }) => {
      for (const message of messages) known.set(message.id, message)
      ends.set('all', [end])
    },
    expire: () => {
      isExpired = true
      changedAt.clear()
    },
    clear: () => {
      isExpired = false
      known.clear()
      changedAt.clear()
      ends.clear()
    },
  }
}

function countsOf(message: InboxMessage | undefined): Counts {
  const unopened = message !== undefined && SHOWS.unopened(message)
  return { unread: unopened && message.readAt === null ? 1 : 0, unopened: unopened ? 1 : 0 }
}

function adjusted(
  server: Counts,
  known: ReadonlyMap<string, InboxMessage>,
  pending: ReadonlyMap<number, Pending>,
  shown: (message: InboxMessage) => InboxMessage | undefined,
): Counts {
  if (pending.size === 0) return server
  const upTo = Math.max(...[...pending.values()].map((change) => change.upTo ?? -1))
  let { unread, unopened } = upTo >= 0 ? { unread: 0, unopened: 0 } : server
  for (const message of known.values()) {
    const [before, after] = [countsOf(upTo >= 0 ? undefined : message), countsOf(shown(message))]
    unread += after.unread - before.unread
    unopened += after.unopened - before.unopened
  }
  return { unread: Math.max(0, unread), unopened: Math.max(0, unopened) }
}
