// Adds revisions, and repairs campaigns that two concurrent changes had set back to an older version (migration 19).

import type { Migration } from './migration.ts'

export const revisions: Migration = {
  number: 19,
  // An older program changes rows without raising their revision.
  oldestBinary: 1,
  statements: [
    `ALTER TABLE campaign ADD COLUMN revision INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE environment ADD COLUMN revision INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE notification_config ADD COLUMN revision INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE organisation ADD COLUMN revision INTEGER NOT NULL DEFAULT 0`,
    // The newest version was acknowledged, and could not be published again because its number was taken.
    `UPDATE campaign SET current_version = (SELECT MAX(v.version) FROM campaign_version v WHERE v.campaign_id = campaign.id)
      WHERE EXISTS (SELECT 1 FROM campaign_version v WHERE v.campaign_id = campaign.id AND v.version > COALESCE(campaign.current_version, 0))`,
  ],
}
