// Reads inboxes: pages, changes, heads and due messages. Head and messages come from one statement, so they agree.

import type { InboxHead, MessagePatch } from '../../../contract/api.ts'
import type { Inboxes, InboxOwner, InboxPosition, StoredChange } from '../../domain/message.ts'
import { INBOX_HEAD } from '../tables/inbox.ts'
import { INBOX_ITEM, ITEM_OF_MESSAGE, MESSAGE, MESSAGE_OF_ITEM, STATE_FIELDS } from '../tables/message.ts'
import { type RawRow, type RowOf, view, viewBoth } from '../tables/table.ts'
import { isOpen } from './closed.ts'
import { epochOf, LOG_KEEPS } from './commit/inbox-work.ts'
import { SECTION } from './commit/list-section.ts'
import { type Param, type Sql, withRows } from './sql.ts'

const HEAD_VIEW = view(INBOX_HEAD, 'h', ['unread', 'floor'], { headSeq: 'seq', unopenedCount: 'unopened' })
export const HEAD_COLUMNS = HEAD_VIEW.columns
export type HeadRow = RowOf<typeof HEAD_VIEW>
/** Of `message m` and its `inbox_item i`. */
export const MESSAGE_VIEW = viewBoth(
  view(MESSAGE, 'm', ['id', 'createdAt'], { content: 'snapshot' }),
  view(INBOX_ITEM, 'i', ['seq', 'expiresAt', ...STATE_FIELDS]),
)
/** A row of the head's LEFT JOIN; without a message all other columns are null. */
export type Joined = RawRow & HeadRow
/** With the bytes of this message and all before it in the page. */
type SizedRow = Joined & { bytes_so_far: number | null }

const READ_HEADS = withRows(
  { environment_id: 'int', user_no: 'int' },
  `SELECT h.user_no, ${HEAD_COLUMNS} FROM given CROSS JOIN inbox_head h
    WHERE h.environment_id = given.environment_id AND h.user_no = given.user_no`,
)
const FIND_SEEN_STEPS = withRows(
  { run_id: 'int' },
  `SELECT m.run_id, m.step_id FROM given CROSS JOIN message m CROSS JOIN inbox_item i
    WHERE m.run_id = given.run_id AND ${ITEM_OF_MESSAGE} AND i.seq > 0 AND (i.read_at IS NOT NULL OR i.unopened = 0)`,
)
/** The index has opened messages too: the count of the head ends the search when all unopened ones are found. */
const UNOPENED_LIMIT =
  '(SELECT CASE WHEN unopened < ? THEN unopened ELSE ? END FROM inbox_head WHERE environment_id = ? AND user_no = ?)'
const SECTION_OF_FILTER = {
  all: SECTION.listed,
  unopened: SECTION.listed,
  archived: SECTION.archived,
  snoozed: SECTION.snoozed,
}
/** Bytes of messages that one read of an inbox takes; a message that has more is a page alone. */
export const READ_BYTES = 1024 * 1024
/** So few messages are read without being weighed. */
export const FEW_MESSAGES = 16
/** The messages of a user that were added to the inbox after a position, from `inbox_item i`; also removed ones. */
export const addedAfter = (userNo: string, since: string) =>
  `i.user_no = ${userNo} AND i.section IN (${ADDED_SECTIONS.join(', ')}) AND i.seq > ${since}`
const ADDED_SECTIONS = Object.values(SECTION).filter((section) => section !== SECTION.none)

export function createInboxes(sql: Sql, storeEpoch: string): Inboxes {
  return {
    async head(owner) {
      return toHead(storeEpoch, owner.userNo, await readHead(sql, owner))
    },
    async heads(owners) {
      const rows = await sql.bulk<HeadRow & { user_no: number }>(
        READ_HEADS,
        owners.map(({ environmentId, userNo }) => [environmentId, userNo]),
      )
      const found = new Map(rows.map((row) => [row.user_no, row]))
      return new Map(owners.map(({ userNo }) => [userNo, toHead(storeEpoch, userNo, found.get(userNo))]))
    },
    async page(position) {
      const rows = await readPage(sql, position)
      const messages = rows.flatMap((row) => (row.id === null ? [] : [MESSAGE_VIEW.read(row)])).slice(0, position.limit)
      // A scan that ended early weighs enough by itself.
      const hasMore = rows.length > position.limit || Number(rows.at(-1)?.bytes_so_far ?? 0) >= READ_BYTES
      return { messages, hasMore, head: toHead(storeEpoch, position.userNo, rows[0]) }
    },
    changes: (owner, since, epoch) => changes(sql, storeEpoch, owner, since, epoch),
    async find({ environmentId, userNo }, messageId) {
      const text = `SELECT ${MESSAGE_VIEW.columns} FROM inbox_item i CROSS JOIN message m
        WHERE i.environment_id = ? AND i.message_id = ? AND i.user_no = ? AND i.seq > 0 AND i.removed_at IS NULL AND ${MESSAGE_OF_ITEM}`
      const row = await sql.one<RawRow>(text, [environmentId, messageId, userNo])
      return row && MESSAGE_VIEW.read(row)
    },
    listDue: (now, limit) => listDue(sql, now, limit),
    async listOfEntity({ environmentId, userNo }, entity, limit) {
      // Unopened messages first, because a mark changes only these.
      const text = `SELECT message_id AS id FROM inbox_item WHERE user_no = ? AND entity = ? AND environment_id = ? AND removed_at IS NULL AND seq > 0 ORDER BY unopened DESC, message_id DESC LIMIT ?`
      return (await sql.all<{ id: number }>(text, [userNo, entity, environmentId, limit])).map((row) => row.id)
    },
    async findSeenSteps(runIds) {
      const rows = await sql.bulk<{ run_id: number; step_id: string }>(
        FIND_SEEN_STEPS,
        runIds.map((id) => [id]),
      )
      const seen = new Map<number, Set<string>>()
      for (const { run_id, step_id } of rows) seen.set(run_id, (seen.get(run_id) ?? new Set()).add(step_id))
      return seen
    },
  }
}

function readHead(sql: Sql, { environmentId, userNo }: InboxOwner): Promise<HeadRow | undefined> {
  const text = `SELECT ${HEAD_COLUMNS} FROM inbox_head h WHERE h.environment_id = ? AND h.user_no = ?`
  return sql.one<HeadRow>(text, [environmentId, userNo])
}

/** @returns The position of an inbox; all zero without a row. */
export function toHead(storeEpoch: string, userNo: number, row: HeadRow | undefined): InboxHead {
  return {
    epoch: epochOf(storeEpoch, userNo),
    seq: row?.headSeq ?? 0,
    unread: row?.unread ?? 0,
    unopened: row?.unopenedCount ?? 0,
  }
}

async function listDue(sql: Sql, now: number, limit: number): ReturnType<Inboxes['listDue']> {
  const rows = await sql.all<RowOf<typeof DUE_VIEW>>(
    `SELECT ${DUE_VIEW.columns} FROM inbox_item WHERE due_at IS NOT NULL AND due_at <= ? AND ${isOpen('environment_id')}
      ORDER BY due_at LIMIT ?`,
    [now, limit],
  )
  return rows.map(({ expiresAt, ...message }) => {
    return { ...message, due: expiresAt !== null && expiresAt <= now ? 'expire' : 'end-snooze' }
  })
}

const DUE_VIEW = view(INBOX_ITEM, '', ['environmentId', 'userNo', 'expiresAt'], { messageId: 'id' })

async function changes(
  sql: Sql,
  storeEpoch: string,
  owner: InboxOwner,
  since: number,
  epoch: string | null,
): ReturnType<Inboxes['changes']> {
  const head = toHead(storeEpoch, owner.userNo, await readHead(sql, owner))
  const reset = { head, changes: [], reset: true }
  if (since > head.seq || (epoch !== null && epoch !== head.epoch)) return reset
  if (since === head.seq) return { head, changes: [], reset: false }
  if (head.seq - since > FEW_MESSAGES && (await weighAdded(sql, owner, since)) > READ_BYTES) return reset
  const rows = await readChanges(sql, owner, since)
  const row = rows[0]
  if (row === undefined || since < oldestKnown(row)) return reset
  return { head: toHead(storeEpoch, owner.userNo, row), changes: rows.flatMap(toChange), reset: false }
}

/** @returns The oldest seq after which the log has all changes; a log may contain more rows than it guarantees. */
export const oldestKnown = (row: HeadRow) => Math.max(row.floor, row.headSeq - LOG_KEEPS)

/** @returns The bytes of the messages that were added after `since`. */
async function weighAdded(sql: Sql, { userNo }: InboxOwner, since: number): Promise<number> {
  const text = `SELECT SUM(octet_length(m.snapshot)) AS bytes FROM inbox_item i CROSS JOIN message m
    WHERE ${addedAfter('?', '?')} AND ${MESSAGE_OF_ITEM}`
  const row = await sql.one<{ bytes: number | null }>(text, [userNo, since])
  return Number(row?.bytes ?? 0)
}

/** Reads one message more than the page has, if there is one; all up to `READ_BYTES`. */
function readPage(
  sql: Sql,
  { environmentId, userNo, filter, category, before, now, limit }: InboxPosition,
): Promise<SizedRow[]> {
  const atMost = limit + 1
  const params: Param[] = [userNo, before ?? Number.MAX_SAFE_INTEGER, now]
  if (category !== null) params.push(category)
  const isUnopened = filter === 'unopened'
  params.push(...(isUnopened ? [atMost, atMost, environmentId, userNo] : [atMost]))
  const most = isUnopened ? UNOPENED_LIMIT : '?'
  const newest = `SELECT * FROM inbox_item WHERE user_no = ? AND section = ${SECTION_OF_FILTER[filter]} AND seq < ?
    AND (expires_at IS NULL OR expires_at > ?) ${category === null ? '' : 'AND category = ?'} ${isUnopened ? 'AND unopened = 1' : ''}
    ORDER BY seq DESC LIMIT ${most}`
  const sized = `SELECT ${MESSAGE_VIEW.columns}, octet_length(m.snapshot) AS bytes,
    SUM(octet_length(m.snapshot)) OVER (ORDER BY i.seq DESC ROWS UNBOUNDED PRECEDING) AS bytes_so_far
    FROM (${newest}) AS i CROSS JOIN message m WHERE ${MESSAGE_OF_ITEM}`
  return sql.all<SizedRow>(
    `SELECT ${HEAD_COLUMNS}, p.* FROM inbox_head h
      LEFT JOIN (SELECT * FROM (${sized}) AS sized WHERE bytes_so_far - bytes < ${READ_BYTES}) AS p ON 1 = 1
      WHERE h.environment_id = ? AND h.user_no = ? ORDER BY p.seq DESC`,
    [...params, environmentId, userNo],
  )
}

export interface ChangeRow extends Joined {
  change_seq: number | null
  message_id: number | null
  op: 'add' | 'logged' | null
  patch: string | null
}

/** Reads changes. An add has the message's current state, even when it is removed now, so that no seq is missing. */
function readChanges(sql: Sql, { environmentId, userNo }: InboxOwner, since: number): Promise<ChangeRow[]> {
  return sql.all<ChangeRow>(
    `SELECT ${HEAD_COLUMNS}, c.seq AS change_seq, c.message_id, c.op, c.patch, ${MESSAGE_VIEW.columns} FROM inbox_head h
      LEFT JOIN (SELECT * FROM (
        SELECT seq, message_id, 'logged' AS op, patch, environment_id FROM inbox_change
          WHERE environment_id = ? AND user_no = ? AND seq > ?
        UNION ALL SELECT i.seq, i.message_id, 'add', NULL, i.environment_id FROM inbox_item i WHERE ${addedAfter('?', '?')}
      ) AS both_kinds ORDER BY seq LIMIT ?) AS c ON 1 = 1
      LEFT JOIN message m ON c.op = 'add' AND m.environment_id = c.environment_id AND m.id = c.message_id
      LEFT JOIN inbox_item i ON i.environment_id = m.environment_id AND i.message_id = m.id
      WHERE h.environment_id = ? AND h.user_no = ? ORDER BY c.seq`,
    [environmentId, userNo, since, userNo, since, LOG_KEEPS + 1, environmentId, userNo],
  )
}

/** @returns The change of a row in a list; an empty list for a row with the head only. */
export function toChange(row: ChangeRow): StoredChange[] {
  const { change_seq: seq, message_id: messageId, patch } = row
  if (seq === null || messageId === null) return []
  if (row.id !== null) return [{ seq, op: 'add', message: MESSAGE_VIEW.read(row) }]
  if (patch === null) return [{ seq, op: 'remove', messageId }]
  return [{ seq, op: 'update', messageId, patch: JSON.parse(patch) as MessagePatch }]
}
