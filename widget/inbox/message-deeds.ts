// What a user does to messages: shown at once, asked of the service, put back when refused (contract section 5).

import type { InboxHead, InboxMessage, MessagePatch } from '../../contract/api.ts'
import { type Failure, failureOf } from '../lib/failure.ts'
import type { Call } from '../transport/api.ts'
import type { InboxCore, MessageChange } from './core-types.ts'
import type { InboxStore } from './inbox-store.ts'

export interface DeedsDeps {
  call: Call
  store: InboxStore
  now: () => number
  /** Where this page stands in the log. */
  seq: () => number
  /** Sends the delivery events that happened before. */
  flush: () => Promise<void>
  onChange: () => void
  onHead: (head: InboxHead) => void
  onFailure: (failure: Failure) => void
}

interface Answer {
  inbox: InboxHead
  message?: InboxMessage
}

export function createDeeds(deps: DeedsDeps): Pick<InboxCore, 'change' | 'remove' | 'markAllRead'> {
  const { call, store, now, seq } = deps
  const pathOf = (id: string): string => `/v1/inbox/messages/${encodeURIComponent(id)}`

  /** Throws CallError. */
  const optimistic = async (handle: number, ask: () => Promise<Answer>): Promise<void> => {
    deps.onChange()
    try {
      // What was read or opened before must not be counted after it.
      await deps.flush()
      const answer = await ask()
      store.confirm(handle, answer.message)
      deps.onHead(answer.inbox)
    } catch (error) {
      store.rollback(handle)
      deps.onChange()
      deps.onFailure(failureOf(error))
      throw error
    }
  }
  return {
    change: (id, body) =>
      optimistic(store.begin([id], toPatch(body, now())), () => call('PATCH', pathOf(id), { body })),
    remove: (id) => optimistic(store.begin([id], 'removed'), () => call('DELETE', pathOf(id))),
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
