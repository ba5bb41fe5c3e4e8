// Keeps the messages that this page knows together with the log that they follow: what is stored, what a frame changes, which page may be added.

import type { InboxHead, InboxMessage, InboxPage } from '../../contract/api.ts'
import type { InboxFrame } from '../../contract/frames.ts'
import { type ChangeLog, type Counts, createChangeLog } from './change-log.ts'
import type { ListName } from './core-types.ts'
import { createInboxStore, type InboxStore } from './inbox-store.ts'
import type { StoredInbox } from './persistence.ts'

export interface LocalLog {
  readonly store: InboxStore
  readonly log: ChangeLog
  counts(): Counts
  /** @returns the counts to cache; undefined while this page has no list */
  shown(): Counts | undefined
  /** Starts anew at the position of the server, without messages. */
  begin(head: InboxHead): void
  restore(stored: StoredInbox): void
  /**
   * @param asked lists that are being loaded
   * @returns `due`: lists to load again; `fresh`: messages that this page did not know, oldest first
   */
  take(frame: InboxFrame, asked: Iterable<ListName>): { due: ListName[]; fresh: InboxMessage[]; hasGap: boolean }
  /** False for a page of another log, from before a reset, or older than a change of one of its messages. */
  mayTake(page: InboxPage): boolean
  /** The server accepted a change that is shown already: it stays in view until the log contains it. */
  settle(handle: number, head: InboxHead): void
  /** @returns at most `max` messages and changes; undefined while there is no list */
  toStored(max: number, userId: string | undefined): StoredInbox | undefined
}

/** @param now the server's time, epoch ms */
export function createLocalLog(now: () => number = Date.now): LocalLog {
  const store = createInboxStore(now)
  let log = createChangeLog({ epoch: '', seq: 0, unread: 0, unopened: 0 })
  let startSeq = 0

  return {
    store,
    get log() {
      return log
    },
    counts: () => store.counts(log.counts),
    shown: () => (store.list('all') ? store.counts(log.counts) : undefined),
    begin: (head) => {
      store.clear()
      log = createChangeLog(head)
      startSeq = head.seq
    },
    restore: ({ list, head, changes }) => {
      store.restore(list)
      log = createChangeLog(head, changes)
    },
    take: (frame, asked) => {
      const verdict = log.take(frame)
      const hasGap = log.hasGap()
      if (verdict.outcome === 'reset') {
        store.expire()
        startSeq = log.seq
        return { due: ['all'], fresh: [], hasGap }
      }
      if (verdict.outcome !== 'applied') return { due: [], fresh: [], hasGap }
      const { arrived, stale } = store.apply(verdict.changes, log.seq, asked)
      return { due: stale, fresh: arrived.filter(({ archivedAt }) => archivedAt === null), hasGap }
    },
    mayTake: (page) => page.inbox.epoch === log.epoch && page.inbox.seq >= startSeq && store.fits(page),
    settle: (handle, head) => {
      if (head.epoch === log.epoch && head.seq > log.seq) store.settle(handle, head.seq)
      else store.drop(handle)
    },
    toStored: (max, userId) => {
      const list = store.toStored(max)
      const { epoch, seq, counts, changes } = log
      if (list === undefined || epoch === '') return undefined
      return { userId, head: { epoch, seq, ...counts }, changes: changes.slice(-max), list }
    },
  }
}
