// Lists the tables that have rows of an environment, and how each row's dependent rows are found through an index.

import { type Columns, type RowsStatement, type Sql, withRows } from './sql.ts'

export type SliceRow = Record<string, string | number | null>

/** A table whose rows are removed slice by slice, those of its children first. */
export interface Part {
  table: string
  key: Columns
  /** Further columns, to which children and `onSlice` refer. */
  refs?: Columns
  /** Chooses an index that has only some rows. */
  where?: string
  children?: readonly Child[]
  /** Called before a slice is removed. */
  onSlice?: 'remove-recipients' | 'forget-users'
}

/** Rows whose `column` equals the column `of` of their parent. */
export type Child = Part & { column: string; of: string }

const by = (column: string, of: string, part: Part): Child => ({ ...part, column, of })

const WAIT: Part = { table: 'run_wait', key: { run_id: 'int' } }
const SESSION: Part = { table: 'session', key: { id: 'int' } }
const MAIL: Part = { table: 'mail', key: { message_id: 'int' } }
const KEPT_MAIL: Part = { table: 'kept_mail', key: { message_id: 'int' } }
const DIGEST_WINDOW: Part = { table: 'digest_window', key: { run_id: 'int' } }
const TOPIC_SUBSCRIBER: Part = { table: 'topic_subscriber', key: { topic_no: 'int', place: 'int' } }
const EXTERNAL_ID: Part = { table: 'external_id', key: { environment_id: 'int', system: 'text', value: 'text' } }
const BODY_KEY: Columns = { environment_id: 'int', source_id: 'int', body_id: 'text' }
const JOB: Part = { table: 'job', key: { environment_id: 'int', id: 'int' } }

const RUN: Part = {
  table: 'run',
  key: { id: 'int' },
  children: [
    by('run_id', 'id', WAIT),
    by('run_id', 'id', { table: 'run_arrival', key: { run_id: 'int', event_id: 'int' } }),
    by('run_id', 'id', { table: 'digest_event', key: { run_id: 'int', place: 'int' } }),
    by('run_id', 'id', DIGEST_WINDOW),
  ],
}
/** The run of a wait, which has all that the wait has. */
const RUN_OF_WAIT = [by('id', 'run_id', RUN)]

const inbox = [
  by('user_no', 'user_no', { table: 'inbox_change', key: { user_no: 'int', seq: 'int' } }),
  by('user_no', 'user_no', { table: 'inbox_head', key: { user_no: 'int' } }),
]
const COUNTER_KEY: Columns = {
  environment_id: 'int',
  campaign_id: 'int',
  channel: 'text',
  hour: 'int',
  version: 'int',
  branch: 'text',
  slot: 'int',
}

const OF_USER: readonly Child[] = [
  by('user_no', 'user_no', { ...WAIT, children: RUN_OF_WAIT }),
  by('user_no', 'user_no', { ...RUN, where: 'has_message = 0' }),
  ...inbox,
  by('user_no', 'user_no', {
    table: 'throttle_window',
    key: { user_no: 'int', campaign_id: 'int', step_id: 'text' },
  }),
  by('user_no', 'user_no', DIGEST_WINDOW),
  by('user_no', 'user_no', { table: 'user_preference', key: { user_no: 'int' } }),
  by('user_no', 'user_no', TOPIC_SUBSCRIBER),
  by('user_no', 'user_no', EXTERNAL_ID),
  by('user_no', 'user_no', SESSION),
]

/** Tables whose rows name their environment: what would still send comes first, campaigns come last. */
export const ENVIRONMENT_PARTS: readonly Part[] = [
  { ...MAIL, where: 'due_at IS NOT NULL' },
  { ...WAIT, where: 'due_at IS NOT NULL', children: RUN_OF_WAIT },
  { ...WAIT, where: 'given_up_at IS NOT NULL', children: RUN_OF_WAIT },
  { ...JOB, where: 'due_at IS NOT NULL' },
  { ...JOB, where: 'due_at IS NULL' },
  { table: 'source', key: { environment_id: 'int', id: 'int' } },
  { table: 'source_delivery', key: { environment_id: 'int', source_id: 'int', place: 'int' } },
  { table: 'source_body', key: BODY_KEY },
  { table: 'source_body_item', key: { ...BODY_KEY, place: 'int' } },
  { table: 'source_run', key: { environment_id: 'int', source_id: 'int' } },
  {
    table: 'message',
    key: { environment_id: 'int', id: 'int' },
    refs: { run_id: 'int', user_no: 'int' },
    children: [by('message_id', 'id', MAIL), by('message_id', 'id', KEPT_MAIL), by('id', 'run_id', RUN), ...inbox],
  },
  { table: 'inbox_item', key: { environment_id: 'int', message_id: 'int' } },
  { table: 'delivery_event', key: { environment_id: 'int', event_type: 'text', message_id: 'int' } },
  {
    table: 'tracked_event',
    key: { id: 'int' },
    refs: { user_ids: 'text' },
    children: [by('event_id', 'id', RUN)],
    onSlice: 'remove-recipients',
  },
  {
    table: 'app_user',
    key: { user_no: 'int' },
    refs: { user_id: 'text' },
    children: OF_USER,
    onSlice: 'forget-users',
  },
  { table: 'erasure', key: { user_no: 'int' }, children: OF_USER },
  { table: 'topic', key: { topic_no: 'int' }, children: [by('topic_no', 'topic_no', TOPIC_SUBSCRIBER)] },
  SESSION,
  { table: 'secret', key: { environment_id: 'int', id: 'int' } },
  EXTERNAL_ID,
  { table: 'idempotency', key: { environment_id: 'int', idempotency_key: 'text' } },
  { table: 'suppression', key: { environment_id: 'int', subject: 'text', channel: 'text' } },
  { table: 'send_rules_used', key: { environment_id: 'int' } },
  { table: 'enricher', key: { environment_id: 'int', enricher_no: 'int' } },
  { table: 'text_file', key: { environment_id: 'int', section: 'text', name: 'text' } },
  { table: 'doubt', key: { environment_id: 'int', doubt_id: 'text' } },
  { table: 'mail_layout', key: { environment_id: 'int', hash: 'text' } },
  KEPT_MAIL,
  {
    table: 'mail_integration',
    key: { id: 'int' },
    children: [
      by('integration_id', 'id', { table: 'mail_report', key: { integration_id: 'int', event_hash: 'text' } }),
    ],
  },
  { table: 'awaited_name', key: { environment_id: 'int', name: 'text' } },
  {
    table: 'campaign',
    key: { environment_id: 'int', id: 'int' },
    // Those that wait for an event alone.
    children: [by('campaign_id', 'id', { ...WAIT, children: RUN_OF_WAIT })],
  },
  { table: 'campaign_version', key: { environment_id: 'int', campaign_id: 'int', version: 'int' } },
  { table: 'funnel', key: COUNTER_KEY },
  { table: 'funnel_purged', key: COUNTER_KEY },
]

/** @returns The first rows of a part: of the environment, or of their parents. */
export async function readSlice(
  sql: Sql,
  { table, key, refs = {}, where, ...part }: Part | Child,
  parents: { environmentId: number } | readonly SliceRow[],
  limit: number,
): Promise<SliceRow[]> {
  const columns = [...Object.keys(key), ...Object.keys(refs)].map((name) => `t.${name}`).join(', ')
  const also = where === undefined ? '' : ` AND t.${where}`
  if ('environmentId' in parents) {
    const text = `SELECT ${columns} FROM ${table} t WHERE t.environment_id = ?${also} LIMIT ?`
    return sql.all<SliceRow>(text, [parents.environmentId, limit])
  }
  if (!('column' in part)) throw new Error(`table without a parent: ${table}`)
  const values = [...new Set(parents.map((row) => row[part.of] ?? null))].filter((value) => value !== null)
  if (values.length === 0) return []
  const text = `SELECT ${columns} FROM given CROSS JOIN ${table} t WHERE t.${part.column} = given.parent${also} LIMIT ${limit}`
  return sql.bulk<SliceRow>(
    statementOf({ parent: 'int' }, text),
    values.map((value) => [value]),
  )
}

/** Removes rows of one slice, locked in the order of their keys as other writers lock them. */
export async function removeRows(sql: Sql, { table, key }: Part, rows: readonly SliceRow[]): Promise<void> {
  const names = Object.keys(key)
  const keys = rows.map((row) => names.map((name) => row[name] ?? null))
  if (sql.forUpdate !== '') {
    const same = names.map((name) => `t.${name} = given.${name}`).join(' AND ')
    const order = names.map((name) => `t.${name}`).join(', ')
    const text = `SELECT ${order} FROM given CROSS JOIN ${table} t WHERE ${same} ORDER BY ${order} FOR UPDATE OF t`
    await sql.bulk(statementOf(key, text), keys)
  }
  const list = names.join(', ')
  await sql.bulk(statementOf(key, `DELETE FROM ${table} WHERE (${list}) IN (SELECT ${list} FROM given)`), keys)
}

/** Each statement once, because the engines keep what they have prepared. */
const statements = new Map<string, RowsStatement>()

function statementOf(columns: Columns, text: string): RowsStatement {
  const known = statements.get(text) ?? withRows(columns, text)
  statements.set(text, known)
  return known
}
