// Reads the first runs and messages of each event of a page; a larger page needs no more round trips.

import type { RunSummary, TrackedEvents } from '../../domain/tracked-event.ts'
import { CAMPAIGN } from '../tables/campaign.ts'
import { RUN } from '../tables/run.ts'
import { type RawRow, view } from '../tables/table.ts'
import { APP_USER } from '../tables/user.ts'
import { type RowsStatement, type Sql, withRows } from './sql.ts'

const RUN_VIEW = view(RUN, 'r', ['id', 'campaignId', 'version', 'branch', 'userId', 'state', 'stateReason'])
const CAMPAIGN_VIEW = view(CAMPAIGN, 'c', [], { campaignKey: 'key', campaignName: 'name' })
const USER_VIEW = view(APP_USER, 'u', [], { userName: 'name' })

/** The columns of a summary, with `SUMMARY_JOINS` on `run r`. */
export const SUMMARY_COLUMNS = `${RUN_VIEW.columns}, ${CAMPAIGN_VIEW.columns}, ${USER_VIEW.columns}`
export const SUMMARY_JOINS = `JOIN campaign c ON c.environment_id = r.environment_id AND c.id = r.campaign_id
  LEFT JOIN app_user u ON u.environment_id = r.environment_id AND u.user_no = r.user_no`

/**
 * Reads the last id within the limit for each event, then the rows up to it. So a large fan-out costs no more than a
 * small one.
 * @returns The summaries by event id, also for events without runs.
 */
export async function summarizeRuns(
  sql: Sql,
  environmentId: number,
  eventIds: number[],
  limit: number,
): ReturnType<TrackedEvents['summarize']> {
  const { lastRuns, lastMessages } = boundsOf(limit)
  const read = async <Row>(bounds: RowsStatement, rows: RowsStatement) => {
    const lasts = await sql.bulk<{ event_id: number; last: number | null }>(
      bounds,
      eventIds.map((id) => [environmentId, id]),
    )
    return sql.bulk<Row>(
      rows,
      lasts.map(({ event_id, last }) => [environmentId, event_id, last ?? Number.MAX_SAFE_INTEGER]),
    )
  }
  const [runs, messages] = await Promise.all([
    read<RawRow & { event_id: number; id: number }>(lastRuns, READ_RUNS),
    read<{ event_id: number; id: number }>(lastMessages, READ_MESSAGES),
  ])
  runs.sort((a, b) => a.id - b.id)
  messages.sort((a, b) => a.id - b.id)
  const found = new Map(eventIds.map((id) => [id, { runs: [] as RunSummary[], messageIds: [] as number[] }]))
  for (const row of runs) found.get(row.event_id)?.runs.push(toSummary(row))
  for (const row of messages) found.get(row.event_id)?.messageIds.push(row.id)
  return found
}

/** `+` keeps to the index by the event: the key would find all runs of the environment. */
const READ_RUNS = withRows(
  { environment_id: 'int', event_id: 'int', last: 'int' },
  `SELECT r.event_id, ${SUMMARY_COLUMNS} FROM given CROSS JOIN run r ${SUMMARY_JOINS}
    WHERE r.event_id = given.event_id AND +r.environment_id = given.environment_id AND r.id <= given.last`,
)
const READ_MESSAGES = withRows(
  { environment_id: 'int', event_id: 'int', last: 'int' },
  `SELECT m.event_id, m.id FROM given CROSS JOIN message m
    WHERE m.environment_id = given.environment_id AND m.event_id = given.event_id AND m.id <= given.last`,
)

interface Bounds {
  /** Selects the run or message that is the `limit`-th of its event; null when there are fewer. */
  lastRuns: RowsStatement
  lastMessages: RowsStatement
}

const boundsByLimit = new Map<number, Bounds>()

/** Returns the statements for a limit, of which there are few. SQL allows no OFFSET from a column. */
function boundsOf(limit: number): Bounds {
  const known = boundsByLimit.get(limit)
  if (known !== undefined) return known
  // Reads from the event on, in the order of the index: PostgreSQL may sort all rows of one event when it expects few.
  const lastOf = (from: string) =>
    withRows(
      { environment_id: 'int', event_id: 'int' },
      `SELECT given.event_id, (SELECT CASE WHEN x.event_id = given.event_id THEN x.id END
        FROM ${from} ORDER BY x.event_id, x.id LIMIT 1 OFFSET ${limit - 1}) AS last FROM given`,
    )
  const bounds = {
    lastRuns: lastOf('run x WHERE x.event_id >= given.event_id'),
    lastMessages: lastOf('message x WHERE x.environment_id = given.environment_id AND x.event_id >= given.event_id'),
  }
  boundsByLimit.set(limit, bounds)
  return bounds
}

export function toSummary(row: RawRow): RunSummary {
  return { ...RUN_VIEW.read(row), ...CAMPAIGN_VIEW.read(row), ...USER_VIEW.read(row) }
}
