// Tests on SQLite that an index serves every filter of the delivery history. Over 50,000 messages, no query scans,
// with statistics and without.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DeliveryFilter, DeliveryStep } from '../domain/delivery/delivery-record.ts'
import { createReadHistory } from '../flow/history/read-history.ts'
import { idFloorAt } from '../lib/id.ts'
import { migrate } from './migrate.ts'
import { createDeliveryHistory, SCANNED_MESSAGES } from './sql/delivery-record.ts'
import { planIndexScan } from './sql/index-scan.ts'
import type { Sql } from './sql/sql.ts'
import { loadDriver, type SqliteConnection } from './sqlite/driver.ts'
import { createSqliteEngine, createSqliteSql, SQLITE } from './sqlite/sql.ts'

const MESSAGES = 50_000
const START = Date.UTC(2026, 5, 1)
/** One message a second: its id is the first of that second. */
const idOf = (n: number) => idFloorAt(START + n * 1000)

let connection: SqliteConnection
let sql: Sql
let texts: string[]

/** Opens an in-memory store and fills it. */
async function open(): Promise<void> {
  const driver = await loadDriver()
  const native = driver.open(':memory:', 0)
  // Records the statements of the port, so that exactly these are explained.
  texts = []
  connection = {
    ...native,
    prepare(text) {
      texts.push(text)
      return native.prepare(text)
    },
  }
  sql = createSqliteSql(connection)
  await migrate(createSqliteEngine(connection, sql), SQLITE, START)
  fill(connection)
}
beforeAll(open)
afterAll(() => connection.close())

/** Three environments, 21 campaigns, 2,000 users; a few in a thousand failed, a tenth read, every fifth in a branch. */
function fill(into: SqliteConnection): void {
  const n = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?)`
  into
    .prepare(`INSERT INTO app_user (user_no, environment_id, user_id, attributes, created_at, updated_at)
      ${n} SELECT i + 1, i % 3 + 1, 'u' || i, '{}', 0, 0 FROM n`)
    .run([1999])
  into
    .prepare(`INSERT INTO campaign (id, environment_id, campaign_key, name, search, status, draft, created_at, updated_at)
      ${n} SELECT i + 1, i % 3 + 1, 'c' || i, 'C', 'c', 'active', '{}', 0, 0 FROM n`)
    .run([20])
  into
    .prepare(`INSERT INTO tracked_event (id, environment_id, correlation_id, name, source, occurred_at, received_at, outcome, properties)
      ${n} SELECT ${idFloorAt(START)} + i * 4096000, i % 3 + 1, 'corr-' || i, 'e', 'api', 0, 0, 'matched', '{}' FROM n`)
    .run([MESSAGES - 1])
  into
    .prepare(`INSERT INTO message (id, environment_id, user_no, run_id, event_id, campaign_id, version, branch, step_id, correlation_id,
      created_at, snapshot)
      ${n} SELECT ${idFloorAt(START)} + i * 4096000, i % 3 + 1, i % 2000 + 1, i, ${idFloorAt(START)} + i * 4096000, i % 21 + 1, 1,
      CASE WHEN i % 5 = 0 THEN 'b' || (i % 2) END, 'notify', 'corr-' || i, ${START} + i * 1000, '{}' FROM n`)
    .run([MESSAGES - 1])
  into
    .prepare(`INSERT INTO inbox_item (message_id, environment_id, user_no, seq, section, channel, status, is_test, delivered_at, unopened,
      read_at, opened_at, clicked_at)
      ${n} SELECT ${idFloorAt(START)} + i * 4096000, i % 3 + 1, i % 2000 + 1, i, i % 2, 'inbox',
      CASE WHEN i % 300 = 0 THEN 'failed' ELSE 'delivered' END, 0, ${START} + i * 1000, 1, CASE WHEN i % 10 = 0 THEN 1 END,
      CASE WHEN i % 20 = 0 THEN 1 END, CASE WHEN i % 100 = 0 THEN 1 END FROM n`)
    .run([MESSAGES - 1])
  for (const [type, each] of Object.entries({ read: 10, opened: 20, clicked: 100 })) {
    into
      .prepare(`INSERT INTO delivery_event (environment_id, event_type, message_id, occurred_at, recorded_at, implied, automated, source)
        ${n} SELECT i % 3 + 1, '${type}', ${idFloorAt(START)} + i * 4096000, 0, 0, 0, 0, 'api' FROM n WHERE i % ${each} = 0`)
      .run([MESSAGES - 1])
  }
}

type Field = keyof DeliveryFilter
const CHOICES: { [F in Field]-?: DeliveryFilter[F][] } = {
  messageId: [undefined, idOf(7)],
  eventId: [undefined, idOf(7)],
  correlationId: [undefined, 'corr-7'],
  userId: [undefined, 'u7'],
  campaignId: [undefined, 2],
  branch: [undefined, 'b1', null],
  channel: [undefined, 'inbox', 'email'],
  status: [undefined, 'delivered', 'failed'],
  statusReason: [undefined, 'suppressed'],
  engagement: [undefined, 'none', 'clicked'],
  from: [undefined, START + 1_000_000],
  to: [undefined, START + 40_000_000],
}

function allFilters(): DeliveryFilter[] {
  let filters: DeliveryFilter[] = [{}]
  for (const [field, choices] of Object.entries(CHOICES)) {
    filters = filters.flatMap((filter) => choices.map((choice) => ({ ...filter, [field]: choice })))
  }
  return filters
}

const ROWID = 'INTEGER PRIMARY KEY'
const PRIMARY_KEY = 'message_key'
/** The rows of events are stored along their key. */
const EVENTS_KEY = 'PRIMARY KEY'
const BY_USER = 'inbox_item_in_order'

/** Returns the index that must serve a filter. */
function expectedIndex(filter: DeliveryFilter): string {
  if (filter.messageId !== undefined) return ROWID
  if (filter.eventId !== undefined) return 'message_of_event'
  if (filter.correlationId !== undefined) return 'message_by_correlation'
  if (filter.userId !== undefined) return BY_USER
  const mayHaveReason = filter.status !== 'delivered' || filter.channel !== 'inbox'
  if (filter.status === 'failed' || (filter.statusReason !== undefined && mayHaveReason)) return 'inbox_item_by_status'
  if (typeof filter.branch === 'string') return 'message_by_branch'
  if (filter.campaignId !== undefined) return 'message_of_campaign'
  if (filter.engagement === 'clicked') return EVENTS_KEY
  return filter.channel === 'email' ? 'inbox_item_by_status' : PRIMARY_KEY
}

function planOf(text: string, params: (string | number | null)[] = []): string[] {
  const rows = connection.prepare(`EXPLAIN QUERY PLAN ${text}`).all(params) as { detail: string }[]
  return rows.map((row) => row.detail)
}

/** Returns the scans of tables; the values of a statement (`given`) are not one. */
const scansOf = (plan: string[]) =>
  plan.filter((line) => /^SCAN (?!given$|\d+ CONSTANT|CONSTANT|ranges?\d*$)/.test(line))

/** Returns texts about plans that their index does not serve, or that sort (except for a user). */
function faultsOf(filter: DeliveryFilter, before: number | null): string[] {
  const { fitting, end } = planIndexScan(sql, 1, filter, before)
  const terms = [fitting(0, 20), ...(end === null ? [] : [end(20)])]
  const plans = terms.map(({ text, params }) => planOf(text, params))
  return plans.filter((plan) => !isServed(plan, filter)).map((plan) => `${JSON.stringify(filter)}: ${plan.join(' | ')}`)
}

function isServed(plan: string[], filter: DeliveryFilter): boolean {
  // `t` leads; the tables of checks are searched by the primary key of its messages.
  const leads = plan.filter((line) => /^(SEARCH|SCAN) t\b/.test(line))
  const checks = plan.filter((line) => /^(SEARCH|SCAN) o\b/.test(line))
  const index = expectedIndex(filter)
  const isLed = leads.length > 0 && leads.every((line) => line.startsWith('SEARCH') && line.includes(`${index} (`))
  const isByKey = (line: string) => /^SEARCH o .*\((environment_id=\? AND message_id=\?|rowid=\?)\)/.test(line)
  // A user's messages are sorted, and so are those of ranges, of which each has as few as are asked for.
  const sorts = plan.some((line) => line.includes('TEMP B-TREE')) && leads.length === 1 && index !== BY_USER
  const isOne = filter.messageId === undefined || leads.every((line) => line.includes('(rowid=?)'))
  return isLed && checks.every(isByKey) && isOne && !sorts && scansOf(plan).length === 0
}

describe.each(['without statistics', 'analysed'])('%s', (mode) => {
  beforeAll(() => {
    if (mode === 'analysed') connection.exec('ANALYZE')
    // SQLite plans again after ANALYZE.
    texts.length = 0
  })

  test('each combination of filters is served by its index', () => {
    const filters = allFilters()
    expect(filters.length).toBe(2 ** 8 * 3 ** 4)
    const faults = filters.flatMap((filter) => [null, idOf(30_000)].flatMap((before) => faultsOf(filter, before)))
    expect(faults.slice(0, 5)).toEqual([])
  })

  test('the other statements of a page and of a message find their rows by keys', async () => {
    const history = createDeliveryHistory(createSqliteSql(connection))
    const { records } = await history.step(1, {}, null, 100)
    expect(records).toHaveLength(100)
    expect(await history.find(1, records[0]?.id ?? 0)).toMatchObject({ event: { name: 'e' } })
    expect(texts.length).toBeGreaterThanOrEqual(4)
    for (const text of texts.filter((one) => !one.startsWith('EXPLAIN'))) {
      const params = Array<number>(text.split('?').length - 1).fill(1)
      expect(scansOf(planOf(text, params)), text).toEqual([])
    }
  })
})

test('a filter that few messages match is read in bounded steps and pages', async () => {
  const history = createDeliveryHistory(sql)
  connection.exec(`UPDATE message SET environment_id = 1, campaign_id = 1`)
  connection.exec(`UPDATE inbox_item SET environment_id = 1, channel = 'email'`)
  const stepsOf = async (filter: DeliveryFilter): Promise<[steps: number, found: number]> => {
    let [steps, found, before]: [number, number, number | null] = [0, 0, null]
    do {
      const step: DeliveryStep = await history.step(1, filter, before, 20)
      found += step.records.length
      before = step.next
      steps++
    } while (before !== null)
    return [steps, found]
  }
  expect(await stepsOf({ channel: 'inbox' })).toEqual([MESSAGES / SCANNED_MESSAGES + 1, 0])
  expect(await stepsOf({ channel: 'inbox', userId: 'u0' })).toEqual([1, 0])
  const { list } = createReadHistory({
    deliveries: history,
    campaigns: { findByKey: async () => undefined },
    clock: { now: () => START },
  })
  const page = await list(1, { channel: 'inbox', limit: 20 })
  expect(page).toEqual({ data: [], nextCursor: expect.any(String) })
  const last = await list(1, { channel: 'inbox', limit: 20, cursor: page.nextCursor ?? '' })
  expect(last).toEqual({ data: [], nextCursor: null })
})

test('the check of plans fails when an index is missing', async () => {
  // Opened again, because libsql keeps a lock on the tables of an explained statement.
  connection.close()
  await open()
  // Without the hint and without statistics, SQLite reads the primary key, over all messages of the environment.
  const { text, params } = planIndexScan(
    { usingIndex: () => '' },
    1,
    { status: 'failed', engagement: 'none' },
    null,
  ).fitting(0, 20)
  expect(planOf(text, params).join()).toContain('t USING PRIMARY KEY')
  connection.exec('ANALYZE')
  connection.exec('DROP INDEX message_by_correlation')
  expect(() => faultsOf({ correlationId: 'corr-7' }, null)).toThrow('no such index')
})
