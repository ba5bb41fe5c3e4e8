// Reads the pages of the inbox's lists, one at a time per list.

import type { InboxHead, InboxPage } from '../../contract/api.ts'
import { CallError, type Failure, failureOf, isOutOfReach, noAnswer } from '../lib/failure.ts'
import type { Call } from '../transport/api.ts'
import type { ListName, ListState } from './core-types.ts'
import type { InboxStore } from './inbox-store.ts'

export interface PagerDeps {
  call: Call
  store: InboxStore
  /** False for a page that does not fit the log: it is asked for again when the log has caught up. */
  mayTake: (page: InboxPage) => boolean
  catchUp: () => Promise<void>
  onHead: (head: InboxHead) => void
  onChange: () => void
  /** `isFinal`: there is no list, and trying again does not help. */
  onFailure: (failure: Failure, isFinal: boolean) => void
}

export interface Pager {
  state(filter: ListName): ListState
  /** The lists of which a page is on its way. */
  asked(): Iterable<ListName>
  /** The first page anew, or the next one. Failures are told by `state`. */
  load(filter: ListName, isFirst: boolean): Promise<void>
  /** The service can be reached again: first pages that did not come are asked for once more. */
  retry(): void
}

const PAGE = 25
/** Who goes on wants to go far. */
const NEXT_PAGE = 100
/** A page that comes from another time again and again is no page of this inbox. */
const TRIES = 3

export function createPager({ call, store, mayTake, catchUp, onChange, onHead, onFailure }: PagerDeps): Pager {
  const running = new Map<ListName, Promise<void>>()
  /** Wanted anew while one was on its way. */
  const again = new Set<ListName>()
  /** First pages that are owed: what their lists show is not whole, or too old. */
  const due = new Set<ListName>()
  const failures = new Map<ListName, Failure>()

  const read = async (filter: ListName, isFirst: boolean, tries = TRIES): Promise<void> => {
    const cursor = isFirst ? '' : store.cursor(filter)
    if (cursor === null) return
    const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const limit = cursor === '' ? PAGE : NEXT_PAGE
    const page = await call<InboxPage>('GET', `/v1/inbox/messages?${queryOf(filter)}&limit=${limit}${after}`)
    if (!mayTake(page)) {
      await catchUp()
      if (tries === 0) throw new CallError({ ...noAnswer(), status: 200, code: 'client/old-answer' })
      return read(filter, true, tries - 1)
    }
    failures.delete(filter)
    if (cursor === '') due.delete(filter)
    // A page that follows what is no longer there would leave a hole.
    if (cursor === '' || cursor === store.cursor(filter)) store.addPage(filter, page, cursor === '')
    onHead(page.inbox)
  }
  const attempt = async (filter: ListName, isFirst: boolean): Promise<void> => {
    if (isFirst) due.add(filter)
    try {
      await read(filter, isFirst)
    } catch (error) {
      const failure = failureOf(error)
      failures.set(filter, failure)
      onFailure(failure, !isOutOfReach(failure) && !store.list('all'))
    }
  }

  const load = (filter: ListName, isFirst: boolean, isRetry = false): Promise<void> => {
    // What is tried again by itself stays failed until it comes.
    if (!isRetry) failures.delete(filter)
    const before = running.get(filter)
    if (before !== undefined) {
      // What is on its way may have been read before that for which it is wanted.
      if (isFirst && !isRetry) again.add(filter)
      return before
    }
    const run = attempt(filter, isFirst).finally(() => {
      running.delete(filter)
      onChange()
      return again.delete(filter) ? load(filter, true) : undefined
    })
    running.set(filter, run)
    onChange()
    return run
  }

  return {
    asked: () => running.keys(),
    load,
    retry: () => {
      for (const filter of due) void load(filter, true, true)
    },
    state: (filter) => ({
      isLoading: running.has(filter),
      hasMore: store.cursor(filter) !== null,
      failure: failures.get(filter),
    }),
  }
}

const CATEGORY = 'category:'

function queryOf(name: ListName): string {
  if (!name.startsWith(CATEGORY)) return `filter=${name}`
  return `filter=all&category=${encodeURIComponent(name.slice(CATEGORY.length))}`
}
