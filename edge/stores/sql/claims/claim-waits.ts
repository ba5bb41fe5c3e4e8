// Claims due waits under a lease, oldest first, with environments in turn.

import type { ClaimedWait } from '../../../domain/run/run-wait.ts'
import { RUN_WAIT } from '../../tables/run.ts'
import { type RawRow, view } from '../../tables/table.ts'
import type { WriteContext } from '../write.ts'
import { createClaimInTurn } from './claim-in-turn.ts'

const WAIT_FIELDS = [
  'runId',
  'environmentId',
  'campaignId',
  'number',
  'stepId',
  'dueAt',
  'awaits',
  'runState',
  'attempts',
  'fence',
  'wasParked',
  'crashes',
] as const
const CLAIMED_VIEW = view(RUN_WAIT, '', WAIT_FIELDS)
/** The same fields, with the table alias `w`. */
export const WAIT_VIEW = view(RUN_WAIT, 'w', WAIT_FIELDS)

/** States of waits that are in memory together; one larger state is read alone. */
const MAX_STATE_BYTES = 4 * 1024 * 1024

const claimInTurn = createClaimInTurn({
  table: 'run_wait',
  key: 'run_id',
  set: 'attempts = attempts + 1, fence = fence + 1',
  columns: CLAIMED_VIEW.columns,
  suspect: 'attempts > 0 OR crashes > 0',
  bytes: { of: 'octet_length(course)', max: MAX_STATE_BYTES },
})

/** Reads a row of a view. `claimedAt` is the time of its claim (epoch ms). */
export function readWait(row: RawRow, claimedAt: number): ClaimedWait {
  return { ...WAIT_VIEW.read(row), stateChars: String(row.runState).length, claimedAt }
}

/** Claims due waits. `after` is the environment of the last turn; the result contains it for the next claim. */
export async function claimWaits(
  context: WriteContext,
  now: number,
  leaseMs: number,
  limit: number,
  after: number,
): Promise<{ waits: ClaimedWait[]; after: number }> {
  const claimed = await claimInTurn(context, now, leaseMs, limit, after)
  const waits = claimed.rows.map((row) => readWait(row, claimed.at))
  return { waits: waits.sort((a, b) => a.dueAt - b.dueAt || a.runId - b.runId), after: claimed.after }
}
