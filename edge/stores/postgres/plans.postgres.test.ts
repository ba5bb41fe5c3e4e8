// Tests on PostgreSQL that indexes serve the delivery history, retention and the frequent reads. Over 50,000 analysed
// rows, no query scans them.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeliveryFilter } from '../../domain/delivery/delivery-record.ts'
import { idFloorAt } from '../../lib/id.ts'
import { freshDatabase } from '../../test/support/servers.ts'
import { createAuditLog } from '../sql/audit.ts'
import { createCatchUps } from '../sql/catch-up.ts'
import { HOUR_MS } from '../sql/commit/counters.ts'
import { createUserIdCache } from '../sql/commit/user-id-cache.ts'
import { createDeliveryHistory } from '../sql/delivery-record.ts'
import { createFunnels } from '../sql/funnel.ts'
import { createFunnelReads } from '../sql/funnel-reads.ts'
import { createInboxes } from '../sql/inbox.ts'
import { planIndexScan } from '../sql/index-scan.ts'
import { retentionWrites } from '../sql/retention.ts'
import type { Param, Sql } from '../sql/sql.ts'
import { createTopics } from '../sql/topic.ts'
import { createTrackedEvents } from '../sql/tracked-event.ts'
import { createUsers } from '../sql/user.ts'
import { type Connection, openConnection } from './connection.ts'
import { plainSql, prepareStore } from './prepare.ts'
import { createPostgresSql, numberParams } from './sql.ts'
import { runTransaction } from './transaction.ts'

const MESSAGES = 50_000
const START = Date.UTC(2026, 5, 1)
/** One message a second: its id is the first of that second. */
const idOf = (n: number) => idFloorAt(START + n * 1000)
const BIG = /Seq Scan on (message|inbox_item|tracked_event|run|delivery_event|inbox_change|event_recipient)\b/

let connection: Connection
let sql: Sql
beforeAll(async () => {
  connection = await openStore()
  sql = plainSql(connection)
  // Otherwise PostgreSQL would read a whole index where one is missing.
  await connection.query('SET enable_seqscan = on', [], { prepare: false })
  // A scan of this small table would be nearly as cheap as its index: on a fast disk, the index is cheaper.
  await connection.query('SET random_page_cost = 1.1', [], { prepare: false })
  for (const text of [...fillWith(MESSAGES), 'ANALYZE']) await connection.query(text, [], { prepare: false })
})
afterAll(() => connection.destroy('done'))

async function openStore(): Promise<Connection> {
  const url = await freshDatabase()
  await prepareStore({ url, clock: { now: () => START } })
  return openConnection({ url, deadlineMs: 10_000 })
}

/** Three environments (the third is small), 21 campaigns, a user for 25 messages; few failed, a tenth read, a fifth in a branch. */
const environment = `(CASE WHEN i % 500 = 0 THEN 3 ELSE i % 2 + 1 END)`
/** Of that environment. */
const campaign = `(CASE WHEN i % 500 = 0 THEN 21 ELSE i % 20 + 1 END)`
const id = `(${idFloorAt(START)} + i::bigint * 4096000)`
const upTo = (count: number) => `FROM generate_series(0, ${count - 1}) AS i`
const fillWith = (messages: number) => [
  `INSERT INTO app_user (environment_id, user_id, attributes, created_at, updated_at) SELECT ${environment}, 'u' || i, '{}', 0, 0 ${upTo(messages / 25)}`,
  `INSERT INTO inbox_head (environment_id, user_no, seq, unread, unopened, floor) SELECT environment_id, user_no, 1, 0, 0, 0 FROM app_user`,
  `INSERT INTO campaign (id, environment_id, campaign_key, name, search, status, draft, created_at, updated_at)
    SELECT i + 1, CASE WHEN i = 20 THEN 3 ELSE i % 2 + 1 END, 'c' || i, 'C', 'c', 'active', '{}', 0, 0 ${upTo(21)}`,
  `INSERT INTO tracked_event (id, environment_id, correlation_id, name, user_id, source, occurred_at, received_at, outcome, properties)
    SELECT ${id}, ${environment}, 'corr-' || i, 'e' || (i % 7), 'u' || (i % ${messages / 25}), 'api', 0, ${START} + i * 1000::bigint, 'matched', '{}' ${upTo(messages)}`,
  `INSERT INTO run (id, environment_id, event_id, campaign_id, version, user_no, user_id, state, is_test, correlation_id, started_at, has_message, trace)
    SELECT ${id}, ${environment}, ${id}, ${campaign}, 1, i % ${messages / 25} + 1, 'u', 'completed', 0, 'c', 0, 1, '[]' ${upTo(messages)}`,
  `INSERT INTO message (id, environment_id, user_no, run_id, event_id, campaign_id, version, branch, step_id, correlation_id, created_at, snapshot)
    SELECT ${id}, ${environment}, i % ${messages / 25} + 1, ${id}, ${id}, ${campaign}, 1,
      CASE WHEN i % 5 = 0 THEN 'b' || (i % 2) END, 'notify', 'corr-' || i, ${START} + i * 1000::bigint, '{}' ${upTo(messages)}`,
  `INSERT INTO inbox_item (message_id, environment_id, user_no, seq, section, channel, status, is_test, delivered_at, unopened,
      read_at, opened_at, clicked_at)
    SELECT ${id}, ${environment}, i % ${messages / 25} + 1, i + 1, 0, 'inbox', CASE WHEN i % 300 = 0 THEN 'failed' ELSE 'delivered' END, 0,
      ${START} + i * 1000::bigint, 1, CASE WHEN i % 10 = 0 THEN 1 END, CASE WHEN i % 20 = 0 THEN 1 END,
      CASE WHEN i % 100 = 0 THEN 1 END ${upTo(messages)}`,
  ...Object.entries({ read: 10, opened: 20, clicked: 100 }).map(
    ([
      type,
      each,
    ]) => `INSERT INTO delivery_event (environment_id, event_type, message_id, occurred_at, recorded_at, implied, automated, source)
    SELECT ${environment}, '${type}', ${id}, 0, 0, 0, 0, 'api' ${upTo(messages)} WHERE i % ${each} = 0`,
  ),
  `INSERT INTO inbox_change (environment_id, user_no, seq, message_id) SELECT ${environment}, i % ${messages / 25} + 1, 100000 + i, ${id} ${upTo(messages)}`,
  `INSERT INTO event_recipient (environment_id, user_id, event_id) SELECT ${environment}, 'w' || (i % ${messages / 25}), ${id} ${upTo(messages)}`,
]

type Field = keyof DeliveryFilter
const CHOICES: { [F in Field]-?: DeliveryFilter[F][] } = {
  messageId: [idOf(7)],
  eventId: [idOf(7)],
  correlationId: ['corr-7'],
  userId: ['u7'],
  campaignId: [2],
  branch: ['b1', null],
  channel: ['inbox'],
  status: ['delivered', 'failed'],
  statusReason: ['suppressed'],
  engagement: ['none', 'clicked'],
  from: [START + 1_000_000],
  to: [START + 40_000_000],
}

/** Returns all combinations of up to three filters. */
function filters(): DeliveryFilter[] {
  const found = new Map<string, DeliveryFilter>()
  let last: DeliveryFilter[] = [{}]
  for (let terms = 0; terms <= 3; terms++) {
    for (const filter of last) found.set(JSON.stringify(Object.entries(filter).sort()), filter)
    last = [...last].flatMap((filter) =>
      Object.entries(CHOICES).flatMap(([field, choices]) =>
        field in filter ? [] : choices.map((choice) => ({ ...filter, [field]: choice })),
      ),
    )
  }
  return [...found.values()]
}

async function planOf(text: string, params: Param[], how = 'COSTS', on = connection): Promise<string> {
  const rows = await on.query<{ 'QUERY PLAN': string }>(`EXPLAIN (${how}) ${text}`, params, { prepare: false })
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

/** Returns the plans of both statements of a step. */
async function plansOf(environmentId: number, filter: DeliveryFilter, before: number | null): Promise<string[]> {
  const { fitting, end } = planIndexScan(sql, environmentId, filter, before)
  const terms = [fitting(before === null ? 0 : idOf(25_000), 20), ...(end === null ? [] : [end(20)])]
  return Promise.all(terms.map(({ text, params }) => planOf(numberParams(text), params)))
}

test.each([1, 3])('no filter of the history scans, in environment %i', async (environmentId) => {
  const faults: string[] = []
  for (const filter of filters()) {
    for (const before of [null, idOf(30_000)]) {
      for (const plan of await plansOf(environmentId, filter, before)) {
        if (BIG.test(plan)) faults.push(`${JSON.stringify(filter)}: ${plan}`)
        // An index without the environment would read all others.
        const conditions = plan.split('\n').filter((line) => line.includes('Index Cond:'))
        const readsAll = conditions.some((line) => !/environment_id = |user_no = /.test(line))
        if (environmentId === 3 && readsAll) faults.push(`${JSON.stringify(filter)}: ${plan}`)
      }
    }
  }
  expect(faults.slice(0, 3)).toEqual([])
})

test('the reads of pages, inboxes and events use indexes', async () => {
  const statements: [string, Param[]][] = []
  const recorded = createPostgresSql((text, params, kind) => {
    statements.push([text, [...params]])
    return connection.query(text, params, kind)
  })
  const history = createDeliveryHistory(recorded)
  const { records } = await history.step(1, {}, null, 100)
  expect(records).toHaveLength(100)
  await history.find(1, records[0]?.id ?? 0)
  const inboxes = createInboxes(recorded, 'epoch')
  // The user with number 8 belongs to this environment.
  const owner = { environmentId: 2, userNo: 8 }
  const position = { ...owner, filter: 'all' as const, category: null, before: null, limit: 20, now: START }
  expect((await inboxes.page(position)).messages).toHaveLength(20)
  await inboxes.changes(owner, 0, null)
  expect(await createCatchUps(recorded, 'epoch').missed([{ ...owner, since: 0, count: 1000 }])).toHaveLength(1)
  await inboxes.listDue(START, 50)
  const events = createTrackedEvents(recorded)
  expect((await events.list(1, { userId: 'u7' }, null, 20)).events).toHaveLength(0)
  await events.summarize(1, [idOf(7)], 10)
  expect(statements.length).toBeGreaterThan(8)
  for (const [text, params] of statements) expect(await planOf(text, params), text).not.toMatch(BIG)
})

test('a search of users and topics, the audit log and the outcomes read only their own rows', async () => {
  const rows = upTo(MESSAGES)
  for (const text of [
    `INSERT INTO app_user (environment_id, user_id, email, name, attributes, created_at, updated_at)
      SELECT i % 2 + 1, 'x' || lpad(i::text, 6, '0'), CASE WHEN i % 2 = 0 THEN 'mail' || i || '@example.com' END,
        CASE WHEN i % 3 = 0 THEN 'name ' || i END, '{}', 0, 0 ${rows}`,
    'UPDATE app_user SET email_search = email, name_search = name',
    `INSERT INTO topic (environment_id, topic_key, last_place, created_at) SELECT i % 2 + 1, 't' || i, 0, 0 ${rows}`,
    `INSERT INTO audit_entry (at, actor, who, action, environment_id, subject, detail, organisation_id)
      SELECT i, 'cli', 'w', 'env.change', i % 100, 's', '{}', i % 100 ${rows}`,
    'ANALYZE app_user, topic, audit_entry',
  ]) {
    await connection.query(text, [], { prepare: false })
  }
  const read = async <Found>(ask: (recorded: Sql) => Promise<Found>) => {
    const counted = countingRows()
    const found = await ask(counted.sql)
    return { found, rows: await counted.read() }
  }
  const users = (recorded: Sql) => createUsers(recorded, {} as never)
  for (const [field, beginning] of [
    ['userId', 'x00'],
    ['email', 'mail1'],
    ['name', 'name 1'],
  ] as const) {
    const search = { environmentId: 1, field, beginning }
    const first = await read((recorded) => users(recorded).search(search, null, 20))
    expect(first.found.users, field).toHaveLength(20)
    expect(first.rows, field).toBeLessThan(100)
    const after = first.found.users.at(-1) ?? null
    expect((await read((recorded) => users(recorded).search(search, after, 20))).rows, field).toBeLessThan(100)
  }
  expect((await read((recorded) => users(recorded).listNewest(2, null, 20))).rows).toBeLessThan(50)
  const topics = (recorded: Sql) => createTopics(recorded, {} as never)
  expect((await read((recorded) => topics(recorded).listNewest(2, null, 20))).rows).toBeLessThan(50)
  expect((await read((recorded) => topics(recorded).search(1, 't1', null, 20))).rows).toBeLessThan(50)
  const audit = (recorded: Sql) => createAuditLog(recorded, {} as never)
  expect((await read((recorded) => audit(recorded).page({ organisationId: 7 }, null, 20))).rows).toBeLessThan(600)
  const outcomes = await read((recorded) => createFunnelReads(recorded).outcomes(1, 'inbox', null))
  expect(outcomes.found).toMatchObject({ failed: { unknown: expect.any(Number) } })
  expect(outcomes.rows).toBeLessThan(MESSAGES / 300 + 50)
})

test('a page of the runs of one event reads only its own rows', async () => {
  const event = 1_000_000_000
  await connection.query(
    `INSERT INTO run (id, environment_id, event_id, campaign_id, version, user_no, user_id, state, is_test, correlation_id, started_at, has_message, trace)
      SELECT i + 1, 1, ${event}, 1, 1, 1, 'u', 'completed', 0, 'c', 0, 1, '[]' ${upTo(MESSAGES)}`,
    [],
    { prepare: false },
  )
  await connection.query('ANALYZE run', [], { prepare: false })
  const { sql: recorded, read } = countingRows()
  const events = createTrackedEvents(recorded)
  expect(await events.listRuns(event, MESSAGES / 2, 100)).toHaveLength(100)
  // A hundred runs, and the campaign of each.
  expect(await read()).toBeLessThan(250)
})

test('a summary of an event reads only its first runs and messages', async () => {
  const [event, withoutMessages] = [2_000_000_000, 2_000_000_001]
  for (const [eventId, first] of [
    [event, event],
    [withoutMessages, event + MESSAGES],
  ] as const) {
    await connection.query(
      `INSERT INTO run (id, environment_id, event_id, campaign_id, version, user_no, user_id, state, is_test, correlation_id, started_at, has_message, trace)
        SELECT ${first} + i, 1, ${eventId}, 1, 1, 1, 'u', 'completed', 0, 'c', 0, 1, '[]' ${upTo(MESSAGES)}`,
      [],
      { prepare: false },
    )
  }
  await connection.query(
    `INSERT INTO message (id, environment_id, user_no, run_id, event_id, campaign_id, version, step_id, correlation_id, created_at, snapshot)
      SELECT ${event} + i, 1, 1, ${event} + i, ${event}, 1, 1, 'notify', 'c', 0, '{}' ${upTo(MESSAGES)}`,
    [],
    { prepare: false },
  )
  await connection.query(
    `INSERT INTO inbox_item (message_id, environment_id, user_no, seq, section, channel, status, is_test, unopened)
      SELECT ${event} + i, 1, 1, 1, 0, 'inbox', 'delivered', 0, 1 ${upTo(MESSAGES)}`,
    [],
    { prepare: false },
  )
  await connection.query('ANALYZE run, message', [], { prepare: false })
  const { sql: recorded, read } = countingRows()
  const summaries = await createTrackedEvents(recorded).summarize(1, [event, withoutMessages], 20)
  const counts = [event, withoutMessages].map((id) => [
    summaries.get(id)?.runs.length,
    summaries.get(id)?.messageIds.length,
  ])
  expect(counts).toEqual([
    [20, 20],
    [20, 0],
  ])
  // Twice twenty runs and once twenty messages, each read twice, and campaigns.
  expect(await read()).toBeLessThan(250)
})

test('a window of a month reads days, not hours', async () => {
  const last = Math.floor(START / HOUR_MS)
  const keys = `1, 1, 'inbox', hour, 1 + i % 3, 'b' || i % 4, 's', i % 16`
  for (const hours of [`hour`, `-2 - hour / 24`]) {
    await connection.query(
      `INSERT INTO funnel (environment_id, campaign_id, channel, hour, version, branch, step_id, slot, deliveries, reads, opens, clicks)
        SELECT DISTINCT ${keys.replace('hour', hours)}, 1, 1, 1, 1
        FROM generate_series(${last - 30 * 24 + 1}, ${last}) AS hour, generate_series(0, 47) AS i`,
      [],
      { prepare: false },
    )
  }
  await connection.query('ANALYZE funnel', [], { prepare: false })
  const { sql: recorded, read } = countingRows()
  const funnels = createFunnels(recorded, {
    correctFunnel: async () => true,
    beginRebuild: async () => ({ seen: '0', now: 0 }),
  })
  expect(await funnels.slices(1, 1, 'inbox', START - 29.5 * 24 * HOUR_MS)).not.toHaveLength(0)
  expect(await read()).toBeLessThan((24 + 31) * 48)
})

test('a page of a new store, which has no statistics yet, reads few rows', async () => {
  const fresh = await openStore()
  try {
    for (const text of fillWith(2500)) await fresh.query(text, [], { prepare: false })
    const { sql: recorded, read } = countingRows(fresh)
    // Of a hundred messages two have users of another environment.
    expect((await createDeliveryHistory(recorded).step(1, {}, null, 100)).records).toHaveLength(98)
    // Of each message its key, item, user, campaign and run. In another order of the joins: 125,000.
    expect(await read()).toBeLessThan(1000)
  } finally {
    fresh.destroy('done')
  }
})

/** Returns a port that records its statements; `read` returns the rows that their scans read. */
function countingRows(on = connection): { sql: Sql; read(): Promise<number> } {
  const statements: [string, Param[]][] = []
  const recorded = createPostgresSql((text, params, kind) => {
    statements.push([text, [...params]])
    return on.query(text, params, kind)
  })
  return {
    sql: recorded,
    async read() {
      let rows = 0
      for (const [text, params] of statements) {
        for (const line of (await planOf(text, params, 'ANALYZE, TIMING off', on)).split('\n')) {
          const [, count, loops] =
            /Scan.*rows=(\d+) loops=(\d+)/.exec(line.replace(/^.*Bitmap Index Scan.*$/, '')) ?? []
          rows += Number(count ?? 0) * Number(loops ?? 0)
        }
      }
      return rows
    },
  }
}

test('a step of retention reads only the rows that it removes', async () => {
  const statements: [string, Param[]][] = []
  await runTransaction(connection, async (inside) => {
    const recording: Sql = {
      ...inside,
      all: (text, params = []) => {
        statements.push([text, params])
        return inside.all(text, params)
      },
      run: (text, params = []) => {
        statements.push([text, params])
        return inside.run(text, params)
      },
    }
    const context = {
      sql: recording,
      now: START,
      slot: 0,
      storeEpoch: 'e',
      users: createUserIdCache(),
      keySweep: { nextAt: 0 },
    }
    const step = await retentionWrites.purgeStep(context, {
      environmentId: 1,
      before: START + 10_000_000,
      byNotice: false,
      gone: { messages: 0, events: 0 },
    })
    expect(step.rows).toBeGreaterThan(0)
    expect(step.gone.messages).toBeGreaterThan(0)
  })
  expect(statements.length).toBeGreaterThan(0)
  for (const [text, params] of statements) {
    expect(await planOf(numberParams(text), params), text).not.toMatch(BIG)
  }
})

test('no index contains what a report changes', async () => {
  const rows = await connection.query<{ definition: string }>(
    `SELECT indexdef AS definition FROM pg_indexes WHERE tablename = 'inbox_item'`,
    [],
    { prepare: false },
  )
  expect(rows).toHaveLength(6)
  const changed = rows.filter(({ definition }) => /read_at|opened_at|clicked_at|unopened/.test(definition))
  expect(changed).toEqual([])
})

test('the check fails when an index is missing', async () => {
  await connection.query('DROP INDEX message_by_correlation', [], { prepare: false })
  const [plan] = await plansOf(3, { correlationId: 'corr-1000' }, null)
  expect(plan).not.toContain('message_by_correlation ')
})
