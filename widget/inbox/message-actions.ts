// What a user does to messages: shown at once, asked of the service, put back when refused.

import type { InboxHead, MessagePatch } from '../../contract/api.ts'
import { INBOX_LIMITS } from '../../contract/limits.ts'
import { type Failure, failureOf } from '../lib/failure.ts'
import type { Call } from '../transport/api.ts'
import type { InboxCore, MessageChange } from './core-types.ts'
import type { InboxStore } from './inbox-store.ts'

export interface MessageActionsDeps {
  call: Call
  store: InboxStore
  now: () => number
  /** Where this page stands in the log. */
  seq: () => number
  /** Sends the delivery events that happened before. */
  flush: () => Promise<void>
  onChange: () => void
  /** The server took it: the log will tell. */
  onSettled: (handles: number[], head: InboxHead) => void
  onFailure: (failure: Failure) => void
}

interface Answer {
  inbox: InboxHead
}

interface MessageActions extends Pick<InboxCore, 'change' | 'changeMany' | 'remove' | 'removeLater' | 'markAllRead'> {
  /** Settles when what was asked so far is answered. */
  done(): Promise<unknown>
  /** The page goes, or is back: while it goes, nothing waits for its turn. */
  leaving(value: boolean): void
}

export function createMessageActions(deps: MessageActionsDeps): MessageActions {
  const { call, store, now, seq } = deps
  const pathOf = (id: string): string => `/v1/inbox/messages/${encodeURIComponent(id)}`

  let last: Promise<unknown> = Promise.resolve()
  let isLeaving = false
  const waiting = new Set<() => void>()
  /** One after the other: two calls on their way at once may change places, and an undo would come before its deed. */
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.add(resolve)
      // What was read or opened before must not be counted after it. A page that goes cannot wait for either.
      if (isLeaving) resolve()
      void Promise.all([last, deps.flush()]).finally(() => {
        waiting.delete(resolve)
        resolve()
      })
    })

  /** Throws CallError. */
  const settle = async (handle: number, ask: () => Promise<Answer>): Promise<void> => {
    try {
      const asked = turn().then(ask)
      last = asked.catch(() => {})
      deps.onSettled([handle], (await asked).inbox)
    } catch (error) {
      store.drop(handle)
      deps.onChange()
      deps.onFailure(failureOf(error))
      throw error
    }
  }
  const optimistic = (handle: number, ask: () => Promise<Answer>): Promise<void> => {
    deps.onChange()
    return settle(handle, ask)
  }
  const many = async (ids: string[], fields: object): Promise<Answer> => {
    let answer: Answer | undefined
    for (let at = 0; at < ids.length; at += INBOX_LIMITS.actionIds) {
      const body = { ids: ids.slice(at, at + INBOX_LIMITS.actionIds), ...fields }
      answer = await call<Answer>('POST', '/v1/inbox/actions', { body })
    }
    return answer as Answer
  }
  const removeLater = (ids: string[]): ReturnType<InboxCore['removeLater']> => {
    const handle = store.begin(ids, 'removed')
    let isOpen = true
    /** True once: what was undone is not asked for, what was asked for is not undone. */
    const ends = (): boolean => {
      const wasOpen = isOpen
      isOpen = false
      return wasOpen
    }
    deps.onChange()
    return {
      undo: () => {
        if (!ends()) return
        store.drop(handle)
        deps.onChange()
      },
      settle: async () => {
        if (ends()) await settle(handle, () => many(ids, { deleted: true }))
      },
    }
  }
  return {
    done: () => last,
    leaving: (value) => {
      isLeaving = value
      if (value) for (const begin of waiting) begin()
    },
    change: (id, body) =>
      optimistic(store.begin([id], toPatch(body, now())), () => call('PATCH', pathOf(id), { body })),
    changeMany: async (ids, change) => {
      if (ids.length > 0) await optimistic(store.begin(ids, toPatch(change, now())), () => many(ids, change))
    },
    remove: (id) => optimistic(store.begin([id], 'removed'), () => call('DELETE', pathOf(id))),
    removeLater,
    markAllRead: () => {
      const upTo = seq()
      return optimistic(store.begin([], {}, upTo), () => call('POST', '/v1/inbox/read-all', { body: { seq: upTo } }))
    },
  }
}

function toPatch({ archived, unopened, snoozedUntil }: MessageChange, now: number): MessagePatch {
  return {
    ...(archived !== undefined && { archivedAt: archived ? new Date(now).toISOString() : null }),
    ...(unopened !== undefined && { unopened }),
    ...(snoozedUntil !== undefined && { snoozedUntil }),
  }
}
