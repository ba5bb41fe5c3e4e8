// Migration 2: the indices of the delivery history (contract section 7). Ids rise with time, so each of them grows at its end:
// a batch of messages writes a page or two of each, where an index over users would write one for every message.

import type { Migration } from '../migrate.ts'

/** How far a recipient went, as the index on it has it; the history's queries say the same words. */
export const ENGAGEMENT_LEVEL =
  'CASE WHEN clicked_at IS NOT NULL THEN 3 WHEN opened_at IS NOT NULL THEN 2 WHEN read_at IS NOT NULL THEN 1 ELSE 0 END'

export const deliveryHistory: Migration = {
  number: 2,
  oldestBinary: 1,
  statements: [
    `CREATE INDEX message_of_environment ON message (environment_id, id)`,
    `CREATE INDEX message_of_campaign ON message (environment_id, campaign_id, id)`,
    `CREATE INDEX message_of_event ON message (environment_id, event_id, id)`,
    `CREATE INDEX message_by_correlation ON message (environment_id, correlation_id, id)`,
    // Only what is uncommon stands in these: what most messages are (delivered, not yet read, before any branch) is found by the others.
    `CREATE INDEX message_by_branch ON message (environment_id, branch, id) WHERE branch IS NOT NULL`,
    `CREATE INDEX message_undelivered ON message (environment_id, status, id) WHERE status <> 'delivered'`,
    `CREATE INDEX message_by_engagement ON message (environment_id, (${ENGAGEMENT_LEVEL}), id) WHERE read_at IS NOT NULL`,
  ],
}
