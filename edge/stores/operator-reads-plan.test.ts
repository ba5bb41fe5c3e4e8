// Tests on SQLite that an index serves each read of operators. Over 20,000 rows, no query scans or sorts them, with
// statistics and without.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchField, User } from '../domain/user.ts'
import { createAuditLog } from './sql/audit.ts'
import { createFunnelReads } from './sql/funnel-reads.ts'
import { createTopics } from './sql/topic.ts'
import { createUsers } from './sql/user.ts'
import { givenRecorder, type Recorder } from './test/given-recorder.ts'

const ROWS = 20_000

let recorder: Recorder

beforeAll(async () => {
  recorder = await givenRecorder(0)
  const { connection } = recorder
  const n = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS - 1})`
  connection.exec(`INSERT INTO app_user (environment_id, user_id, email, name, email_search, name_search, attributes, created_at, updated_at)
    ${n} SELECT i % 3 + 1, 'u' || i, CASE WHEN i % 2 = 0 THEN 'Mail' || i END, CASE WHEN i % 2 = 1 THEN 'Name' || i END,
      CASE WHEN i % 2 = 0 THEN 'mail' || i END, CASE WHEN i % 2 = 1 THEN 'name' || i END, '{}', 0, 0 FROM n`)
  connection.exec(`INSERT INTO topic (environment_id, topic_key, last_place, created_at)
    ${n} SELECT i % 3 + 1, 't' || i, 0, 0 FROM n`)
  connection.exec(`INSERT INTO audit_entry (at, actor, who, action, environment_id, subject, detail, organisation_id)
    ${n} SELECT i, 'cli', 'w', 'env.change', i % 30, 's', '{}', i % 3 FROM n`)
  connection.exec(`INSERT INTO campaign (id, environment_id, campaign_key, name, search, status, draft, created_at, updated_at)
    ${n} SELECT i + 1, i % 30 + 1, 'c' || i, 'C', 'c', 'active', '{}', 0, 0 FROM n WHERE i < 300`)
  connection.exec(`INSERT INTO funnel (environment_id, campaign_id, channel, hour, version, branch, step_id, slot, deliveries, reads, opens, clicks)
    ${n} SELECT i % 30 + 1, i % 300 + 1, 'inbox', CAST(i / 300 AS INTEGER) - 1, 1, '', 's', 0, 1, 0, 0, 0 FROM n`)
  connection.exec(`INSERT INTO step_count (environment_id, campaign_id, hour, version, step_id, kind, name, slot, counted)
    ${n} SELECT i % 30 + 1, i % 300 + 1, CAST(i / 300 AS INTEGER) - 1, 1, 's', 'outcome', 'done', 0, 1 FROM n`)
})
afterAll(() => recorder.connection.close())

/** A step that reads a whole table, or sorts. */
const FAULT = /^SCAN (?!counted|section|CONSTANT|\()|USE TEMP B-TREE FOR ORDER/

test.each(['without statistics', 'analysed'])('%s', async (mode) => {
  const { connection, sql, plansOf } = recorder
  if (mode === 'analysed') connection.exec('ANALYZE')
  const [users, topics] = [createUsers(sql, {} as never), createTopics(sql, {} as never)]
  const search = (field: SearchField, beginning: string, after: User | null = null) =>
    users.search({ environmentId: 1, field, beginning }, after, 20)
  const {
    users: [one],
  } = await search('email', 'mail1')
  const [audit, funnels] = [createAuditLog(sql, {} as never), createFunnelReads(sql)]
  const reads: [string, () => Promise<unknown>][] = [
    ['app_user_key', () => users.listNewest(1, null, 20)],
    ['app_user_by_id', () => search('userId', 'u1')],
    ['app_user_by_email', () => search('email', 'mail1')],
    ['app_user_by_email', () => search('email', 'mail1', one ?? null)],
    ['app_user_by_name', () => search('name', 'name1')],
    ['topic_key', () => topics.listNewest(1, null, 20)],
    ['topic_by_key', () => topics.search(1, 't1', null, 20)],
    ['audit_entry_of_organisation', () => audit.page({ organisationId: 1 }, 900, 20)],
    ['audit_entry_of_organisation', () => audit.page({ organisationId: 1, action: 'env', who: 'w' }, null, 20)],
    ['inbox_item_by_status', () => funnels.outcomes(1, 'inbox', 5)],
    ['inbox_item_by_status', () => funnels.outcomes(1, 'inbox', 5, 1)],
    ['campaign_key', () => funnels.days(1, 'inbox', 7_200_000)],
    ['campaign_key', () => funnels.totals(1, 'inbox', null)],
    ['PRIMARY KEY', () => funnels.series(1, 1, 'inbox', 7_200_000, 'day')],
    ['PRIMARY KEY', () => funnels.steps(1, 1, 1, 7_200_000)],
    ['PRIMARY KEY', () => funnels.series(1, null, 'inbox', 7_200_000, 'day')],
  ]
  for (const [index, read] of reads) {
    const steps = (await plansOf(read)).flat()
    expect(
      steps.filter((step) => FAULT.test(step)),
      `${index}: ${steps.join(' | ')}`,
    ).toEqual([])
    expect(steps.join(' | ')).toContain(index)
  }
})
