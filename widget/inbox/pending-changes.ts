// The changes that are shown before the log tells them. Found by message: a long list is drawn over and over, and what waits may be hundreds of reads.

import type { InboxMessage, MessagePatch } from '../../contract/api.ts'
import type { Counts } from './change-log.ts'
import { LIST_FILTERS } from './list-filters.ts'

interface Pending {
  patches: ReadonlyMap<string, MessagePatch | 'removed'>
  /** Set by "mark all as read": everything up to this seq counts no more. */
  upTo: number | null
  /** The server took it: its counts have it already, and the log will by this seq. */
  settledSeq?: number
}

export interface PendingChanges {
  /** Shows a change at once; answers its handle. */
  begin(ids: string[], patch: MessagePatch | 'removed', upTo?: number): number
  /** The server took it, and the log will tell by `seq`. */
  settle(handle: number, seq: number): void
  /** The server refused it, or it is known. */
  drop(handle: number): void
  /** What the log has told up to `seq` is no longer on its way. */
  forget(seq: number): void
  /** What the server took is in the page that comes. */
  expire(): void
  /** The message with what is on its way; undefined when that removes it. */
  shown(message: InboxMessage): InboxMessage | undefined
  /** The server's counts with what is on its way; `known` are the messages as the server has them. */
  counts(server: Counts, known: ReadonlyMap<string, InboxMessage>): Counts
}

export function createPendingChanges(): PendingChanges {
  const pending = new Map<number, Pending>()
  /** Handles by message, oldest first. */
  const byMessage = new Map<string, Set<number>>()
  /** Handles that are about all messages. */
  const marks = new Set<number>()
  let lastHandle = 0

  /** In the order in which they were begun. */
  const handlesOf = (id: string): Iterable<number> => {
    const own = byMessage.get(id)
    if (own === undefined || marks.size === 0) return own ?? marks
    return [...own, ...marks].sort((a, b) => a - b)
  }
  /** `isCounted`: only with what the server's counts have already. */
  const shown = (message: InboxMessage, isCounted = false): InboxMessage | undefined => {
    let result = message
    for (const handle of handlesOf(message.id)) {
      const { patches, upTo, settledSeq } = pending.get(handle) as Pending
      if (isCounted && settledSeq === undefined) continue
      const patch = patches.get(message.id)
      if (patch === 'removed') return undefined
      if (patch !== undefined) result = Object.freeze({ ...result, ...patch })
      if (upTo !== null && message.seq <= upTo && result.unopened)
        result = Object.freeze({ ...result, unopened: false })
    }
    return result
  }
  const drop = (handle: number): void => {
    for (const id of pending.get(handle)?.patches.keys() ?? []) {
      const own = byMessage.get(id)
      own?.delete(handle)
      if (own?.size === 0) byMessage.delete(id)
    }
    marks.delete(handle)
    pending.delete(handle)
  }

  return {
    shown: (message) => shown(message),
    drop,
    begin: (ids, patch, upTo) => {
      const handle = ++lastHandle
      pending.set(handle, { patches: new Map(ids.map((id) => [id, patch])), upTo: upTo ?? null })
      if (upTo !== undefined) marks.add(handle)
      for (const id of ids) byMessage.set(id, (byMessage.get(id) ?? new Set()).add(handle))
      return handle
    },
    settle: (handle, seq) => {
      const change = pending.get(handle)
      if (change !== undefined) change.settledSeq = seq
    },
    forget: (seq) => {
      for (const [handle, { settledSeq }] of pending) if (settledSeq !== undefined && settledSeq <= seq) drop(handle)
    },
    expire: () => {
      for (const change of pending.values()) if (change.settledSeq !== undefined) change.settledSeq = 0
    },
    counts: (server, known) => {
      const waiting = [...pending].filter(([, change]) => change.settledSeq === undefined)
      if (waiting.length === 0) return server
      const marksAll = waiting.some(([handle]) => marks.has(handle))
      let { unread, unopened } = marksAll ? { unread: 0, unopened: 0 } : server
      // Only what is on its way can make a difference, unless it is about all.
      for (const id of marksAll ? known.keys() : byMessage.keys()) {
        const message = known.get(id)
        if (message === undefined) continue
        const [before, after] = [countsOf(marksAll ? undefined : shown(message, true)), countsOf(shown(message))]
        unread += after.unread - before.unread
        unopened += after.unopened - before.unopened
      }
      return { unread: Math.max(0, unread), unopened: Math.max(0, unopened) }
    },
  }
}

function countsOf(message: InboxMessage | undefined): Counts {
  const unopened = message !== undefined && LIST_FILTERS.unopened(message)
  return { unread: unopened && message.readAt === null ? 1 : 0, unopened: unopened ? 1 : 0 }
}
