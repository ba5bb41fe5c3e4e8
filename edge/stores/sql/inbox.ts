// The inbox as it is read: pages, changes, heads, what falls due (contract section 5). Head and messages come from one statement, so they agree.

import type { InboxHead, MessageContent, MessagePatch } from '../../../contract/api.ts'
import type { Inboxes, InboxPosition, StoredChange, StoredMessage } from '../../domain/message.ts'
import { epochOf, LOG_KEEPS } from './commit/inbox-work.ts'
import { SHELF } from './commit/shelf.ts'
import { type Param, type Sql, withRows } from './sql.ts'

export interface HeadRow {
  head_seq: number
  unread: number
  unopened_count: number
  floor: number
}
export interface MessageRow {
  id: number
  seq: number
  snapshot: string
  created_at: number
  expires_at: number | null
  unopened: number
  read_at: number | null
  opened_at: number | null
  clicked_at: number | null
  archived_at: number | null
  snoozed_until: number | null
  removed_at: number | null
}
/** Of the head's LEFT JOIN: all null where there is no message. */
export type Joined<T> = HeadRow & { [K in keyof T]: T[K] | null }

export const HEAD_COLUMNS = 'h.seq AS head_seq, h.unread, h.unopened AS unopened_count, h.floor'
export const MESSAGE_COLUMNS = `m.id, m.seq, m.snapshot, m.created_at, m.expires_at, m.unopened, m.read_at, m.opened_at, m.clicked_at,
  m.archived_at, m.snoozed_until, m.removed_at`
const READ_HEADS = withRows(
  { user_no: 'int' },
  `SELECT h.user_no, ${HEAD_COLUMNS} FROM given CROSS JOIN inbox_head h WHERE h.user_no = given.user_no`,
)
const SEEN_STEPS = withRows(
  { run_id: 'int' },
  `SELECT m.run_id, m.step_id FROM given CROSS JOIN message m
    WHERE m.run_id = given.run_id AND m.seq > 0 AND (m.read_at IS NOT NULL OR m.unopened = 0)`,
)
const SHELVES = {
  all: [SHELF.unopened, SHELF.opened],
  unopened: [SHELF.unopened],
  archived: [SHELF.archived],
  snoozed: [SHELF.snoozed],
}
export const EVERY_SHELF = Object.values(SHELF).filter((shelf) => shelf !== SHELF.none)

export function createInboxes(sql: Sql, storeEpoch: string): Inboxes {
  return {
    async head(userNo) {
      return toHead(storeEpoch, userNo, await readHead(sql, userNo))
    },
    async heads(userNos) {
      const rows = await sql.bulk<HeadRow & { user_no: number }>(
        READ_HEADS,
        userNos.map((userNo) => [userNo]),
      )
      const found = new Map(rows.map((row) => [row.user_no, row]))
      return new Map(userNos.map((userNo) => [userNo, toHead(storeEpoch, userNo, found.get(userNo))]))
    },
    async page(position) {
      const rows = await readPage(sql, position)
      const messages = rows.flatMap((row) => (isMessage(row) ? [toMessage(row)] : []))
      return { messages, head: toHead(storeEpoch, position.userNo, rows[0]) }
    },
    changes: (userNo, since, epoch) => changes(sql, storeEpoch, userNo, since, epoch),
    async find(userNo, messageId) {
      const text = `SELECT ${MESSAGE_COLUMNS} FROM message m WHERE m.id = ? AND m.user_no = ? AND m.seq > 0 AND m.removed_at IS NULL`
      const row = await sql.one<MessageRow>(text, [messageId, userNo])
      return row && toMessage(row)
    },
    listDue: (now, limit) => listDue(sql, now, limit),
    async listOfEntity(userNo, entity, limit) {
      // Those with a dot first: they are the ones that marking changes.
      const text = `SELECT id FROM message WHERE user_no = ? AND entity = ? AND removed_at IS NULL AND seq > 0 ORDER BY unopened DESC, id DESC LIMIT ?`
      return (await sql.all<{ id: number }>(text, [userNo, entity, limit])).map((row) => row.id)
    },
    async findSeenSteps(runIds) {
      const rows = await sql.bulk<{ run_id: number; step_id: string }>(
        SEEN_STEPS,
        runIds.map((id) => [id]),
      )
      const seen = new Map<number, Set<string>>()
      for (const { run_id, step_id } of rows) seen.set(run_id, (seen.get(run_id) ?? new Set()).add(step_id))
      return seen
    },
  }
}

function readHead(sql: Sql, userNo: number): Promise<HeadRow | undefined> {
  return sql.one<HeadRow>(`SELECT ${HEAD_COLUMNS} FROM inbox_head h WHERE h.user_no = ?`, [userNo])
}

export function toHead(storeEpoch: string, userNo: number, row: HeadRow | undefined): InboxHead {
  return {
    epoch: epochOf(storeEpoch, userNo),
    seq: row?.head_seq ?? 0,
    unread: row?.unread ?? 0,
    unopened: row?.unopened_count ?? 0,
  }
}

async function listDue(sql: Sql, now: number, limit: number): ReturnType<Inboxes['listDue']> {
  const found: Awaited<ReturnType<Inboxes['listDue']>> = []
  for (const [due, column] of [
    ['expire', 'expires_at'],
    ['wake', 'snoozed_until'],
  ] as const) {
    const rows = await sql.all<{ environment_id: number; user_no: number; id: number }>(
      `SELECT environment_id, user_no, id FROM message WHERE ${column} IS NOT NULL AND ${column} <= ? AND removed_at IS NULL AND seq > 0
        ORDER BY ${column} LIMIT ?`,
      [now, limit - found.length],
    )
    for (const row of rows) {
      found.push({ environmentId: row.environment_id, userNo: row.user_no, messageId: row.id, due })
    }
  }
  return found
}

async function changes(
  sql: Sql,
  storeEpoch: string,
  userNo: number,
  since: number,
  epoch: string | null,
): ReturnType<Inboxes['changes']> {
  const head = toHead(storeEpoch, userNo, await readHead(sql, userNo))
  const reset = { head, changes: [], reset: true }
  if (since > head.seq || (epoch !== null && epoch !== head.epoch)) return reset
  if (since === head.seq) return { head, changes: [], reset: false }
  const rows = await readChanges(sql, userNo, since)
  const row = rows[0]
  if (row === undefined || since < oldestKnown(row)) return reset
  return { head: toHead(storeEpoch, userNo, row), changes: rows.flatMap(toChange), reset: false }
}

/** Where the log begins: also a full log answers no more than it promises to keep. */
export const oldestKnown = (row: HeadRow) => Math.max(row.floor, row.head_seq - LOG_KEEPS)

function readPage(sql: Sql, position: InboxPosition): Promise<Joined<MessageRow>[]> {
  const { userNo, filter, category, before, limit, now } = position
  const params: Param[] = []
  // Each shelf stops by itself at the limit: the index gives them in order, and none is sorted as a whole.
  const shelves = SHELVES[filter].map((shelf) => {
    params.push(userNo, before ?? Number.MAX_SAFE_INTEGER, now)
    if (category !== null) params.push(category)
    params.push(limit)
    return `SELECT * FROM (SELECT id, seq FROM message WHERE user_no = ? AND shelf = ${shelf} AND seq < ? AND (expires_at IS NULL OR expires_at > ?)
      ${category === null ? '' : 'AND category = ?'} ORDER BY seq DESC LIMIT ?) AS shelf${shelf}`
  })
  return sql.all<Joined<MessageRow>>(
    `SELECT ${HEAD_COLUMNS}, ${MESSAGE_COLUMNS} FROM inbox_head h
      LEFT JOIN (SELECT * FROM (${shelves.join(' UNION ALL ')}) AS shelves ORDER BY seq DESC LIMIT ?) AS p ON 1 = 1
      LEFT JOIN message m ON m.id = p.id WHERE h.user_no = ? ORDER BY p.seq DESC`,
    [...params, limit, userNo],
  )
}

export interface ChangeRow extends MessageRow {
  change_seq: number
  message_id: number
  op: 'add' | 'logged'
  patch: string | null
}

/** Adds are the messages themselves, as they are now; those that were removed since too, so that no seq is missing. */
function readChanges(sql: Sql, userNo: number, since: number): Promise<Joined<ChangeRow>[]> {
  return sql.all<Joined<ChangeRow>>(
    `SELECT ${HEAD_COLUMNS}, c.seq AS change_seq, c.message_id, c.op, c.patch, ${MESSAGE_COLUMNS} FROM inbox_head h
      LEFT JOIN (SELECT * FROM (
        SELECT seq, message_id, 'logged' AS op, patch FROM inbox_change WHERE user_no = ? AND seq > ?
        UNION ALL SELECT seq, id, 'add', NULL FROM message WHERE user_no = ? AND shelf IN (${EVERY_SHELF.join(', ')}) AND seq > ?
      ) AS both_kinds ORDER BY seq LIMIT ?) AS c ON 1 = 1
      LEFT JOIN message m ON m.id = c.message_id AND c.op = 'add' WHERE h.user_no = ? ORDER BY c.seq`,
    [userNo, since, userNo, since, LOG_KEEPS + 1, userNo],
  )
}

export function toChange(row: Joined<ChangeRow>): StoredChange[] {
  const { change_seq: seq, message_id: messageId, patch } = row
  if (seq === null || messageId === null) return []
  if (isMessage(row)) return [{ seq, op: 'add', message: toMessage(row) }]
  if (patch === null) return [{ seq, op: 'remove', messageId }]
  return [{ seq, op: 'update', messageId, patch: JSON.parse(patch) as MessagePatch }]
}

function isMessage<T extends Joined<MessageRow>>(row: T): row is T & MessageRow {
  return row.id !== null
}

function toMessage(row: MessageRow): StoredMessage {
  return {
    id: row.id,
    seq: row.seq,
    content: JSON.parse(row.snapshot) as MessageContent,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    unopened: row.unopened === 1,
    readAt: row.read_at,
    openedAt: row.opened_at,
    clickedAt: row.clicked_at,
    archivedAt: row.archived_at,
    snoozedUntil: row.snoozed_until,
    removedAt: row.removed_at,
  }
}
