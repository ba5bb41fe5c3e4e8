// A batch that goes by what is remembered: nothing is asked before it decides, so that it reaches the database in one breath. What it
// took for so is checked there, first of all; where it is not so the transaction fails, and is done again with questions (decision 0221).

import type { TrackPlan } from '../../../domain/plan.ts'
import { isInUse } from '../commit/admission.ts'
import { getUserNo } from '../commit/recipients.ts'
import type { WorkingHead } from '../commit/working-rows.ts'
import { checkRows, type Param } from '../sql.ts'
import type { WriteContext } from '../write.ts'

/** Each row is a head or a key. Heads are locked in the order that all nodes keep; 1 / 0 stops all that stands behind it. */
const CHECK = checkRows(
  { user_no: 'int', seq: 'int', unread: 'int', unopened: 'int', floor: 'int', secret_id: 'int', used_at: 'int' },
  `SELECT 1 / CASE WHEN (SELECT COUNT(user_no) FROM given) = (SELECT COUNT(*) FROM (SELECT 1 FROM given CROSS JOIN inbox_head h
      WHERE h.user_no = given.user_no AND h.seq = given.seq AND h.unread = given.unread AND h.unopened = given.unopened
        AND h.floor = given.floor ORDER BY h.user_no FOR UPDATE OF h) AS held)
    AND (SELECT COUNT(secret_id) FROM given) = (SELECT COUNT(*) FROM given CROSS JOIN secret s
      WHERE s.id = given.secret_id AND s.settled_at IS NULL AND (s.retires_at IS NULL OR s.retires_at > given.used_at)) THEN 1 ELSE 0 END AS held`,
)

/**
 * The heads of all inboxes that the plans write to, when these and their keys are remembered; undefined when something has to be
 * asked. Of plans that lock heads alone; a collapse key asks for messages.
 */
export function recallHeads(context: WriteContext, plans: TrackPlan[]): WorkingHead[] | undefined {
  const { remembered } = context
  if (remembered === undefined || plans.length === 0) return undefined
  const userNos = new Set<number>()
  for (const { environmentId, secretId, messages } of plans) {
    if (secretId !== null && !isInUse(remembered.findSecret(secretId), context.now)) return undefined
    for (const { collapseKey, userId } of messages) {
      if (collapseKey !== null) return undefined
      userNos.add(getUserNo(context, environmentId, userId))
    }
  }
  return remembered.headsOf(userNos)
}

/** Has the database fail the transaction when it is not so. */
export async function checkRecalled(
  { sql, now }: WriteContext,
  heads: WorkingHead[],
  plans: TrackPlan[],
): Promise<void> {
  const rows: Param[][] = heads.map(({ userNo, seq, unread, unopened, floor }) => [
    userNo,
    seq,
    unread,
    unopened,
    floor,
    null,
    null,
  ])
  for (const id of new Set(plans.map(({ secretId }) => secretId)))
    if (id !== null) rows.push([null, null, null, null, null, id, now])
  await sql.bulk(CHECK, rows)
}
