// Reads the counters of steps, compares them with the traces and messages that they count, and removes those of old hours.

import {
  countState,
  countStep,
  firstKeptHour,
  type StepCount,
  type StepCountKind,
  UNSENT_STATUSES,
} from '../../domain/delivery/step-counts.ts'
import type { RunStatus, TraceStep } from '../../domain/tracked-event.ts'
import { ITEM_OF_MESSAGE } from '../tables/message.ts'
import { HOUR_MS } from './commit/counters.ts'
import { NOW_ROW, STEP_KEY, type StepCounter } from './commit/step-tally.ts'
import type { Sql } from './sql.ts'

const SINCE = `SELECT step_id, kind, name, counted FROM step_count
  WHERE environment_id = ? AND campaign_id = ? AND hour BETWEEN ? AND ? AND version = ?`
const READ = `SELECT step_id AS "stepId", kind, name, CAST(SUM(counted) AS BIGINT) AS count
  FROM (${SINCE} UNION ALL ${SINCE}) AS counted GROUP BY step_id, kind, name`

/** Reads the counts of a version since an epoch hour, and what waits now. */
export function readStepCounts(
  sql: Sql,
  campaign: [environmentId: number, campaignId: number],
  version: number,
  sinceHour: number,
): Promise<StepCount[]> {
  const hours = [Math.max(0, sinceHour), Number.MAX_SAFE_INTEGER]
  return sql.all<StepCount>(READ, [...campaign, ...hours, version, ...campaign, NOW_ROW, NOW_ROW, version])
}

/** The campaigns lead, so that each range is read along the primary key. */
const removeOld = (table: string) => `DELETE FROM ${table} WHERE (${STEP_KEY}, slot) IN
  (SELECT ${[...STEP_KEY.split(', '), 'slot'].map((column) => `s.${column}`).join(', ')} FROM campaign c CROSS JOIN ${table} s
    WHERE c.environment_id = ? AND s.environment_id = c.environment_id AND s.campaign_id = c.id AND s.hour >= 0 AND s.hour < ? LIMIT ?)`
const REMOVE_OLD = [removeOld('step_count'), removeOld('step_purged')]

/** Removes counters of hours that no window contains any more. @returns their number */
export async function purgeStepCounts(sql: Sql, environmentId: number, now: number, limit: number): Promise<number> {
  let removed = 0
  for (const text of REMOVE_OLD) removed += await sql.run(text, [environmentId, firstKeptHour(now), limit])
  return removed
}

/** Selects the last entry of each step of each run: a run that was run again has several. */
const entriesOf = (sql: Sql) => `SELECT r.environment_id, r.campaign_id, r.version, r.state,
    CAST(e.value ->> 'at' AS BIGINT) / ${HOUR_MS} AS hour, e.value ->> 'stepId' AS step_id, e.value ->> 'type' AS type,
    e.value ->> 'outcome' AS outcome, e.value ->> 'code' AS code,
    CASE WHEN e.value ->> 'isUnreached' IS NULL THEN 0 ELSE 1 END AS unreached,
    ROW_NUMBER() OVER (PARTITION BY r.id, e.value ->> 'stepId' ORDER BY e.key DESC) AS place
  FROM run r CROSS JOIN ${sql.jsonItems('r.trace')} WHERE r.is_test = 0 AND (r.ended_at IS NULL OR r.ended_at >= ?)`

/** What the rows count and what the counters say, in one statement, so that both are of one moment. */
const compared = (
  sql: Sql,
) => `SELECT 'entry' AS side, environment_id AS "environmentId", campaign_id AS "campaignId", hour,
    version, step_id AS "stepId", type AS kind, outcome AS name, code, unreached, state, COUNT(*) AS count
    FROM (${entriesOf(sql)}) AS entries WHERE place = 1 AND step_id <> ''
    GROUP BY environment_id, campaign_id, hour, version, step_id, type, outcome, code, unreached, state
  UNION ALL SELECT 'run', environment_id, campaign_id, started_at / ${HOUR_MS}, version, '', '', '', '', 0, state, COUNT(*)
    FROM run WHERE is_test = 0 AND (started_at >= ? OR state = 'waiting')
    GROUP BY environment_id, campaign_id, started_at / ${HOUR_MS}, version, state
  UNION ALL SELECT 'actual', m.environment_id, m.campaign_id, m.created_at / ${HOUR_MS}, m.version, m.step_id, 'reason',
    COALESCE(i.status_reason, i.status), '', 0, '', COUNT(*) FROM message m JOIN inbox_item i ON ${ITEM_OF_MESSAGE}
    WHERE i.is_test = 0 AND m.created_at >= ? AND i.status IN (${UNSENT_STATUSES.map((status) => `'${status}'`).join(', ')})
    GROUP BY m.environment_id, m.campaign_id, m.created_at / ${HOUR_MS}, m.version, m.step_id, COALESCE(i.status_reason, i.status)
  UNION ALL SELECT 'actual', ${STEP_KEY}, '', 0, '', CAST(SUM(counted) AS BIGINT) FROM step_purged GROUP BY ${STEP_KEY}
  UNION ALL SELECT 'counted', ${STEP_KEY}, '', 0, '', CAST(SUM(counted) AS BIGINT) FROM step_count GROUP BY ${STEP_KEY}`

interface ComparedRow extends Omit<StepCounter, 'kind'> {
  side: 'entry' | 'run' | 'actual' | 'counted'
  /** Of an entry the type of its step; its name is the outcome. */
  kind: string
  code: string | null
  unreached: number
  state: RunStatus
}

/** @returns The counters with their differences, 0 for those that are right; negative for those that are too high. */
export async function compareSteps(sql: Sql, now: number): Promise<StepCounter[]> {
  const firstHour = firstKeptHour(now)
  const since = firstHour * HOUR_MS
  const differences = new Map<string, StepCounter>()
  for (const row of await sql.all<ComparedRow>(compared(sql), [since, since, since])) {
    const { environmentId, campaignId, version } = row
    const add = (at: number | null, stepId: string, kind: StepCountKind, name: string, by = row.count) => {
      const hour = at === null ? NOW_ROW : at / HOUR_MS
      if (at !== null && hour < firstHour) return
      const key = JSON.stringify([campaignId, hour, version, stepId, kind, name])
      const found = differences.get(key) ?? { environmentId, campaignId, hour, version, stepId, kind, name, count: 0 }
      found.count += by
      differences.set(key, found)
    }
    if (row.side === 'entry') countStep(entryOf(row), row.state, add)
    else if (row.side === 'run') countState(row.state, row.hour * HOUR_MS, add)
    else {
      const at = row.hour === NOW_ROW ? null : row.hour * HOUR_MS
      add(at, row.stepId, row.kind as StepCountKind, row.name, row.side === 'actual' ? row.count : -row.count)
    }
  }
  return [...differences.values()]
}

function entryOf({ stepId, kind, name, hour, code, unreached }: ComparedRow) {
  return {
    stepId,
    type: kind,
    outcome: name as TraceStep['outcome'],
    at: hour * HOUR_MS,
    ...(code !== null && { code }),
    ...(unreached === 1 && { isUnreached: true as const }),
  }
}
