// The messages that this page knows, its lists by filter, and the changes that wait for the server's word. No DOM, no network.

import type { InboxChange, InboxFilter, InboxMessage, InboxPage, MessagePatch } from '../../contract/api.ts'
import { freeze } from '../lib/freeze.ts'
import { withoutTurns } from '../lib/plain-text.ts'
import type { Counts } from './change-log.ts'
import type { ListName } from './core-types.ts'
import { filterOf, LIST_FILTERS } from './list-filters.ts'
import { createPendingChanges } from './pending-changes.ts'
import type { ListEnd, StoredList } from './persistence.ts'

export interface InboxStore {
  /**
   * What arrived, oldest first, and the lists that lack a message which a change names: of those that are there, and those
   * `asked` for, whose pages may have been read before. The log stands at `seq` then.
   */
  apply(changes: InboxChange[], seq: number, asked?: Iterable<ListName>): { arrived: InboxMessage[]; stale: ListName[] }
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
  /** When the next message that this page knows runs out (the service's time, epoch ms); Infinity when none does. */
  nextExpiry(): number
}

/** The service removes a message when it runs out; a page that has not got that change by then removes it by itself. */
const EXPIRY_GRACE_MS = 2_000

/** Changes of messages that this page does not know, remembered for pages that are on their way. */
const TOUCHED = 1_000

/** @param now the service's time, epoch ms */
export function createInboxStore(now: () => number = Date.now): InboxStore {
  const known = new Map<string, InboxMessage>()
  /** When known messages run out (epoch ms); most never do. */
  const expiries = new Map<string, number>()
  /** The last change of a message: a page that was read before it must not undo it. */
  const changedAt = new Map<string, number>()
  const ends = new Map<ListName, ListEnd[]>()
  const pending = createPendingChanges()
  /** From before a reset, and shown until the next first page: no change can be put upon them. */
  const outdated = new Set<string>()
  let isExpired = false
  /** What the log has told since then. */
  let toldSeq = 0

  const keep = (message: InboxMessage): void => {
    known.set(message.id, message)
    if (message.expiresAt === null) expiries.delete(message.id)
    else expiries.set(message.id, Date.parse(message.expiresAt) + EXPIRY_GRACE_MS)
  }
  const forget = (id: string): void => {
    known.delete(id)
    expiries.delete(id)
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
    if (change.op === 'update') {
      if (before === undefined || outdated.has(id)) return { stale: listsOf(change.patch) }
      keep(Object.freeze({ ...before, ...change.patch }))
      return {}
    }
    outdated.delete(id)
    if (change.op === 'remove') forget(id)
    // A newer service may tell changes of other kinds.
    if (change.op !== 'add') return {}
    const message = sealMessage(change.message)
    keep(message)
    return before === undefined ? { arrived: message } : {}
  }

  /** Newest first; made anew when messages come or go. */
  let order: string[] | undefined
  const newestFirst = (): string[] => {
    order ??= [...known.values()].sort((a, b) => b.seq - a.seq).map(({ id }) => id)
    return order
  }
  /** Lists are asked for at each drawing and are long: made once between two changes, and while nothing in them runs out. */
  const memo = new Map<ListName, InboxMessage[]>()
  let memoEndsAt = Number.POSITIVE_INFINITY
  const nextExpiry = (): number => {
    const at = now()
    let first = Number.POSITIVE_INFINITY
    for (const expiry of expiries.values()) if (expiry > at && expiry < first) first = expiry
    return first
  }
  /** The message as the user shall see it; undefined when it is removed or has run out. */
  const shown = (message: InboxMessage): InboxMessage | undefined =>
    (expiries.get(message.id) ?? Number.POSITIVE_INFINITY) <= now() ? undefined : pending.shown(message)
  const list = (filter: ListName): InboxMessage[] | undefined => {
    const end = ends.get(filter)?.at(-1)
    if (end === undefined) return undefined
    if (now() >= memoEndsAt) memo.clear()
    let made = memo.get(filter)
    if (made === undefined) {
      if (memo.size === 0) memoEndsAt = nextExpiry()
      made = []
      const shows = filterOf(filter)
      for (const id of newestFirst()) {
        const message = known.get(id) as InboxMessage
        if (message.seq < end.floor) break
        const seen = shown(message)
        if (seen !== undefined && shows(seen)) made.push(seen)
      }
      memo.set(filter, made)
    }
    return made
  }

  /** The service's counts have them until it is asked again. */
  const withoutExpired = ({ unread, unopened }: Counts): Counts => {
    const at = now()
    const gone = [...expiries].flatMap(([id, expiry]) => (expiry <= at ? (known.get(id) ?? []) : []))
    const counted = gone.flatMap((message) => pending.shown(message) ?? []).filter(LIST_FILTERS.unopened)
    return {
      unread: Math.max(0, unread - counted.filter(({ readAt }) => readAt === null).length),
      unopened: Math.max(0, unopened - counted.length),
    }
  }

  return {
    list,
    cursor: (filter) => ends.get(filter)?.at(-1)?.cursor ?? null,
    find: (id) => {
      const message = known.get(id)
      return message && shown(message)
    },
    known: (id) => known.get(id),
    apply: (changes, seq, asked = []) => {
      memo.clear()
      if (changes.some(({ op }) => op !== 'update')) order = undefined
      const results = changes.map(apply)
      toldSeq = seq
      if (!isExpired) pending.forget(seq)
      const may = new Set<string>(results.flatMap((result) => result.stale ?? []))
      // A category's list is a part of all.
      const stale = [...new Set([...ends.keys(), ...asked])].filter((name) =>
        may.has(name in LIST_FILTERS ? name : 'all'),
      )
      return { arrived: results.flatMap((result) => result.arrived ?? []), stale }
    },
    fits: ({ data, inbox }) =>
      data.every(({ id }) => (known.has(id) && !outdated.has(id)) || isNews(id, inbox.seq + 1)),
    addPage: (filter, { data, nextCursor, inbox: { seq } }, isFirst) => {
      memo.clear()
      order = undefined
      if (isExpired && isFirst && filter === 'all') {
        isExpired = false
        ends.clear()
        // What arrived while the page was on its way is newer than the page.
        for (const id of known.keys()) if (outdated.has(id) || isNews(id, seq + 1)) forget(id)
        outdated.clear()
        pending.forget(Math.max(seq, toldSeq))
      }
      for (const message of data) {
        if (!isNews(message.id, seq + 1)) continue
        keep(sealMessage(message))
        touch(message.id, seq)
      }
      const floor = nextCursor === null ? 0 : (data.at(-1)?.seq ?? 0)
      ends.set(filter, [...(isFirst ? [] : (ends.get(filter) ?? [])), { floor, cursor: nextCursor }])
    },
    begin: (ids, patch, upTo) => {
      memo.clear()
      return pending.begin(ids, patch, upTo)
    },
    settle: pending.settle,
    drop: (handle) => {
      memo.clear()
      pending.drop(handle)
    },
    nextExpiry,
    counts: (server) => withoutExpired(pending.counts(server, known)),
    toStored: (maxMessages) => {
      const loaded = ends.get('all')
      const all = newestFirst()
      const seqAt = (at: number): number => known.get(all[at] ?? '')?.seq ?? 0
      const end = loaded?.findLast(({ floor }) => all.length <= maxMessages || seqAt(maxMessages) < floor)
      // What waits for its page has a hole.
      if (loaded === undefined || isExpired) return undefined
      const kept = all.flatMap((id) => known.get(id) ?? [])
      if (end !== undefined) return { messages: kept.filter((message) => message.seq >= end.floor), end }
      const messages = kept.slice(0, maxMessages)
      return { messages, end: { floor: messages.at(-1)?.seq ?? 0, cursor: '' } }
    },
    restore: ({ messages, end }) => {
      order = undefined
      for (const message of messages) keep(sealMessage(message))
      ends.set('all', [end])
    },
    expire: () => {
      isExpired = true
      toldSeq = 0
      changedAt.clear()
      for (const id of known.keys()) outdated.add(id)
      pending.expire()
    },
    clear: () => {
      memo.clear()
      order = undefined
      isExpired = false
      known.clear()
      expiries.clear()
      outdated.clear()
      changedAt.clear()
      ends.clear()
    },
  }
}

/** Makes what everyone reads: frozen, as pages get the very object of the list, and its words without characters that turn the direction. */
function sealMessage(message: InboxMessage): InboxMessage {
  return freeze({
    ...message,
    title: plain(message.title),
    body: plain(message.body),
    actions: message.actions?.map((action) => ({ ...action, label: plain(action.label) })),
  })
}

/** What an older version stored may lack a field. */
const plain = <T>(text: T): T => (typeof text === 'string' ? (withoutTurns(text) as T) : text)
