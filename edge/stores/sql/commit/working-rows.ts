// Reads messages and heads of a batch under the locks of the heads, and writes the changed ones.

import type { InboxOwner } from '../../../domain/message.ts'
import { INBOX_HEAD } from '../../tables/inbox.ts'
import { INBOX_ITEM, ITEM_OF_MESSAGE, MESSAGE, MESSAGE_OF_ITEM, STATE_FIELDS } from '../../tables/message.ts'
import { insertInto, type RawRow, type RowOf, replaceInto, updateRows, view, viewBoth } from '../../tables/table.ts'
import { type Sql, withRows } from '../sql.ts'
import { SECTION } from './list-section.ts'

const ITEM_VIEW = view(INBOX_ITEM, 'i', [
  'channel',
  'isTest',
  'seq',
  'section',
  'collapseKey',
  'deliveredAt',
  'expiresAt',
  'dueAt',
  ...STATE_FIELDS,
])
const MESSAGE_VIEW = viewBoth(
  view(MESSAGE, 'm', ['id', 'environmentId', 'userNo', 'campaignId', 'version', 'branch', 'stepId', 'createdAt']),
  ITEM_VIEW,
)
const HEAD_VIEW = view(INBOX_HEAD, 'h', ['environmentId', 'userNo', 'seq', 'unread', 'unopened', 'floor'])

interface Tracked {
  /** How the object differs from the stored row. */
  rowState: 'new' | 'same' | 'changed'
}
export type WorkingMessage = RowOf<typeof MESSAGE_VIEW> & Tracked
export type WorkingHead = RowOf<typeof HEAD_VIEW> & Tracked

const KEY = { environment_id: 'int', id: 'int' } as const
const READ_OWNERS = withRows(
  KEY,
  `SELECT m.environment_id, m.user_no FROM given CROSS JOIN message m
    WHERE m.environment_id = given.environment_id AND m.id = given.id`,
)
const READ_MESSAGES = withRows(
  KEY,
  `SELECT ${MESSAGE_VIEW.columns} FROM given CROSS JOIN message m CROSS JOIN inbox_item i
    WHERE m.environment_id = given.environment_id AND m.id = given.id AND ${ITEM_OF_MESSAGE}`,
)
const READ_COLLAPSED = withRows(
  { user_no: 'int', collapse_key: 'text' },
  `SELECT ${MESSAGE_VIEW.columns} FROM given CROSS JOIN inbox_item i CROSS JOIN message m
    WHERE i.user_no = given.user_no AND i.collapse_key = given.collapse_key AND i.collapse_key IS NOT NULL AND i.removed_at IS NULL
      AND ${MESSAGE_OF_ITEM}`,
)
const readHeads = (forUpdate: string) =>
  withRows(
    { environment_id: 'int', user_no: 'int' },
    `SELECT ${HEAD_VIEW.columns} FROM given CROSS JOIN inbox_head h
      WHERE h.environment_id = given.environment_id AND h.user_no = given.user_no${forUpdate}`,
  )
const READ_HEADS = readHeads('')
const READ_HEADS_LOCKED = readHeads(' ORDER BY h.user_no FOR UPDATE OF h')
const WRITE_HEADS = replaceInto(INBOX_HEAD, ['environmentId', 'userNo'])
const CREATE_HEADS = insertInto(INBOX_HEAD)
const SAVE_STATES = updateRows(INBOX_ITEM, ['environmentId', 'id'], ['section', 'dueAt', ...STATE_FIELDS])

/** The primary key of a message. */
export type MessageKey = readonly [environmentId: number, id: number]

/** @returns The users of messages; call it before the heads are locked. */
export async function readOwners(sql: Sql, keys: readonly MessageKey[]): Promise<InboxOwner[]> {
  const rows = await sql.bulk<{ environment_id: number; user_no: number }>(READ_OWNERS, keys.map(toRow))
  return rows.map((row) => ({ environmentId: row.environment_id, userNo: row.user_no }))
}

/** Reads and locks the heads until the end of the transaction, in the order of the user numbers. */
export async function lockHeads(sql: Sql, owners: readonly InboxOwner[]): Promise<WorkingHead[]> {
  const sorted = owners.toSorted((a, b) => a.userNo - b.userNo)
  const statement = sql.forUpdate === '' ? READ_HEADS : READ_HEADS_LOCKED
  const rows = await sql.bulk<RowOf<typeof HEAD_VIEW>>(
    statement,
    sorted.map(({ environmentId, userNo }) => [environmentId, userNo]),
  )
  // A literal, so that all heads have the same shape for the JavaScript engine.
  return rows.map(({ environmentId, userNo, seq, unread, unopened, floor }) => {
    return { environmentId, userNo, seq, unread, unopened, floor, rowState: 'same' }
  })
}

/** @returns The stored messages with these keys. */
export async function readMessages(sql: Sql, keys: readonly MessageKey[]): Promise<WorkingMessage[]> {
  return (await sql.bulk<RawRow>(READ_MESSAGES, keys.map(toRow))).map(toWorking)
}

/** @returns The messages with these collapse keys that are not removed. */
export async function readCollapsed(sql: Sql, keys: [userNo: number, key: string][]): Promise<WorkingMessage[]> {
  return (await sql.bulk<RawRow>(READ_COLLAPSED, keys)).map(toWorking)
}

/** @returns The unopened messages of the list whose seq is at most `upTo`. */
export async function readUnopened(sql: Sql, userNo: number, upTo: number): Promise<WorkingMessage[]> {
  const rows = await sql.all<RawRow>(
    `SELECT ${MESSAGE_VIEW.columns} FROM inbox_item i CROSS JOIN message m
      WHERE i.user_no = ? AND i.section = ${SECTION.listed} AND i.seq <= ? AND i.unopened = 1 AND ${MESSAGE_OF_ITEM}`,
    [userNo, upTo],
  )
  return rows.map(toWorking)
}

/** @returns The head of a user who is created in this transaction. */
export function emptyHead({ environmentId, userNo }: InboxOwner): WorkingHead {
  return { environmentId, userNo, seq: 0, unread: 0, unopened: 0, floor: 0, rowState: 'new' }
}

/** Inserts the heads of new users. */
export async function createHeads(sql: Sql, heads: WorkingHead[]): Promise<void> {
  await CREATE_HEADS.write(sql, heads)
}

/** Inserts new heads, and updates changed ones. */
export async function writeHeads(sql: Sql, heads: WorkingHead[]): Promise<void> {
  await createHeads(
    sql,
    heads.filter(({ rowState }) => rowState === 'new'),
  )
  await WRITE_HEADS.write(
    sql,
    heads.filter(({ rowState }) => rowState === 'changed'),
  )
}

/** Writes the changed states of stored messages. */
export async function saveStates(sql: Sql, messages: WorkingMessage[]): Promise<void> {
  await SAVE_STATES.write(sql, messages)
}

const toWorking = (row: RawRow): WorkingMessage => ({ ...MESSAGE_VIEW.read(row), rowState: 'same' })

const toRow = ([environmentId, id]: MessageKey) => [environmentId, id]
