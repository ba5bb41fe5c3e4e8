// Replaces reads by cached rows, which saves round trips to PostgreSQL. A statement compares the cached values; if one
// differs, the batch is repeated with reads (docs/decisions/0007-postgres-batches.md).

import type { TrackPlan } from '../../../domain/plan.ts'
import { isClosed } from '../closed.ts'
import { checkRows, type Param } from '../sql.ts'
import type { WriteContext } from '../write.ts'
import { isInUse, secretKeysOf } from './preconditions.ts'
import { getUserNo } from './recipients.ts'
import type { WorkingHead } from './working-rows.ts'

/** Each row is a head or a key. All nodes lock heads in this order. 1 / 0 makes the later statements fail as well. */
const CHECK = checkRows(
  {
    environment_id: 'int',
    user_no: 'int',
    seq: 'int',
    unread: 'int',
    unopened: 'int',
    floor: 'int',
    secret_id: 'int',
    used_at: 'int',
  },
  `SELECT 1 / CASE WHEN (SELECT COUNT(user_no) FROM given) = (SELECT COUNT(*) FROM (SELECT 1 FROM given CROSS JOIN inbox_head h
      WHERE h.environment_id = given.environment_id AND h.user_no = given.user_no AND h.seq = given.seq AND h.unread = given.unread AND h.unopened = given.unopened
        AND h.floor = given.floor ORDER BY h.user_no FOR UPDATE OF h) AS locked)
    AND (SELECT COUNT(secret_id) FROM given) = (SELECT COUNT(*) FROM given CROSS JOIN secret s
      WHERE s.environment_id = given.environment_id AND s.id = given.secret_id AND s.settled_at IS NULL AND (s.retires_at IS NULL OR s.retires_at > given.used_at)
        AND NOT ${isClosed('s.environment_id')}) THEN 1 ELSE 0 END AS is_equal`,
)

/**
 * Finds the cached heads of all inboxes that the plans write to. Call it for plans that lock heads only.
 * @returns Undefined when a head or key is not cached, or a collapse key needs a read.
 */
export function findCachedHeads(context: WriteContext, plans: TrackPlan[]): WorkingHead[] | undefined {
  const { cache } = context
  if (cache === undefined || plans.length === 0) return undefined
  const userNos = new Set<number>()
  for (const { environmentId, secretId, messages } of plans) {
    if (secretId !== null && !isInUse(cache.findSecret(secretId), context.now)) return undefined
    for (const { collapseKey, userId } of messages) {
      if (collapseKey !== null) return undefined
      userNos.add(getUserNo(context, environmentId, userId))
    }
  }
  return cache.headsOf(userNos)
}

/** Adds the statement that fails the transaction when a cached value differs. */
export async function checkCachedRows(
  { sql, now }: WriteContext,
  heads: WorkingHead[],
  plans: TrackPlan[],
): Promise<void> {
  const rows: Param[][] = heads.map(({ environmentId, userNo, seq, unread, unopened, floor }) => [
    environmentId,
    userNo,
    seq,
    unread,
    unopened,
    floor,
    null,
    null,
    null,
  ])
  for (const [environmentId, id] of secretKeysOf(plans))
    rows.push([environmentId, null, null, null, null, null, id, now])
  await sql.bulk(CHECK, rows)
}
