// Changes the inboxes of a batch in memory, in the order of the plans: seq, counts, change log and pushes.

import { countsOf, type InboxState, patchBetween } from '../../../domain/message.ts'
import type { InboxPush, PushedChange } from '../../../domain/plan.ts'
import { INBOX_CHANGE } from '../../tables/inbox.ts'
import { insertInto, type Written } from '../../tables/table.ts'
import { type Sql, withRows } from '../sql.ts'
import { dueAtOf, sectionOf } from './list-section.ts'
import { saveStates, type WorkingHead, type WorkingMessage, writeHeads } from './working-rows.ts'

/** The number of changes that the log keeps for each user; older positions get a reset. */
export const LOG_KEEPS = 1000
/** The log is cut when it has this many more, because a deletion with each change would cost more. */
const CUT_AFTER = 250

const LOG_CHANGES = insertInto(INBOX_CHANGE)

/** Removes log entries at or below the floor. With the comment, PostgreSQL plans it each time. */
export const CUT_LOGS = withRows(
  { environment_id: 'int', user_no: 'int', floor: 'int' },
  `DELETE FROM inbox_change /* replanned */ WHERE (environment_id, user_no, seq) IN (
    SELECT c.environment_id, c.user_no, c.seq FROM given CROSS JOIN inbox_change c
      WHERE c.environment_id = given.environment_id AND c.user_no = given.user_no AND c.seq <= given.floor)`,
)

export interface InboxWork {
  /** Adds the locked head of an inbox. */
  addHead(head: WorkingHead): void
  hasHead(userNo: number): boolean
  /** Returns all heads in their current state. */
  heads(): Iterable<WorkingHead>
  /** Adds a message without changing the inbox; ignores a message that was added before. */
  addMessage(message: WorkingMessage): void
  find(messageId: number): WorkingMessage | undefined
  /** Returns the messages of a user that were added. */
  listOf(userNo: number): WorkingMessage[]
  /** Adds a new message at the top of the inbox of its user. */
  addToInbox(message: WorkingMessage): void
  /** Changes the state of a message; returns false when it already has that state. */
  change(message: WorkingMessage, next: InboxState): boolean
  /** Changes more messages than the log should contain. Each change gets a seq, and clients reload. */
  changeWithReset(userNo: number, messages: WorkingMessage[], next: (state: InboxState) => InboxState): void
  /** Returns and clears the pushes since the last call, which are those of one plan. */
  takePushes(): InboxPush[]
  write(sql: Sql): Promise<void>
}

type LogEntry = Written<typeof INBOX_CHANGE.columns>
interface Work {
  storeEpoch: string
  heads: Map<number, WorkingHead>
  messages: Map<number, WorkingMessage>
  byUser: Map<number, WorkingMessage[]>
  pushes: Map<number, InboxPush>
  log: LogEntry[]
}

/** Creates the work of a batch, without heads and messages. */
export function createInboxWork(storeEpoch: string): InboxWork {
  const work: Work = {
    storeEpoch,
    heads: new Map(),
    messages: new Map(),
    byUser: new Map(),
    pushes: new Map(),
    log: [],
  }
  return {
    addHead: (head) => void work.heads.set(head.userNo, head),
    hasHead: (userNo) => work.heads.has(userNo),
    heads: () => work.heads.values(),
    addMessage: (message) => addMessage(work, message),
    find: (messageId) => work.messages.get(messageId),
    listOf: (userNo) => work.byUser.get(userNo) ?? [],
    addToInbox: (message) => addToInbox(work, message),
    change: (message, next) => change(work, message, next),
    changeWithReset: (userNo, messages, next) => changeWithReset(work, userNo, messages, next),
    takePushes: () => takePushes(work),
    write: (sql) => write(work, sql),
  }
}

function addMessage(work: Work, message: WorkingMessage): void {
  if (work.messages.has(message.id)) return
  work.messages.set(message.id, message)
  const ofUser = work.byUser.get(message.userNo)
  if (ofUser === undefined) work.byUser.set(message.userNo, [message])
  else ofUser.push(message)
}

function addToInbox(work: Work, message: WorkingMessage): void {
  const head = headOf(work, message.userNo)
  const push = pushTo(work, head)
  message.seq = advance(head, null, message)
  place(message)
  push.changes.push({ seq: message.seq, op: 'add', messageId: message.id })
}

function change(work: Work, message: WorkingMessage, next: InboxState): boolean {
  const before = stateOf(message)
  const patch = patchBetween(before, next)
  const removes = before.removedAt === null && next.removedAt !== null
  if (!removes && Object.keys(patch).length === 0) return false
  setState(message, next)
  // Only the history shows the change of a message that is not, or no longer, in an inbox.
  if (message.seq === 0 || before.removedAt !== null) return true
  const head = headOf(work, message.userNo)
  const push = pushTo(work, head)
  const seq = advance(head, before, next)
  const id = message.id
  const pushed: PushedChange = removes
    ? { seq, op: 'remove', messageId: id }
    : { seq, op: 'update', messageId: id, patch }
  push.changes.push(pushed)
  work.log.push({
    environmentId: head.environmentId,
    userNo: head.userNo,
    seq,
    messageId: id,
    patch: removes ? null : patch,
  })
  return true
}

function changeWithReset(
  work: Work,
  userNo: number,
  messages: WorkingMessage[],
  next: (state: InboxState) => InboxState,
): void {
  const head = headOf(work, userNo)
  pushTo(work, head).reset = true
  for (const message of messages) {
    const before = stateOf(message)
    const after = next(before)
    advance(head, before, after)
    setState(message, after)
  }
  head.floor = head.seq
  work.log = work.log.filter((entry) => entry.userNo !== userNo)
}

/** Advances the head by one change, and returns its seq. Create the push before, which begins at the old position. */
function advance(head: WorkingHead, before: InboxState | null, after: InboxState): number {
  const was = before === null ? { unread: 0, unopened: 0 } : countsOf(before)
  const is = countsOf(after)
  head.unread = Math.max(0, head.unread + is.unread - was.unread)
  head.unopened = Math.max(0, head.unopened + is.unopened - was.unopened)
  if (head.rowState === 'same') head.rowState = 'changed'
  return ++head.seq
}

function setState(message: WorkingMessage, next: InboxState): void {
  Object.assign(message, stateOf(next))
  if (message.seq > 0) place(message)
  if (message.rowState === 'same') message.rowState = 'changed'
}

function place(message: WorkingMessage): void {
  message.section = sectionOf(message)
  message.dueAt = dueAtOf(message, message.expiresAt)
}

function headOf(work: Work, userNo: number): WorkingHead {
  const head = work.heads.get(userNo)
  if (head === undefined) throw new Error('inbox head not locked')
  return head
}

function pushTo(work: Work, head: WorkingHead): InboxPush {
  let push = work.pushes.get(head.userNo)
  if (push === undefined) {
    const epoch = epochOf(work.storeEpoch, head.userNo)
    push = { userNo: head.userNo, epoch, from: head.seq, seq: 0, unread: 0, unopened: 0, changes: [], reset: false }
    work.pushes.set(head.userNo, push)
  }
  return push
}

function takePushes(work: Work): InboxPush[] {
  if (work.pushes.size === 0) return []
  const taken = [...work.pushes.values()]
  work.pushes = new Map()
  for (const push of taken) {
    const head = headOf(work, push.userNo)
    push.seq = head.seq
    push.unread = head.unread
    push.unopened = head.unopened
    if (!push.reset) continue
    push.from = push.seq
    push.changes = []
  }
  return taken
}

async function write(work: Work, sql: Sql): Promise<void> {
  const heads = [...work.heads.values()]
  const cut = heads.filter((head) => head.rowState !== 'same' && needsCut(head))
  for (const head of cut) head.floor = Math.max(head.floor, head.seq - LOG_KEEPS)
  await writeHeads(sql, heads)
  await saveStates(
    sql,
    [...work.messages.values()].filter((message) => message.rowState === 'changed'),
  )
  await LOG_CHANGES.write(sql, work.log)
  await sql.bulk(
    CUT_LOGS,
    cut.map((head) => [head.environmentId, head.userNo, head.floor]),
  )
}

/**
 * Returns whether the log is too long, or useless because a reset moved the floor to the head. A user without changes
 * has no log.
 */
const needsCut = ({ seq, floor }: WorkingHead) => seq - floor > LOG_KEEPS + CUT_AFTER || (floor === seq && seq > 0)

/** @returns A copy with the fields of the state only. */
export function stateOf(state: InboxState): InboxState {
  const { unopened, readAt, openedAt, clickedAt, archivedAt, snoozedUntil, removedAt } = state
  return { unopened, readAt, openedAt, clickedAt, archivedAt, snoozedUntil, removedAt }
}

/** @returns The epoch of one user's inbox in one store; positions of other epochs are invalid. */
export function epochOf(storeEpoch: string, userNo: number): string {
  return `${storeEpoch}-${userNo.toString(36)}`
}
