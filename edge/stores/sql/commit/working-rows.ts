// Messages and heads as a batch works on them: read under the heads' locks, changed in memory, written once at the end.

import type { InboxState } from '../../../domain/message.ts'
import { type Columns, insertRows, type Param, type Sql, toFlag, withRows } from '../sql.ts'
import { SHELF, shelfOf } from './shelf.ts'

export interface WorkingMessage extends InboxState {
  id: number
  environmentId: number
  userNo: number
  /** 0: never in an inbox. */
  seq: number
  campaignId: number
  version: number
  branch: string | null
  channel: string
  isTest: boolean
  createdAt: number
  deliveredAt: number | null
  collapseKey: string | null
  /** Against what is stored. */
  standing: 'new' | 'same' | 'changed'
}

export interface WorkingHead {
  userNo: number
  seq: number
  unread: number
  unopened: number
  /** Changes at or below it may be missing from the log. */
  floor: number
  /** Against what is stored. */
  standing: 'new' | 'same' | 'changed'
}

interface MessageRow {
  id: number
  environment_id: number
  user_no: number
  seq: number
  campaign_id: number
  version: number
  branch: string | null
  channel: string
  is_test: number
  created_at: number
  delivered_at: number | null
  collapse_key: string | null
  unopened: number
  read_at: number | null
  opened_at: number | null
  clicked_at: number | null
  archived_at: number | null
  snoozed_until: number | null
  removed_at: number | null
}

const STATE_COLUMNS = `m.id, m.environment_id, m.user_no, m.seq, m.campaign_id, m.version, m.branch, m.channel, m.is_test, m.created_at,
  m.delivered_at, m.collapse_key, m.unopened, m.read_at, m.opened_at, m.clicked_at, m.archived_at, m.snoozed_until, m.removed_at`

const READ_OWNERS = withRows({ id: 'int' }, 'SELECT m.user_no FROM given CROSS JOIN message m WHERE m.id = given.id')
const READ_MESSAGES = withRows(
  { id: 'int' },
  `SELECT ${STATE_COLUMNS} FROM given CROSS JOIN message m WHERE m.id = given.id`,
)
const READ_COLLAPSED = withRows(
  { user_no: 'int', collapse_key: 'text' },
  `SELECT ${STATE_COLUMNS} FROM given CROSS JOIN message m
    WHERE m.user_no = given.user_no AND m.collapse_key = given.collapse_key AND m.collapse_key IS NOT NULL AND m.removed_at IS NULL`,
)
const HEAD_COLUMNS: Columns = { user_no: 'int', seq: 'int', unread: 'int', unopened: 'int', floor: 'int' }
const readHeads = (forUpdate: string) =>
  withRows(
    { user_no: 'int' },
    `SELECT h.user_no, h.seq, h.unread, h.unopened, h.floor FROM given CROSS JOIN inbox_head h WHERE h.user_no = given.user_no${forUpdate}`,
  )
const READ_HEADS = readHeads('')
const READ_HEADS_LOCKED = readHeads(' ORDER BY h.user_no FOR UPDATE OF h')
const WRITE_HEADS = insertRows(
  'inbox_head',
  HEAD_COLUMNS,
  `ON CONFLICT (user_no) DO UPDATE SET seq = excluded.seq, unread = excluded.unread, unopened = excluded.unopened, floor = excluded.floor`,
)
const CREATE_HEADS = insertRows('inbox_head', HEAD_COLUMNS)
const SAVE_STATES = withRows(
  {
    id: 'int',
    shelf: 'int',
    unopened: 'int',
    read_at: 'int',
    opened_at: 'int',
    clicked_at: 'int',
    archived_at: 'int',
    snoozed_until: 'int',
    removed_at: 'int',
  },
  `UPDATE message SET shelf = given.shelf, unopened = given.unopened, read_at = given.read_at, opened_at = given.opened_at,
    clicked_at = given.clicked_at, archived_at = given.archived_at, snoozed_until = given.snoozed_until, removed_at = given.removed_at
    FROM given WHERE message.id = given.id`,
)

/** Whose messages these are: asked before the heads are locked. */
export async function readOwners(sql: Sql, ids: number[]): Promise<number[]> {
  const rows = await sql.bulk<{ user_no: number }>(READ_OWNERS, toRows(ids))
  return rows.map((row) => row.user_no)
}

/** Locks the heads until the end of the transaction, in order of the user numbers. */
export async function lockHeads(sql: Sql, userNos: number[]): Promise<WorkingHead[]> {
  const sorted = userNos.sort((a, b) => a - b)
  const statement = sql.forUpdate === '' ? READ_HEADS : READ_HEADS_LOCKED
  const rows = await sql.bulk<Omit<WorkingHead, 'userNo' | 'standing'> & { user_no: number }>(statement, toRows(sorted))
  return rows.map(({ user_no, ...counts }) => ({ userNo: user_no, ...counts, standing: 'same' }))
}

export async function readMessages(sql: Sql, ids: number[]): Promise<WorkingMessage[]> {
  return (await sql.bulk<MessageRow>(READ_MESSAGES, toRows(ids))).map(toWorking)
}

/** Messages that are still there under a collapse key. */
export async function readCollapsed(sql: Sql, keys: [userNo: number, key: string][]): Promise<WorkingMessage[]> {
  return (await sql.bulk<MessageRow>(READ_COLLAPSED, keys)).map(toWorking)
}

/** Messages in the list with their dot, up to a seq. */
export async function readUnopened(sql: Sql, userNo: number, upTo: number): Promise<WorkingMessage[]> {
  const rows = await sql.all<MessageRow>(
    `SELECT ${STATE_COLUMNS} FROM message m WHERE m.user_no = ? AND m.shelf = ${SHELF.unopened} AND m.seq <= ?`,
    [userNo, upTo],
  )
  return rows.map(toWorking)
}

/** Of a user who was created in this transaction. */
export function emptyHead(userNo: number): WorkingHead {
  return { userNo, seq: 0, unread: 0, unopened: 0, floor: 0, standing: 'new' }
}

export async function createHeads(sql: Sql, heads: WorkingHead[]): Promise<void> {
  await sql.bulk(CREATE_HEADS, heads.map(headRow))
}

/** Those that are new or changed. */
export async function writeHeads(sql: Sql, heads: WorkingHead[]): Promise<void> {
  await createHeads(
    sql,
    heads.filter(({ standing }) => standing === 'new'),
  )
  await sql.bulk(WRITE_HEADS, heads.filter(({ standing }) => standing === 'changed').map(headRow))
}

const headRow = ({ userNo, seq, unread, unopened, floor }: WorkingHead) => [userNo, seq, unread, unopened, floor]

/** Writes the changed states of stored messages. */
export async function saveStates(sql: Sql, messages: WorkingMessage[]): Promise<void> {
  await sql.bulk(
    SAVE_STATES,
    messages.map((message) => [message.id, ...stateParams(message)]),
  )
}

/** shelf, unopened, read_at, opened_at, clicked_at, archived_at, snoozed_until, removed_at. */
export function stateParams(message: WorkingMessage): Param[] {
  return [
    message.seq === 0 ? SHELF.none : shelfOf(message),
    toFlag(message.unopened),
    message.readAt,
    message.openedAt,
    message.clickedAt,
    message.archivedAt,
    message.snoozedUntil,
    message.removedAt,
  ]
}

function toWorking(row: MessageRow): WorkingMessage {
  return {
    id: row.id,
    environmentId: row.environment_id,
    userNo: row.user_no,
    seq: row.seq,
    campaignId: row.campaign_id,
    version: row.version,
    branch: row.branch,
    channel: row.channel,
    isTest: row.is_test === 1,
    createdAt: row.created_at,
    deliveredAt: row.delivered_at,
    collapseKey: row.collapse_key,
    unopened: row.unopened === 1,
    readAt: row.read_at,
    openedAt: row.opened_at,
    clickedAt: row.clicked_at,
    archivedAt: row.archived_at,
    snoozedUntil: row.snoozed_until,
    removedAt: row.removed_at,
    standing: 'same',
  }
}

const toRows = (numbers: number[]) => numbers.map((number) => [number])
