// Reads what runs count, for counters of steps: before a run changes, and when rows of runs are removed.

import { firstKeptHour } from '../../domain/delivery/step-counts.ts'
import type { RunStatus } from '../../domain/tracked-event.ts'
import { HOUR_MS } from './commit/counters.ts'
import { createStepTally, type StepTally } from './commit/step-tally.ts'
import { type Param, type Sql, withRows } from './sql.ts'
import type { WriteContext } from './write.ts'

/** A run as its counters need it; its trace stays JSON text. */
export interface CountedRunRow {
  environmentId: number
  id: number
  campaignId: number
  version: number
  state: RunStatus
  isTest: boolean
  startedAt: number
  endedAt: number | null
  trace: string
}

const COLUMNS = [
  'environment_id',
  'id',
  'campaign_id',
  'version',
  'state',
  'is_test',
  'started_at',
  'ended_at',
  'trace',
]
/** For a clause RETURNING. */
export const COUNTED_RUN = COLUMNS.join(', ')

/** @returns The run of a row with the columns `COUNTED_RUN`. */
export function toCountedRun(row: Record<string, Param>): CountedRunRow {
  return {
    environmentId: row.environment_id as number,
    id: row.id as number,
    campaignId: row.campaign_id as number,
    version: row.version as number,
    state: row.state as RunStatus,
    isTest: row.is_test === 1,
    startedAt: row.started_at as number,
    endedAt: row.ended_at as number | null,
    trace: row.trace as string,
  }
}

const READ = withRows(
  { environment_id: 'int', run_id: 'int' },
  `SELECT ${COLUMNS.map((column) => `r.${column}`).join(', ')} FROM given CROSS JOIN run r
    WHERE r.environment_id = given.environment_id AND r.id = given.run_id`,
)

/** Reads runs by environment and id. */
export async function readCountedRuns(sql: Sql, keys: Param[][]): Promise<CountedRunRow[]> {
  return (await sql.bulk<Record<string, Param>>(READ, keys)).map(toCountedRun)
}

/** Adds what removed runs counted to a tally of purged rows. Those that ended before the kept hours count in none. */
export function countPurged(tally: StepTally, removed: CountedRunRow[], now: number): void {
  const since = firstKeptHour(now) * HOUR_MS
  for (const run of removed) {
    if (run.endedAt === null || run.endedAt >= since) tally.countRun(run.environmentId, run, 1)
  }
}

/** Adds what removed runs counted to the counts of purged ones. */
export async function writePurgedRuns(context: WriteContext, removed: CountedRunRow[]): Promise<void> {
  const tally = createStepTally(context.now)
  countPurged(tally, removed, context.now)
  await tally.writePurged(context)
}
