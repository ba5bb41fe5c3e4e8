// Creates the indexes of the delivery history (migration 2). Ids rise with time, so each index grows at its end: a
// batch writes few pages. An index over users would write a page for each message.

import type { Migration } from './migration.ts'

/** The engagement level of a recipient; queries must use the same expression as the index. */
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
    // These indexes contain uncommon values only; the others find common ones (delivered, not yet read, before any
    // branch).
    `CREATE INDEX message_by_branch ON message (environment_id, branch, id) WHERE branch IS NOT NULL`,
    `CREATE INDEX message_undelivered ON message (environment_id, status, id) WHERE status <> 'delivered'`,
    `CREATE INDEX message_by_engagement ON message (environment_id, (${ENGAGEMENT_LEVEL}), id) WHERE read_at IS NOT NULL`,
  ],
}
