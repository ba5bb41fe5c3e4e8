// The messages that this page knows, its lists by filter, and the changes that wait for the server's word (contract section 5). No DOM, no network.

import type { InboxChange, InboxFilter, InboxMessage, InboxPage, MessagePatch } from '../../contract/api.ts'
import type { Counts } from './change-log.ts'
import type { ListName } from './core-types.ts'

/** How far a list is loaded: everything down to this seq; `cursor` leads on, null at its end, empty when it was not kept. */
interface ListEnd {
  floor: number
  cursor: string | null
}

/** What is kept over a reload. */
export interface StoredList {
  messages: InboxMessage[]
  end: ListEnd
}

/** A change that is shown before the log tells it. */
interface Pending {
  patches: ReadonlyMap<string, MessagePatch | 'removed'>
  /** Set by "mark all as read": everything up to this seq counts no more. */
  upTo: number | null
  /** The server took it: its counts have it already, and the log will by this seq. */
  settledSeq?: number
}

export interface InboxStore {
  /** What arrived, oldest first, and the lists that lack a message which a change names. The log stands at `seq` then. */
  apply(changes: InboxChange[], seq: number): { arrived: InboxMessage[]; stale: ListName[] }
  /** False for a page without the change that the log has told of a message which only the page has. */
  fits(page: InboxPage): boolean
  /** Adds a page; `isFirst` replaces what the list had. */
  addPage(filter: ListName, page: InboxPage, isFirst: boolean): void
  /** Newest first, as the user shall see them; the same array until something changes. Undefined before its first page. */
  list(filter: ListName): InboxMessage[] | undefined
  cursor(filter: ListName): string | null
  find(id: string): InboxMessage | undefined
  /** As the server has it. */
  known(id: string): InboxMessage | undefined
  /** Shows a change at once; answers its handle. */
  begin(ids: string[], patch: MessagePatch | 'removed', upTo?: number): number
  /** The server took it, and the log will tell by `seq`: what this page knows of messages comes from there alone. */
  settle(handle: number, seq: number): void
  /** The server refused it, or it is known: as before. */
  drop(handle: number): void
  /** The server's counts with what is still on its way. */
  counts(server: Counts): Counts
  /** The newest ones, at whole pages where that is possible. */
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

/** Changes of messages that this page does not know, remembered for pages that are on their way. */
const TOUCHED = 1_000

export function createInboxStore(): InboxStore {
  const known = new Map<string, InboxMessage>()
  /** The last change of a message: a page that was read before it must not undo it. */
  const changedAt = new Map<string, number>()
  const ends = new Map<ListName, ListEnd[]>()
  const pending = new Map<number, Pending>()
  let lastHandle = 0
  let isExpired = false

  /** `isCounted`: only with what the server's counts have already. */
  const shown = (message: InboxMessage, isCounted = false): InboxMessage | undefined => {
    let result = message
    for (const { patches, upTo, settledSeq } of pending.values()) {
      if (isCounted && settledSeq === undefined) continue
      const patch = patches.get(message.id)
      if (patch === 'removed') return undefined
      if (patch !== undefined) result = { ...result, ...patch }
      if (upTo !== null && message.seq <= upTo && result.unopened) result = { ...result, unopened: false }
    }
    return result
  }

  const touch = (id: string, seq: number): void => {
    changedAt.delete(id)
    changedAt.set(id, seq)
    // The oldest go: no page is on its way for so long.
    if (changedAt.size > known.size + TOUCHED) changedAt.delete(changedAt.keys().next().value ?? '')
  }
  const isNews = (id: string, seq: number): boolean => (changedAt.get(id) ?? 0) < seq

  /** The lists that it may have come into, although this page has never seen it. */
  const listsOf = ({ archivedAt, snoozedUntil, unopened }: MessagePatch): InboxFilter[] => [
    ...(archivedAt === null || snoozedUntil === null ? (['all', 'unopened', 'snoozed'] as const) : []),
    ...(unopened === true ? (['unopened'] as const) : []),
    ...(archivedAt ? (['archived'] as const) : []),
    ...(snoozedUntil ? (['snoozed'] as const) : []),
  ]

  const apply = (change: InboxChange): { arrived?: InboxMessage; stale?: InboxFilter[] } => {
    const id = change.op === 'add' ? change.message.id : change.id
    // A page has brought the message as it is after this change.
    if (!isNews(id, change.seq)) return {}
    touch(id, change.seq)
    const before = known.get(id)
    if (change.op === 'add') {
      known.set(id, change.message)
      return before === undefined ? { arrived: change.message } : {}
    }
    if (change.op === 'remove') known.delete(id)
    else if (before !== undefined) known.set(id, { ...before, ...change.patch })
    else return { stale: listsOf(change.patch) }
    return {}
  }

  /** What the log has told is no longer on its way. */
  const forget = (seq: number): void => {
    for (const [handle, { settledSeq }] of pending) {
      if (settledSeq !== undefined && settledSeq <= seq) pending.delete(handle)
    }
  }

  /** Lists are asked for at each drawing and are long: made once between two changes. */
  const memo = new Map<ListName, InboxMessage[]>()
  const list = (filter: ListName): InboxMessage[] | undefined => {
    const end = ends.get(filter)?.at(-1)
    if (end === undefined) return undefined
    const made =
      memo.get(filter) ??
      [...known.values()]
        .filter((message) => message.seq >= end.floor)
        .flatMap((message) => shown(message) ?? [])
        .filter(showsOf(filter))
        .sort((a, b) => b.seq - a.seq)
    memo.set(filter, made)
    return made
  }

  return {
    list,
    cursor: (filter) => ends.get(filter)?.at(-1)?.cursor ?? null,
    find: (id) => {
      const message = known.get(id)
      return message && shown(message)
    },
    known: (id) => known.get(id),
    apply: (changes, seq) => {
      memo.clear()
      const results = changes.map(apply)
      if (!isExpired) forget(seq)
      const may = new Set<string>(results.flatMap((result) => result.stale ?? []))
      // A category's list is a part of all.
      const stale = [...ends.keys()].filter((name) => may.has(name in SHOWS ? name : 'all'))
      return { arrived: results.flatMap((result) => result.arrived ?? []), stale }
    },
    fits: ({ data, inbox }) => data.every(({ id }) => known.has(id) || isNews(id, inbox.seq + 1)),
    addPage: (filter, { data, nextCursor, inbox: { seq } }, isFirst) => {
      memo.clear()
      if (isExpired && isFirst && filter === 'all') {
        isExpired = false
        ends.clear()
        // What arrived while the page was on its way is newer than the page.
        for (const id of known.keys()) if (isNews(id, seq + 1)) known.delete(id)
        forget(seq)
      }
      for (const message of data) {
        if (!isNews(message.id, seq + 1)) continue
        known.set(message.id, message)
        touch(message.id, seq)
      }
      const floor = nextCursor === null ? 0 : (data.at(-1)?.seq ?? 0)
      ends.set(filter, [...(isFirst ? [] : (ends.get(filter) ?? [])), { floor, cursor: nextCursor }])
    },
    begin: (ids, patch, upTo) => {
      memo.clear()
      pending.set(++lastHandle, { patches: new Map(ids.map((id) => [id, patch])), upTo: upTo ?? null })
      return lastHandle
    },
    settle: (handle, seq) => {
      const change = pending.get(handle)
      if (change !== undefined) change.settledSeq = seq
    },
    drop: (handle) => {
      memo.clear()
      pending.delete(handle)
    },
    counts: (server) => adjusted(server, known, pending, shown),
    toStored: (maxMessages) => {
      const loaded = ends.get('all')
      const all = [...known.values()].sort((a, b) => b.seq - a.seq)
      const end = loaded?.findLast(({ floor }) => all.filter((m) => m.seq >= floor).length <= maxMessages)
      // What waits for its page has a hole.
      if (loaded === undefined || isExpired) return undefined
      if (end !== undefined) return { messages: all.filter((message) => message.seq >= end.floor), end }
      const messages = all.slice(0, maxMessages)
      return { messages, end: { floor: messages.at(-1)?.seq ?? 0, cursor: '' } }
    },
    restore: ({ messages, end }) => {
      for (const message of messages) known.set(message.id, message)
      ends.set('all', [end])
    },
    expire: () => {
      isExpired = true
      changedAt.clear()
      // They are in the page that comes.
      for (const change of pending.values()) if (change.settledSeq !== undefined) change.settledSeq = 0
    },
    clear: () => {
      memo.clear()
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
  shown: (message: InboxMessage, isCounted?: boolean) => InboxMessage | undefined,
): Counts {
  const waiting = [...pending.values()].filter((change) => change.settledSeq === undefined)
  if (waiting.length === 0) return server
  const marksAll = waiting.some((change) => change.upTo !== null)
  let { unread, unopened } = marksAll ? { unread: 0, unopened: 0 } : server
  for (const message of known.values()) {
    const [before, after] = [countsOf(marksAll ? undefined : shown(message, true)), countsOf(shown(message))]
    unread += after.unread - before.unread
    unopened += after.unopened - before.unopened
  }
  return { unread: Math.max(0, unread), unopened: Math.max(0, unopened) }
}
