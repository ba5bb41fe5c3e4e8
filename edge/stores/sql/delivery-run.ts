// Stores the last run of kept deliveries of each source.

import type { DeliveryOutcome } from '../../../contract/tenant.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { DeliveryRun, DeliveryRuns, NewDeliveryRun, RunProgress } from '../../domain/connector/delivery-run.ts'
import type { NewJob } from '../../domain/job.ts'
import { recordAudit } from './audit.ts'
import { insertJobs } from './job.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

interface Row {
  source_id: number
  environment_id: number
  job_id: number
  from_at: number
  to_at: number
  outcome: DeliveryOutcome | null
  mappings: string
  correlation_id: string
  deliveries: number
  done: number
  accepted: number
  refused: number
  after_at: number | null
  after_body: string | null
  started_at: number
  ended_at: number | null
  /** The job is there and was not given up. */
  is_alive: number
}

const BEGIN = [
  'job_id',
  'from_at',
  'to_at',
  'outcome',
  'mappings',
  'correlation_id',
  'deliveries',
  'started_at',
  'done',
  'accepted',
  'refused',
  'after_at',
  'after_body',
  'ended_at',
]
const ALIVE = 'EXISTS (SELECT 1 FROM job j WHERE j.id = r.job_id AND j.given_up_at IS NULL)'
const READ = withRows(
  { id: 'int' },
  `SELECT r.*, CASE WHEN ${ALIVE} THEN 1 ELSE 0 END AS is_alive FROM given CROSS JOIN source_run r WHERE r.source_id = given.id`,
)

export const deliveryRunWrites = {
  async beginDeliveryRun(context: WriteContext, run: NewDeliveryRun, job: NewJob, audit: AuditEntry): Promise<boolean> {
    const { sourceId, environmentId, jobId, from, to, outcome, mappings, correlationId, deliveries, startedAt } = run
    const values = [jobId, from, to, outcome, JSON.stringify(mappings), correlationId, deliveries, startedAt]
    const begun = await context.sql.one(
      `INSERT INTO source_run AS r (source_id, environment_id, ${BEGIN.join(', ')})
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, NULL, NULL, NULL)
        ON CONFLICT (source_id) DO UPDATE SET ${BEGIN.map((name) => `${name} = excluded.${name}`).join(', ')}
        WHERE r.ended_at IS NOT NULL OR NOT ${ALIVE} RETURNING source_id`,
      [sourceId, environmentId, ...values],
    )
    if (begun === undefined) return false
    await insertJobs(context.sql, [job])
    await recordAudit(context, audit)
    return true
  },
  async advanceDeliveryRun({ sql }: WriteContext, former: DeliveryRun, next: RunProgress): Promise<boolean> {
    const { done, accepted, refused, after, endedAt } = next
    const advanced = await sql.one(
      `UPDATE source_run SET done = ?, accepted = ?, refused = ?, after_at = ?, after_body = ?, ended_at = ?
        WHERE source_id = ? AND job_id = ? AND ended_at IS NULL AND COALESCE(after_at, -1) = ? AND COALESCE(after_body, '') = ?
        RETURNING source_id`,
      [
        ...[done, accepted, refused, after?.at ?? null, after?.bodyId ?? null, endedAt],
        ...[former.sourceId, former.jobId, former.after?.at ?? -1, former.after?.bodyId ?? ''],
      ],
    )
    return advanced !== undefined
  },
}

export function createDeliveryRuns(sql: Sql, writes: Writes<typeof deliveryRunWrites>): DeliveryRuns {
  return {
    begin: writes.beginDeliveryRun,
    advance: writes.advanceDeliveryRun,
    async listOf(sourceIds) {
      if (sourceIds.length === 0) return []
      const rows = await sql.bulk<Row>(
        READ,
        sourceIds.map((id) => [id]),
      )
      return rows.map(toRun)
    },
  }
}

function toRun(row: Row): DeliveryRun {
  return {
    sourceId: row.source_id,
    environmentId: row.environment_id,
    jobId: row.job_id,
    from: row.from_at,
    to: row.to_at,
    outcome: row.outcome,
    mappings: JSON.parse(row.mappings) as DeliveryRun['mappings'],
    correlationId: row.correlation_id,
    deliveries: row.deliveries,
    done: row.done,
    accepted: row.accepted,
    refused: row.refused,
    after: row.after_at === null || row.after_body === null ? null : { at: row.after_at, bodyId: row.after_body },
    startedAt: row.started_at,
    endedAt: row.ended_at,
    state: row.ended_at !== null ? 'done' : row.is_alive === 1 ? 'running' : 'failed',
  }
}
