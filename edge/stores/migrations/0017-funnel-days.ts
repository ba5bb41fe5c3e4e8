// Adds funnel counters by day, so that a window of weeks reads few rows (migration 17).

import type { Migration } from './migration.ts'

export const funnelDays: Migration = {
  number: 17,
  // An older program would count without the days.
  oldestBinary: 17,
  statements: [
    // The row of a day has -2 minus its number in place of an hour.
    `INSERT INTO funnel (campaign_id, channel, hour, version, branch, slot, deliveries, reads, opens, clicks)
      SELECT campaign_id, channel, -2 - day, version, branch, slot, SUM(deliveries), SUM(reads), SUM(opens), SUM(clicks)
      FROM (SELECT campaign_id, channel, hour / 24 AS day, version, branch, slot, deliveries, reads, opens, clicks
        FROM funnel WHERE hour >= 0) AS counted
      GROUP BY campaign_id, channel, day, version, branch, slot`,
  ],
}
