// The first runs and messages of each event of a page, in as few round trips for a hundred events as for one (contract section 3).

import type { RunState, RunSummary, TrackedEvents } from '../../../domain/tracked-event.ts'
import { type RowsStatement, type Sql, withRows } from '../sql.ts'

export interface RunSummaryRow {
  id: number
  event_id: number
  campaign_id: number
  campaign_key: string
  version: number
  branch: string | null
  user_id: string
  state: RunState
  state_reason: string | null
}

/** Of `run r` and `campaign c`. */
export const SUMMARY_COLUMNS =
  'r.id, r.event_id, r.campaign_id, c.campaign_key, r.version, r.branch, r.user_id, r.state, r.state_reason'

/** Bounded for each event, whatever its fan-out: first the run at which each is cut off, then the rows up to it. */
export async function summarizeRuns(
  sql: Sql,
  eventIds: number[],
  limit: number,
): ReturnType<TrackedEvents['summarize']> {
  const { lastRuns, lastMessages } = boundsOf(limit)
  const read = async <Row>(bounds: RowsStatement, rows: RowsStatement) => {
    const lasts = await sql.bulk<{ event_id: number; last: number | null }>(
      bounds,
      eventIds.map((id) => [id]),
    )
    return sql.bulk<Row>(
      rows,
      lasts.map(({ event_id, last }) => [event_id, last ?? Number.MAX_SAFE_INTEGER]),
    )
  }
  const [runs, messages] = await Promise.all([
    read<RunSummaryRow>(lastRuns, READ_RUNS),
    read<{ event_id: number; run_id: number; id: number }>(lastMessages, READ_MESSAGES),
  ])
  runs.sort((a, b) => a.id - b.id)
  messages.sort((a, b) => a.run_id - b.run_id || a.id - b.id)
  const found = new Map(eventIds.map((id) => [id, { runs: [] as RunSummary[], messageIds: [] as number[] }]))
  for (const row of runs) found.get(row.event_id)?.runs.push(toSummary(row))
  for (const row of messages) {
    const { messageIds } = found.get(row.event_id) ?? {}
    // The run at which it is cut off may have more than one.
    if (messageIds !== undefined && messageIds.length < limit) messageIds.push(row.id)
  }
  return found
}

// `+ 0`: by the index of the event alone, not beside one of all runs below the last.
const READ_RUNS = withRows(
  { event_id: 'int', last: 'int' },
  `SELECT ${SUMMARY_COLUMNS} FROM given CROSS JOIN run r JOIN campaign c ON c.id = r.campaign_id
    WHERE r.event_id = given.event_id AND r.id + 0 <= given.last`,
)
const READ_MESSAGES = withRows(
  { event_id: 'int', last: 'int' },
  `SELECT r.event_id, m.run_id, m.id FROM given CROSS JOIN run r JOIN message m ON m.run_id = r.id
    WHERE r.event_id = given.event_id AND r.id + 0 <= given.last`,
)

interface Bounds {
  /** The run that is the `limit`-th of its event, or has the `limit`-th message; null when there are fewer. */
  lastRuns: RowsStatement
  lastMessages: RowsStatement
}

const kept = new Map<number, Bounds>()

/** A text for each limit, since a bound of a given row cannot say how many rows to pass over. There are few limits. */
function boundsOf(limit: number): Bounds {
  const known = kept.get(limit)
  if (known !== undefined) return known
  const nth = `LIMIT 1 OFFSET ${limit - 1}`
  const lastOf = (select: string) =>
    withRows({ event_id: 'int' }, `SELECT given.event_id, (${select}) AS last FROM given`)
  const bounds = {
    lastRuns: lastOf(`SELECT r.id FROM run r WHERE r.event_id = given.event_id ORDER BY r.id ${nth}`),
    lastMessages: lastOf(
      `SELECT r.id FROM run r JOIN message m ON m.run_id = r.id WHERE r.event_id = given.event_id ORDER BY r.id, m.id ${nth}`,
    ),
  }
  kept.set(limit, bounds)
  return bounds
}

export function toSummary(row: RunSummaryRow): RunSummary {
  return {
    id: row.id,
    campaignId: row.campaign_id,
    campaignKey: row.campaign_key,
    version: row.version,
    branch: row.branch,
    userId: row.user_id,
    state: row.state,
    stateReason: row.state_reason,
  }
}
