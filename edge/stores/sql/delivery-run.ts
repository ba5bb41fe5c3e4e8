// Stores the last run of kept deliveries of each source.

import type { AuditEntry } from '../../domain/audit.ts'
import type { DeliveryRun, DeliveryRuns, NewDeliveryRun, RunProgress } from '../../domain/connector/delivery-run.ts'
import type { NewJob } from '../../domain/job.ts'
import { SOURCE_RUN } from '../tables/source.ts'
import { insertOne, namesOf, type RawRow, setExcluded, view } from '../tables/table.ts'
import { recordAudit } from './audit.ts'
import { insertJobs } from './job.ts'
import { type Sql, withRows } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const VIEW = view(SOURCE_RUN, 'r', namesOf(SOURCE_RUN.columns))
/** Whether its job is there and was not given up. */
const isAlive = (run: string) =>
  `EXISTS (SELECT 1 FROM job j WHERE j.environment_id = ${run}.environment_id AND j.id = ${run}.job_id AND j.given_up_at IS NULL)`
const READ = withRows(
  { environment_id: 'int', id: 'int' },
  `SELECT ${VIEW.columns}, CASE WHEN ${isAlive('r')} THEN 1 ELSE 0 END AS is_alive FROM given CROSS JOIN source_run r
    WHERE r.environment_id = given.environment_id AND r.source_id = given.id`,
)
const REPLACED = namesOf(SOURCE_RUN.columns).filter((field) => field !== 'sourceId' && field !== 'environmentId')
const BEGIN = insertOne(
  SOURCE_RUN,
  undefined,
  `ON CONFLICT (environment_id, source_id) DO UPDATE SET ${setExcluded(SOURCE_RUN, REPLACED)}
    WHERE source_run.ended_at IS NOT NULL OR source_run.stopped_at IS NOT NULL OR NOT ${isAlive('source_run')}`,
)
const NOTHING_DONE = {
  done: 0,
  accepted: 0,
  refused: 0,
  afterAt: null,
  afterBody: null,
  endedAt: null,
  stoppedAt: null,
}

export const deliveryRunWrites = {
  async beginDeliveryRun(context: WriteContext, run: NewDeliveryRun, job: NewJob, audit: AuditEntry): Promise<boolean> {
    if ((await BEGIN(context.sql, { ...run, ...NOTHING_DONE })) === 0) return false
    await insertJobs(context.sql, [job])
    await recordAudit(context, audit)
    return true
  },
  async advanceDeliveryRun({ sql }: WriteContext, former: DeliveryRun, next: RunProgress): Promise<boolean> {
    const { done, accepted, refused, after, endedAt } = next
    const advanced = await sql.one(
      `UPDATE source_run SET done = ?, accepted = ?, refused = ?, after_at = ?, after_body = ?, ended_at = ?
        WHERE environment_id = ? AND source_id = ? AND job_id = ? AND ended_at IS NULL AND COALESCE(after_at, -1) = ? AND COALESCE(after_body, '') = ?
        RETURNING source_id`,
      [
        ...[done, accepted, refused, after?.at ?? null, after?.bodyId ?? null, endedAt],
        ...[former.environmentId, former.sourceId, former.jobId, former.after?.at ?? -1, former.after?.bodyId ?? ''],
      ],
    )
    return advanced !== undefined
  },
  async stopDeliveryRun(
    context: WriteContext,
    environmentId: number,
    sourceId: number,
    now: number,
    audit: AuditEntry,
  ): Promise<boolean> {
    const stopped = await context.sql.run(
      'UPDATE source_run SET stopped_at = ? WHERE environment_id = ? AND source_id = ? AND ended_at IS NULL AND stopped_at IS NULL',
      [now, environmentId, sourceId],
    )
    if (stopped > 0) await recordAudit(context, audit)
    return stopped > 0
  },
}

export function createDeliveryRuns(sql: Sql, writes: Writes<typeof deliveryRunWrites>): DeliveryRuns {
  return {
    begin: writes.beginDeliveryRun,
    advance: writes.advanceDeliveryRun,
    stop: writes.stopDeliveryRun,
    async listOf(environmentId, sourceIds) {
      if (sourceIds.length === 0) return []
      const rows = await sql.bulk<RawRow>(
        READ,
        sourceIds.map((id) => [environmentId, id]),
      )
      return rows.map(readRun)
    },
  }
}

function readRun(row: RawRow): DeliveryRun {
  const { afterAt: at, afterBody: bodyId, ...run } = VIEW.read(row)
  return {
    ...run,
    after: at === null || bodyId === null ? null : { at, bodyId },
    state: stateOf(run, row.is_alive === 1),
  }
}

function stateOf(
  { endedAt, stoppedAt }: Pick<DeliveryRun, 'endedAt' | 'stoppedAt'>,
  isAlive: boolean,
): DeliveryRun['state'] {
  if (endedAt !== null) return 'done'
  if (stoppedAt !== null) return 'stopped'
  return isAlive ? 'running' : 'failed'
}
