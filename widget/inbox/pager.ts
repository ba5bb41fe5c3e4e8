// Reads the pages of the inbox's lists, one at a time per list (contract section 5, `GET /v1/inbox/messages`).

import type { InboxHead, InboxPage } from '../../contract/api.ts'
import { type Failure, failureOf } from '../lib/failure.ts'
import type { Call } from '../transport/api.ts'
import type { ListName, ListState } from './core-types.ts'
import type { InboxStore } from './inbox-store.ts'

export interface PagerDeps {
  call: Call
  store: InboxStore
  onHead: (head: InboxHead) => void
  onChange: () => void
  onFailure: (failure: Failure) => void
}

export interface Pager {
  state(filter: ListName): ListState
  /** The first page anew, or the next one. Failures are told by `state`. */
  load(filter: ListName, isFirst: boolean): Promise<void>
}

const PAGE = 25
/** Who goes on wants to go far. */
const NEXT_PAGE = 100

export function createPager({ call, store, onChange, onHead, onFailure }: PagerDeps): Pager {
  const running = new Map<ListName, Promise<void>>()
  const failures = new Map<ListName, Failure>()

  const read = async (filter: ListName, isFirst: boolean): Promise<void> => {
    const cursor = isFirst ? null : store.cursor(filter)
    if (!isFirst && cursor === null) return
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    try {
      const page = await call<InboxPage>(
        'GET',
        `/v1/inbox/messages?${queryOf(filter)}&limit=${isFirst ? PAGE : NEXT_PAGE}${after}`,
      )
      failures.delete(filter)
      store.addPage(filter, page, isFirst)
      onHead(page.inbox)
    } catch (error) {
      failures.set(filter, failureOf(error))
      onFailure(failureOf(error))
    }
  }

  return {
    state: (filter) => ({
      isLoading: running.has(filter),
      hasMore: store.cursor(filter) !== null,
      failure: failures.get(filter),
    }),
    load: (filter, isFirst) => {
      const before = running.get(filter)
      if (before !== undefined) return before
      const run = read(filter, isFirst).finally(() => {
        running.delete(filter)
        onChange()
      })
      running.set(filter, run)
      onChange()
      return run
    },
  }
}

const CATEGORY = 'category:'

function queryOf(name: ListName): string {
  if (!name.startsWith(CATEGORY)) return `filter=${name}`
  return `filter=all&category=${encodeURIComponent(name.slice(CATEGORY.length))}`
}
