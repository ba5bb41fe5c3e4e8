// Tests on SQLite that keys and indexes serve the reads of mails. Over 50,000 mails, no query scans or sorts.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Mails } from '../domain/mail/mail.ts'
import { createHeldMails, heldMailWrites } from './sql/held-mail.ts'
import { createMails } from './sql/mail.ts'
import type { WriteContext } from './sql/write.ts'
import { givenRecorder, type Recorder } from './test/given-recorder.ts'

const MAILS = 50_000
const START = Date.UTC(2026, 5, 1)

let recorder: Recorder
let mails: Mails

beforeAll(async () => {
  recorder = await givenRecorder(START)
  const { connection, sql } = recorder
  const refuse = () => Promise.reject(new Error('These tests only read.'))
  mails = createMails(sql, { claimMails: refuse, renewMails: refuse })
  const fill = (into: string, values: string, rows: number) =>
    connection.exec(
      `INSERT INTO ${into} WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows - 1}) SELECT ${values} FROM n`,
    )
  const definition = `'{"notificationConfigId":null}'`
  fill(
    'app_user (user_no, environment_id, user_id, attributes, created_at, updated_at)',
    `i + 1, 1, 'u' || i, '{}', 0, 0`,
    500,
  )
  fill(
    'campaign (id, environment_id, campaign_key, name, search, status, current_version, draft, created_at, updated_at)',
    `i + 1, 1, 'c' || i, 'C', 'c', 'active', 1, ${definition}, 0, 0`,
    20,
  )
  fill(
    'campaign_version (environment_id, campaign_id, version, published_at, definition)',
    `1, i + 1, 1, 0, ${definition}`,
    20,
  )
  fill(
    `message (id, environment_id, user_no, run_id, event_id, campaign_id, version, step_id, correlation_id, snapshot, created_at)`,
    `i + 1, 1, i % 500 + 1, i, i, i % 20 + 1, 1, 's', 'c', '{"email":{"to":null}}', 0`,
    MAILS,
  )
  fill(
    `inbox_item (message_id, environment_id, user_no, seq, section, channel, status, is_test, unopened)`,
    `i + 1, 1, i % 500 + 1, 0, 4, 'email', 'sent', 0, 1`,
    MAILS,
  )
  fill(
    'mail (message_id, environment_id, ready_at, fence, attempts, integration_id, provider_message_id, permit_from, paused_campaign, due_at)',
    // Every other mail waits for a permit, nearly all of them from one integration.
    `i + 1, 1, 0, 1, 1, i % 3, 'p' || i, CASE WHEN i % 2 = 0 THEN CASE WHEN i % 1000 = 0 THEN i / 1000 ELSE 9 END END,
      CASE WHEN i % 2 = 1 THEN i % 20 + 1 END, CASE WHEN i % 2 = 1 THEN 0 END`,
    MAILS,
  )
})
afterAll(() => recorder.connection.close())

const IDS = [1, 2, 40_000]

/** Returns the steps of a plan that read a whole table or sort. The given ids are scanned: they are few. */
const findFaults = (plans: string[][]) =>
  plans.flat().filter((step) => /^SCAN (?!given|(?:awaited|held|a|h)$|\(|\d|VALUES|CONSTANT)|TEMP B-TREE/.test(step))

const MODES = ['without statistics', 'analysed']

test.each(MODES)('mails are released along the indexes of held ones, %s', async (mode) => {
  const { sql, connection, plansOf } = recorder
  if (mode === 'analysed') connection.exec('ANALYZE')
  const context = { sql } as WriteContext
  const heldMails = createHeldMails(sql, {
    issueMailPermits: (ids, now) => heldMailWrites.issueMailPermits(context, ids, now),
    suspendMailPermits: () => Promise.reject(new Error('This test suspends none.')),
    releaseResumedMails: (ids, now) => heldMailWrites.releaseResumedMails(context, ids, now),
  })
  // Without an integration, a thousand mails of each are released.
  const plans = await plansOf(async () => {
    expect(await heldMails.issuePermits(START)).toBeGreaterThanOrEqual(1000)
    await heldMails.releaseResumed(START)
  })
  expect(plans.flat().join()).toContain('mail_paused')
  expect(plans.length).toBeGreaterThan(2)
  expect(findFaults(plans), plans.flat().join(' | ')).toEqual([])
  expect(
    plans
      .flat()
      .filter((step) => /^SEARCH (mail|x) /.test(step) && !/mail_awaiting_permit|mail_paused|PRIMARY KEY/.test(step)),
  ).toEqual([])
})

test.each(MODES)('mails are read by keys and indexes, %s', async (mode) => {
  if (mode === 'analysed') recorder.connection.exec('ANALYZE')
  const reads = [
    () => mails.load(IDS.map((messageId) => ({ environmentId: 1, messageId }))),
    () => mails.weigh(IDS.map((messageId) => ({ environmentId: 1, messageId }))),
    () => mails.findOwn(1, IDS),
    () => mails.findByProviderIds(0, ['p0', 'p3', 'p6']),
  ]
  for (const read of reads) {
    const plans = await recorder.plansOf(async () => expect((await read()).size).toBe(3))
    expect(plans.length).toBeGreaterThan(0)
    expect(findFaults(plans), plans.flat().join(' | ')).toEqual([])
    // A definition may have some MiB, and would be read for each of fifty mails.
    expect(plans.flat().join(' | ')).not.toContain('campaign')
    expect(plans.flat().filter((step) => /^(SEARCH|SCAN) [cv] /.test(step))).toEqual([])
  }
})

test('mails that providers report are read a few at a time where their contents are large', async () => {
  const large = [11, 12, 13, 14]
  const content = JSON.stringify({ email: { to: null, html: 'x'.repeat(600_000) } })
  const write = recorder.connection.prepare(`UPDATE message SET snapshot = ? WHERE environment_id = 1 AND id = ?`)
  for (const id of large) write.run([content, id])
  const { sql } = recorder
  const reads: number[] = []
  const bulk: typeof sql.bulk = (statement, rows) => {
    reads.push(rows.length)
    return sql.bulk(statement, rows)
  }
  const refuse = () => Promise.reject(new Error('This test only reads.'))
  const found = await createMails({ ...sql, bulk }, { claimMails: refuse, renewMails: refuse }).findOwn(1, large)
  expect(found.size).toBe(4)
  // The sizes of all, and each of them alone.
  expect(reads).toEqual([4, 1, 1, 1, 1])
})
