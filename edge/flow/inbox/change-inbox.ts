// Changes messages of an inbox without a delivery event: archive, snooze, mark, delete, read-all.

import type { InboxHead, InboxMessage } from '../../../contract/api.ts'
import type { Core } from '../../domain/core.ts'
import { type InboxOwner, toWire } from '../../domain/message.ts'
import type { InboxAction, InboxOutcome, InboxPlan } from '../../domain/plan.ts'
import { ApiError } from '../../lib/api-error.ts'
import { parseId } from '../../lib/id.ts'
import { headAfter } from './inbox-head.ts'

export interface MessageChange {
  archived?: boolean | undefined
  unopened?: boolean | undefined
  deleted?: boolean | undefined
  /** Epoch milliseconds; null ends the snooze. */
  snoozedUntil?: number | null | undefined
}

export type ActionResult = { id: string; ok: true } | { id: string; code: 'message/not-found' }

export interface ChangeInbox {
  /** @throws `message/not-found`, also when another tab removes it at the same moment */
  change(owner: InboxOwner, id: string, change: MessageChange): Promise<{ message: InboxMessage; inbox: InboxHead }>
  /** Removes it from the inbox, not from the history. @throws `message/not-found` */
  remove(owner: InboxOwner, id: string): Promise<{ inbox: InboxHead }>
  /** Changes many messages alike; results are in the order of the ids. */
  changeMany(
    owner: InboxOwner,
    ids: string[],
    change: MessageChange,
  ): Promise<{ results: ActionResult[]; inbox: InboxHead }>
  /** Marks all messages up to `seq` as read by hand. */
  readAll(owner: InboxOwner, seq: number): Promise<{ inbox: InboxHead }>
}

export function createChangeInbox(deps: Pick<Core, 'commitPlan' | 'inboxes' | 'clock'>): ChangeInbox {
  const { commitPlan, inboxes, clock } = deps

  function commit(
    { environmentId, userNo }: InboxOwner,
    items: InboxPlan['items'],
    readAllUpTo: number | null,
  ): Promise<InboxOutcome> {
    return commitPlan({ kind: 'change', environmentId, userNo, now: clock.now(), items, readAllUpTo })
  }

  /** Changes one message. @returns its integer id */
  async function changeOne(owner: InboxOwner, id: string, actions: InboxAction[]) {
    const messageId = parseId('message', id)
    if (messageId === undefined) throw new ApiError('message/not-found')
    const outcome = await commit(owner, [{ messageId, actions }], null)
    if (outcome.found[0] !== true) throw new ApiError('message/not-found')
    return { messageId, inbox: await headAfter(inboxes, owner, outcome.pushes) }
  }

  return {
    async change(owner, id, change) {
      const { messageId, inbox } = await changeOne(owner, id, toActions(change))
      const message = await inboxes.find(owner, messageId)
      if (message === undefined) throw new ApiError('message/not-found')
      return { message: toWire(message), inbox }
    },

    async remove(owner, id) {
      const { inbox } = await changeOne(owner, id, [{ action: 'remove' }])
      return { inbox }
    },

    async changeMany(owner, ids, change) {
      const actions = toActions(change)
      // Each message once, because it would not be found again after a removal.
      const numbers = new Map<string, number | undefined>(ids.map((id) => [id, parseId('message', id)]))
      const wanted = [...numbers.values()].filter((messageId) => messageId !== undefined)
      const items = wanted.map((messageId) => ({ messageId, actions }))
      const outcome = items.length === 0 ? undefined : await commit(owner, items, null)
      const found = new Set(wanted.filter((_, index) => outcome?.found[index] === true))
      const results = ids.map((id): ActionResult => {
        const messageId = numbers.get(id)
        return messageId !== undefined && found.has(messageId) ? { id, ok: true } : { id, code: 'message/not-found' }
      })
      return { results, inbox: await headAfter(inboxes, owner, outcome?.pushes ?? []) }
    },

    async readAll(owner, seq) {
      const { pushes } = await commit(owner, [], seq)
      return { inbox: await headAfter(inboxes, owner, pushes) }
    },
  }
}

function toActions({ archived, unopened, deleted, snoozedUntil }: MessageChange): InboxAction[] {
  const actions: InboxAction[] = []
  if (archived !== undefined) actions.push({ action: archived ? 'archive' : 'unarchive' })
  if (snoozedUntil === null) actions.push({ action: 'unsnooze' })
  else if (snoozedUntil !== undefined) actions.push({ action: 'snooze', until: snoozedUntil })
  if (unopened !== undefined) actions.push({ action: unopened ? 'unopen' : 'mark-opened' })
  if (deleted === true) actions.push({ action: 'remove' })
  return actions
}
