// Tests on SQLite that an index finds events by name and time, and those of a user, as the only recipient or one of
// several. Over 50,000 events, no query scans or sorts.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { idFloorAt } from '../lib/id.ts'
import { createTrackedEvents } from './sql/tracked-event.ts'
import { givenRecorder, type Recorder } from './test/given-recorder.ts'

const EVENTS = 50_000
const START = Date.UTC(2026, 5, 1)

let recorder: Recorder

beforeAll(async () => {
  recorder = await givenRecorder(START)
  const { connection } = recorder
  const n = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${EVENTS - 1})`
  // Every second event is for one user, the others for two.
  connection.exec(`INSERT INTO tracked_event (id, environment_id, correlation_id, name, user_id, user_ids, source, occurred_at, received_at, outcome, properties)
    ${n} SELECT ${idFloorAt(START)} + i * 4096000, i % 3 + 1, 'c', 'e' || (i % 7), CASE WHEN i % 2 = 0 THEN 'u' || (i % 100) END,
    CASE WHEN i % 2 = 1 THEN '["u' || (i % 100) || '","v"]' END, 'api', 0, ${START} + i * 1000, 'matched', '{}' FROM n`)
  connection.exec(`INSERT INTO event_recipient (environment_id, user_id, event_id)
    SELECT e.environment_id, value.value, e.id FROM tracked_event e CROSS JOIN json_each(e.user_ids) AS value WHERE e.user_ids IS NOT NULL`)
})
afterAll(() => recorder.connection.close())

/** Steps that sum the sizes of the rows that the search has found; they end with the page. */
const SIZES = /^(?:CO-ROUTINE|SCAN) (?:sized|\(subquery-\d+\))$/

test.each(['without statistics', 'analysed'])('%s', async (mode) => {
  const { connection, sql, plansOf } = recorder
  if (mode === 'analysed') connection.exec('ANALYZE')
  const events = createTrackedEvents(sql)
  const times = { from: START + 1000, to: START + 40_000_000 }
  for (const filter of [{}, { name: 'e1' }, times, { name: 'e1', ...times }]) {
    for (const userId of ['u7', 'u8', 'v']) {
      const plans = await plansOf(async () => {
        const found = (await events.list(2, { userId, ...filter }, null, 20)).events
        expect(found.length).toBeGreaterThan(0)
      })
      // With an end of the time range, another statement reads how far ids are ahead of their time.
      expect(plans).toHaveLength('to' in filter ? 3 : 2)
      for (const steps of plans) {
        const faults = steps.filter((step) => /^SCAN|TEMP B-TREE/.test(step) && !SIZES.test(step))
        expect(faults, steps.join(' | ')).toEqual([])
      }
    }
  }
})

test('a name is found by its index where all events have another one, and times by theirs', async () => {
  const { connection, sql, plansOf } = recorder
  connection.exec(`UPDATE tracked_event SET name = 'e1'`)
  connection.exec('ANALYZE')
  const events = createTrackedEvents(sql)
  const from = { from: START + 1000 }
  const range = 'id>? AND id<?'
  const byKey = 'tracked_event_key (environment_id=? AND rowid>? AND rowid<?)'
  for (const [filter, steps] of [
    [{}, byKey],
    [from, byKey],
    [{ name: 'e2' }, `tracked_event_by_name (environment_id=? AND name=? AND ${range})`],
    [{ name: 'e2', ...from }, `tracked_event_by_name (environment_id=? AND name=? AND ${range})`],
    [{ correlationId: 'd' }, `tracked_event_by_correlation (environment_id=? AND correlation_id=? AND ${range})`],
  ] as const) {
    const plans = await plansOf(() => events.list(2, filter, null, 20))
    expect(plans.map((plan) => plan.filter((step) => !SIZES.test(step)))).toEqual([[`SEARCH e USING INDEX ${steps}`]])
  }
})
