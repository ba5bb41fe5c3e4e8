// The inboxes that a batch touches: seq, counts, change log and pushes, decided in memory in the order of the plans (contract section 5).

import { countsOf, type InboxState, patchBetween } from '../../../domain/message.ts'
import type { InboxPush, PushedChange } from '../../../domain/plan.ts'
import { insertRows, type Param, type Sql } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import { saveStates, type WorkingHead, type WorkingMessage, writeHeads } from './working-rows.ts'

/** Changes that the log keeps for each user; older positions are answered with a reset. */
export const LOG_KEEPS = 1000
/** The log is cut once this many more have gathered, so that not every change deletes one. */
const CUT_AFTER = 250

const LOG_CHANGES = insertRows('inbox_change', { user_no: 'int', seq: 'int', message_id: 'int', patch: 'text' })

export interface InboxWork {
  hold(head: WorkingHead): void
  /** Takes a stored message in; one that is already held stays as the batch has made it. */
  take(message: WorkingMessage): void
  find(messageId: number): WorkingMessage | undefined
  /** All held messages of a user. */
  listOf(userNo: number): WorkingMessage[]
  /** Puts a new message on top of its user's inbox. */
  add(message: WorkingMessage): void
  /** Brings a message to its next state; false when that is its state already. */
  change(message: WorkingMessage, next: InboxState): boolean
  /** The same for so many messages that the log would not hold them: each has its seq, clients read anew. */
  changeWithReset(userNo: number, messages: WorkingMessage[], next: (state: InboxState) => InboxState): void
  /** What happened since the last call: the pushes of one plan. */
  takePushes(): InboxPush[]
  write(sql: Sql): Promise<void>
}

export function createInboxWork(context: WriteContext): InboxWork {
  const heads = new Map<number, WorkingHead>()
  const messages = new Map<number, WorkingMessage>()
  const byUser = new Map<number, WorkingMessage[]>()
  let pushes = new Map<number, InboxPush>()
  let log: { userNo: number; seq: number; row: Param[] }[] = []

  function headOf(userNo: number): WorkingHead {
    const head = heads.get(userNo)
    if (head === undefined) throw new Error('The inbox of a message was not locked.')
    return head
  }

  function pushTo(head: WorkingHead): InboxPush {
    let push = pushes.get(head.userNo)
    if (push === undefined) {
      const epoch = epochOf(context.storeEpoch, head.userNo)
      push = { userNo: head.userNo, epoch, from: head.seq, seq: 0, unread: 0, unopened: 0, changes: [], reset: false }
      pushes.set(head.userNo, push)
    }
    return push
  }

  /** Moves the head by one change; the push is taken before, so that it begins where the head stood. */
  function advance(head: WorkingHead, before: InboxState | null, after: InboxState): number {
    const was = before === null ? { unread: 0, unopened: 0 } : countsOf(before)
    const is = countsOf(after)
    head.unread = Math.max(0, head.unread + is.unread - was.unread)
    head.unopened = Math.max(0, head.unopened + is.unopened - was.unopened)
    head.changed = true
    return ++head.seq
  }

  function mark(message: WorkingMessage, next: InboxState): void {
    Object.assign(message, stateOf(next))
    if (message.standing === 'same') message.standing = 'changed'
  }

  return {
    hold: (head) => void heads.set(head.userNo, head),
    take(message) {
      if (messages.has(message.id)) return
      messages.set(message.id, message)
      const ofUser = byUser.get(message.userNo)
      if (ofUser === undefined) byUser.set(message.userNo, [message])
      else ofUser.push(message)
    },
    find: (messageId) => messages.get(messageId),
    listOf: (userNo) => byUser.get(userNo) ?? [],
    add(message) {
      const head = headOf(message.userNo)
      const push = pushTo(head)
      message.seq = advance(head, null, message)
      push.changes.push({ seq: message.seq, op: 'add', messageId: message.id })
    },
    change(message, next) {
      const before = stateOf(message)
      const patch = patchBetween(before, next)
      const removes = before.removedAt === null && next.removedAt !== null
      if (!removes && Object.keys(patch).length === 0) return false
      mark(message, next)
      // What is not in an inbox (any more) changes for the history alone.
      if (message.seq === 0 || before.removedAt !== null) return true
      const head = headOf(message.userNo)
      const push = pushTo(head)
      const seq = advance(head, before, next)
      const id = message.id
      const change: PushedChange = removes
        ? { seq, op: 'remove', messageId: id }
        : { seq, op: 'update', messageId: id, patch }
      push.changes.push(change)
      log.push({ userNo: head.userNo, seq, row: [head.userNo, seq, id, removes ? null : JSON.stringify(patch)] })
      return true
    },
    changeWithReset(userNo, changing, next) {
      const head = headOf(userNo)
      pushTo(head).reset = true
      for (const message of changing) {
        const before = stateOf(message)
        const after = next(before)
        advance(head, before, after)
        mark(message, after)
      }
      head.floor = head.seq
      log = log.filter((entry) => entry.userNo !== userNo)
    },
    takePushes() {
      const taken = [...pushes.values()].map((push) => finish(push, headOf(push.userNo)))
      pushes = new Map()
      return taken
    },
    async write(sql) {
      const changed = [...heads.values()].filter((head) => head.changed)
      const cut = changed.filter(needsCut)
      for (const head of cut) head.floor = Math.max(head.floor, head.seq - LOG_KEEPS)
      await writeHeads(sql, changed)
      await saveStates(
        sql,
        [...messages.values()].filter((message) => message.standing === 'changed'),
      )
      await sql.bulk(
        LOG_CHANGES,
        log.map((entry) => entry.row),
      )
      for (const head of cut) {
        await sql.run('DELETE FROM inbox_change WHERE user_no = ? AND seq <= ?', [head.userNo, head.floor])
      }
    },
  }
}

/** A floor at the head itself is that of a reset: what the log still has is of no use. */
const needsCut = (head: WorkingHead) => head.seq - head.floor > LOG_KEEPS + CUT_AFTER || head.floor === head.seq

function finish(push: InboxPush, head: WorkingHead): InboxPush {
  push.seq = head.seq
  push.unread = head.unread
  push.unopened = head.unopened
  if (push.reset) {
    push.from = push.seq
    push.changes = []
  }
  return push
}

export function stateOf(state: InboxState): InboxState {
  const { unopened, readAt, openedAt, clickedAt, archivedAt, snoozedUntil, removedAt } = state
  return { unopened, readAt, openedAt, clickedAt, archivedAt, snoozedUntil, removedAt }
}

/** Names one user's inbox in one store: positions of another epoch mean nothing here. */
export function epochOf(storeEpoch: string, userNo: number): string {
  return `${storeEpoch}-${userNo.toString(36)}`
}
