// Connects clients for all users of a ledger, like their widgets, and checks their messages when the load is over.

import { expect, vi } from 'vitest'
import type { InboxPage } from '../../../contract/api.ts'
import type { GivenLedger } from './given-ledger.ts'
import { expectedMarks } from './ledger.ts'
import { createPageReader } from './read-pages.ts'
import { type Watcher, watchInbox } from './watcher.ts'

export interface GivenWatchers {
  all: Watcher[]
  /** Resolves when each is connected. */
  connected(): Promise<void>
  /** Requires that each is connected and has received each message of its user once. @returns reconnect statistics */
  expectComplete(url: string): Promise<WatcherCounts>
  close(): void
}

export interface WatcherCounts {
  sockets: number
  /** Number of reconnects, and the longest time without a server (ms). */
  reconnects: number
  longestOfflineMs: number
  /** Messages received by frames or by `sync`. */
  added: number
  syncs: number
  resets: number
}

const PER_USER = 2

/** Connects two clients for each user. Resolves when all are connected. */
export async function givenWatchers(url: string, given: GivenLedger): Promise<GivenWatchers> {
  const all = [...given.sessions].flatMap(([userId, session]) =>
    Array.from({ length: PER_USER }, () => watchInbox(url, userId, session)),
  )
  // Does not use `expect.poll`, because hooks call this as well.
  const connected = () =>
    vi.waitFor(() => expect(all.filter((watcher) => watcher.isConnected())).toHaveLength(all.length), 30_000)
  await connected()
  return {
    all,
    connected,
    async expectComplete(at) {
      await connected()
      const expectedCounts = countByUser(expectedMarks(given.load.ledger.values()))
      const { read } = createPageReader(given.client, at)
      for (const [userId, { sessionToken }] of given.sessions) {
        const { seq, unread, unopened } = (await read<InboxPage>('/v1/inbox/messages?limit=1', sessionToken)).inbox
        for (const watcher of all.filter((one) => one.userId === userId)) {
          await expect.poll(() => watcher.head()).toEqual({ seq, unread, unopened })
          // After a reset a client reads the pages, which this client does not do.
          if (watcher.catchUps().resets > 0) continue
          expect(new Set(watcher.added()).size).toBe(watcher.added().length)
          expect(watcher.added()).toHaveLength(expectedCounts.get(userId) ?? 0)
        }
      }
      const offlineMs = all.flatMap((watcher) => watcher.offlineMs())
      const sum = (of: (watcher: Watcher) => number) => all.reduce((total, watcher) => total + of(watcher), 0)
      return {
        sockets: all.length,
        reconnects: offlineMs.length,
        longestOfflineMs: Math.round(Math.max(0, ...offlineMs)),
        added: sum((watcher) => watcher.added().length),
        syncs: sum((watcher) => watcher.catchUps().syncs),
        resets: sum((watcher) => watcher.catchUps().resets),
      }
    },
    close() {
      for (const watcher of all) watcher.close()
    },
  }
}

/** Counts marks (`user number`) by user. */
function countByUser(marks: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const mark of marks) {
    const userId = mark.split(' ')[0] as string
    counts.set(userId, (counts.get(userId) ?? 0) + 1)
  }
  return counts
}
